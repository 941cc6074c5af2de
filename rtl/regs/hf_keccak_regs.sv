// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral without its bus (docs/integrate/regs.md): FIFOs, save and restore, errors
// and interrupts around hf_keccak_word_sponge, which pads and squeezes, and an engine of the word
// contract. `regs_i` and `regs_o` connect to a register block that is generated for each bus
// (rtl/regs/generated).
//
// Message bytes are added to the state at their position in the block, so a held hash consists of
// the state, this position, the function and the remaining length. These are the registers that
// software reads and writes in phase held.
//
// Every hash begins with a state of zero: each end of a hash, and a reset, wipes the state. `clear`
// and `stop` reset the sponge and the engine, whose first operation then is a wipe.

module hf_keccak_regs
  import hf_keccak_pkg::*;
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_sampler_pkg::*;
#(
    parameter int unsigned Engine = EngineIterative,  // a code of hf_keccak_regs_pkg
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    // Depth of the message FIFO: 0 (none) or a power of two up to 128.
    parameter int unsigned MessageWords = 16,
    // Depth of the digest FIFO: a power of two up to 128; 1: a register.
    parameter int unsigned DigestWords = 16,
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0  // output may be coefficients of ML-KEM and ML-DSA
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  hf_keccak_regs__out_t regs_i,  // from the register block: values and requests
    output hf_keccak_regs__in_t  regs_o,  // to the register block: values and acknowledges
    // An access to an unmapped address or with an illegal direction.
    input  logic                 bad_access_i,

    // A message by AXI4-Stream, if CONFIG.stream is set.
    input  logic        s_tvalid_i,
    output logic        s_tready_o,
    input  logic [31:0] s_tdata_i,
    input  logic [ 3:0] s_tkeep_i,
    input  logic        s_tlast_i,

    output logic irq_o
);

  localparam int unsigned DigestLevel = (DigestWords == 0) ? 1 : $clog2(DigestWords + 1);
  localparam int unsigned WordWidth = engine_word_width(Engine);
  localparam int unsigned AddrWidth = word_address_width(WordWidth);
  localparam int unsigned Parts = 32 / WordWidth;  // words of the engine in one of the bus

  // Phases of a hash. Between its end and phase idle the state is wiped.
  logic running_q;  // a hash runs: it is neither held nor at its end
  logic last_q;  // the message ends with the words that have been accepted
  logic squeezing_q;  // the output has begun
  logic hold_q;  // a hold is pending
  logic held_q;  // the hash is held since the last clock at least
  logic done_q;
  logic abort_q;  // the sponge and the engine are reset

  logic clear, start, last, stop, hold, resume;
  logic waiting, stop_waits, settled, pending, pending_stop, closes_config, closes_length;
  logic bad_command, bad_function, bad_position, no_length_command, no_length;
  logic bad_command_written;

  logic [31:0] length;
  logic length_known, length_zero, length_part, length_last;

  ////////////////////
  // The function   //
  ////////////////////

  logic sampling;  // the output goes through the sampler, whatever LENGTH is
  // These registers follow CONFIG by a clock; commands that use them come later.
  logic known_q;
  logic own_length_q;  // the function has a length of its own
  logic length_missing;  // neither the function nor LENGTH gives an output length
  logic [4:0] rate_lanes_q;
  logic [4:0] digest_words_q;
  logic [31:0] known_functions;
  function_info_t info;
  assign info = function_info(FunctionWidth'(regs_i.CONFIG.function_code.value));
  for (genvar i = 0; i < 32; i++) begin : gen_known
    assign known_functions[i] = function_known(8'(i));
  end
  logic unused_info;
  assign unused_info = ^{info.suffix, info.suffix_len};

  always_ff @(posedge clk_i) begin
    known_q        <= function_known(regs_i.CONFIG.function_code.value) &&
        sampling_known(regs_i.CONFIG.sampling.value);
    rate_lanes_q   <= info.rate_lanes;
    digest_words_q <= info.digest_words;
    own_length_q   <= info.digest_words != '0;
  end
  // It follows a write to LENGTH by three clocks, as `last` does if it is written in the next one.
  assign length_missing = !own_length_q && length_zero && !sampling;

  ////////////////////
  // Phases         //
  ////////////////////

  logic sponge_idle, sponge_held, sponge_squeezing;
  logic begins;  // the output begins
  logic ended;  // the output is complete, and the wipe begins
  logic push;  // a word of output enters the digest FIFO
  logic counted;  // it is of LENGTH, and no `stop` that takes effect in this clock discards it
  logic done_event;  // the output is complete, as far as it is known for the first time
  logic held_event;
  phases_t phase;
  logic sampled;  // which has given all coefficients: the output is complete, and the wipe begins

  assign begins = running_q && sponge_squeezing && !squeezing_q && !abort_q;
  assign ended = running_q && squeezing_q && !sponge_squeezing && !sponge_held && !abort_q;
  assign done_event = (counted && length_last && !hold_q) || (ended && !done_q) || sampled;
  assign held_event = sponge_held && !held_q && !abort_q;

  // Each by itself, for short paths. In the clock in which the sponge ends a phase it is `change`.
  always_comb begin
    phase.idle = sponge_idle && !running_q && !hold_q && !abort_q;
    phase.absorb = running_q && !squeezing_q && !last_q && !sponge_held && !abort_q;
    phase.finish = running_q && !squeezing_q && last_q && !sponge_held && !abort_q;
    phase.squeeze = running_q && squeezing_q && sponge_squeezing && !abort_q;
    phase.held = held_q && !abort_q;
    phase.change = abort_q || !(held_q || (sponge_idle && !running_q && !hold_q) ||
        (running_q && !sponge_held && (!squeezing_q || sponge_squeezing)));
  end

  logic beat, ending_beat;
  logic message_open;  // message words are accepted
  logic none_left;  // the message has all bytes that RUN has counted
  assign ending_beat = beat && s_tlast_i && !regs_i.CONFIG.packets.value;

  always_ff @(posedge clk_i) begin
    if (rst_i || clear) begin
      running_q <= 1'b0;
      hold_q    <= 1'b0;
      held_q    <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      running_q <= start || resume || (running_q && !ended && !sponge_held && !abort_q);
      hold_q    <= hold || (hold_q && !sponge_held);
      held_q    <= sponge_held && !resume && !abort_q;
      done_q    <= (done_event || done_q) && !(start || stop || resume);
    end
    abort_q <= clear || (stop && phase.squeeze) || sampled || rst_i;

    if (start || abort_q || ended) begin
      last_q      <= 1'b0;
      squeezing_q <= 1'b0;
    end else if (resume) begin
      last_q      <= regs_i.POSITION.squeezing.value;
      squeezing_q <= regs_i.POSITION.squeezing.value;
    end else begin
      last_q      <= last_q || last || ending_beat || (message_open && none_left);
      squeezing_q <= squeezing_q || begins;
    end
  end

  ////////////////////
  // Commands       //
  ////////////////////

  // A write to RUN: its fields are taken over in the clock after it, and it begins in the next one,
  // so that a write right after it comes as after writes to CONFIG, LENGTH and COMMAND.
  logic run_request, run_legal, run_refused, run_q, run_start_q;
  logic position_legal;
  assign position_legal = regs_i.POSITION.bytes.value < {rate_lanes_q, 3'd0} &&
      !(regs_i.POSITION.squeezing.value && regs_i.POSITION.bytes.value[1:0] != '0);

  hf_keccak_regs_commands u_commands (
      .clk_i,
      .rst_i,
      .command_i       (regs_i.COMMAND),
      .run_comes_i     (run_q),
      .run_i           (run_start_q),
      .phase_i         (phase),
      .hold_pending_i  (hold_q),
      .sampling_i      (sampling),
      .function_known_i(known_q),
      .length_missing_i(length_missing),
      .position_legal_i(position_legal),
      .clear_o         (clear),
      .start_o         (start),
      .last_o          (last),
      .stop_o          (stop),
      .hold_o          (hold),
      .resume_o        (resume),
      .waiting_o       (waiting),
      .stop_waits_o    (stop_waits),
      .settled_o       (settled),
      .pending_o       (pending),
      .pending_stop_o  (pending_stop),
      .closes_config_o (closes_config),
      .closes_length_o (closes_length),
      .bad_command_o   (bad_command_written),
      .bad_function_o  (bad_function),
      .bad_position_o  (bad_position),
      .no_length_o     (no_length_command)
  );
  assign bad_command = bad_command_written || run_refused;
  // If a message that tlast or its last byte has ended has no length, it does not wait for one: its
  // output has no bits.
  assign no_length = no_length_command || (begins && length_missing);

  ////////////////////
  // Message        //
  ////////////////////

  // The word of a write to MESSAGE or STATE while it is pending, and to LENGTH in the next clock.
  logic message_request, message_done, message_lost, drained;
  logic message_valid, message_ready;
  logic [WordWidth-1:0] message_word;
  logic [WordWidth/8-1:0] message_bytes;
  logic [7:0] message_free;
  logic [31:0] request_data, request_bits, request_word_q;
  logic [31:0] reply_q;  // to a read of DIGEST or STATE
  logic [3:0] request_bytes_q;
  logic length_request;
  logic run_open;  // no more output
  logic config_open;  // CONFIG may be written
  logic [11:0] left_next;  // POSITION.message_bytes after a write to MESSAGE
  logic message_accepted;
  logic [3:0] kept_bytes;

  assign message_request = regs_i.MESSAGE.req ||
      (regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr);
  // All of them have the bus's word.
  assign request_data = regs_i.MESSAGE.wr_data;
  assign request_bits = regs_i.MESSAGE.wr_biten;
  logic unused_requests;
  assign unused_requests = ^{
      regs_i.STATE.wr_data, regs_i.STATE.wr_biten, regs_i.LENGTH.wr_data, regs_i.LENGTH.wr_biten,
      regs_i.RUN.wr_data, regs_i.RUN.wr_biten,
      regs_i.MESSAGE_WINDOW.wr_data, regs_i.MESSAGE_WINDOW.wr_biten};
  always_ff @(posedge clk_i) begin
    if (message_request || regs_i.STATE.req || length_request || run_request) begin
      request_word_q <= request_data;
      for (int unsigned b = 0; b < 4; b++) request_bytes_q[b] <= request_bits[8*b];
    end
  end
  assign message_open = phase.absorb && !hold_q && !clear;

  assign run_request = Run && regs_i.RUN.req && request_bits != '0;
  assign run_legal = run_request && (&request_bits) && config_open && (!phase.held || clear);
  assign run_refused = run_request && !run_legal;
  always_ff @(posedge clk_i) begin
    run_q       <= run_legal && !rst_i;
    run_start_q <= run_q && !rst_i;
  end
  assign run_open = &request_word_q[16:5];

  if (Run) begin : gen_left
    hf_keccak_regs_left u_left (
        .clk_i,
        .counted_i(regs_i.POSITION.counted.value),
        .left_i   (regs_i.POSITION.message_bytes.value),
        .bytes_i  (request_bytes_q),
        .kept_o   (kept_bytes),
        .next_o   (left_next),
        .none_o   (none_left)
    );
  end else begin : gen_uncounted
    assign kept_bytes = request_bytes_q;
    assign left_next = '0;
    assign none_left = 1'b0;
  end

  hf_keccak_regs_message #(
      .WordWidth   (WordWidth),
      .MessageWords(MessageWords),
      .Stream      (Stream)
  ) u_message (
      .clk_i,
      .rst_i,
      .clear_i        (clear),
      .open_i         (message_open && !none_left),
      .settled_i      (settled),
      .stream_i       (regs_i.CONFIG.stream.value),
      .request_i      (message_request),
      .request_word_i (request_word_q),
      .request_bytes_i(kept_bytes),
      .done_o         (message_done),
      .accepted_o     (message_accepted),
      .lost_o         (message_lost),
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .beat_o         (beat),
      .valid_o        (message_valid),
      .ready_i        (message_ready),
      .word_o         (message_word),
      .bytes_o        (message_bytes),
      .drained_o      (drained),
      .free_o         (message_free)
  );

  ////////////////////
  // State window   //
  ////////////////////

  logic window_busy, window_writes, window_refused, window_read_done, window_write_done;
  logic window_part_read;
  logic window_valid, window_ready;
  word_op_e window_op;
  logic [AddrWidth-1:0] window_addr;
  logic [WordWidth-1:0] window_word;
  logic [WordWidth-1:0] engine_word;

  hf_keccak_regs_window #(
      .WordWidth(WordWidth)
  ) u_window (
      .clk_i,
      .rst_i,
      .request_i      (regs_i.STATE.req),
      .request_write_i(regs_i.STATE.req_is_wr),
      .request_addr_i (regs_i.STATE.addr[7:2]),
      .request_word_i (request_word_q),
      .request_bytes_i(request_bytes_q),
      .settled_i      (settled),
      .holds_i        (held_event),
      .holds_zero_i   (!running_q),
      .held_i         (held_q),
      .busy_o         (window_busy),
      .writes_o       (window_writes),
      .refused_o      (window_refused),
      .read_done_o    (window_read_done),
      .write_done_o   (window_write_done),
      .part_read_o    (window_part_read),
      .reply_i        (reply_q),
      .window_valid_o (window_valid),
      .window_ready_i (window_ready),
      .window_op_o    (window_op),
      .window_addr_o  (window_addr),
      .window_word_o  (window_word)
  );

  ////////////////////
  // Sponge, engine //
  ////////////////////

  logic op_valid, op_ready;
  word_op_e op;
  logic [AddrWidth-1:0] op_addr;
  logic [WordWidth/8-1:0] op_bytes;
  logic [WordWidth-1:0] op_word, out_word;
  logic out_valid, out_ready_q, out_end;
  logic final_q;  // the output's last word has come in the clock before
  logic part_open;  // a word of output is not complete
  logic digest_full;
  logic digest_fills;  // it is full after a word
  logic [7:0] position;
  logic drained_last_q, drained_hold_q;  // all words before `last`, before a hold, are the sponge's
  logic output_full, output_fills;  // no word of output can be taken; none can after this one
  logic no_output;  // LENGTH is zero, and counts

  // Registered, since software may write LENGTH in the clock before `stop` takes effect. The output
  // ends in the clock after its last word: a clock later the sponge would begin another block.
  // Two words are at least two clocks apart, so what is known of the length holds for the second.
  assign out_end = final_q || (squeezing_q && length_known && no_output && !out_ready_q);
  assign no_output = length_zero && !sampling;
  always_ff @(posedge clk_i) begin
    if (push) out_ready_q <= length_known && !length_last && !output_fills && !abort_q;
    else begin
      out_ready_q <= (out_ready_q || (length_known && !no_output && !output_full)) &&
          squeezing_q && !sponge_held && !abort_q;
    end
    final_q     <= counted && length_last;
  end
  // Registered: no message word is accepted in between.
  always_ff @(posedge clk_i) begin
    drained_last_q <= last_q && drained;
    drained_hold_q <= hold_q && drained && !sponge_held && !clear;
  end

  hf_keccak_word_sponge #(
      .WordWidth(WordWidth),
      .Holds    (1'b1)
  ) u_sponge (
      .clk_i,
      .rst_i             (abort_q),
      .function_code_i   (FunctionWidth'(regs_i.CONFIG.function_code.value)),
      .hash_start_i      (start),
      .hash_stop_i       (1'b0),
      .hash_idle_o       (sponge_idle),
      .in_valid_i        (message_valid),
      .in_ready_o        (message_ready),
      .in_word_i         (message_word),
      .in_bytes_i        (message_bytes),
      .message_end_i     (drained_last_q),
      .tail_bits_i       (regs_i.TAIL.bits.value),
      .tail_byte_i       (regs_i.TAIL.last_byte.value),
      .hash_squeezing_o  (sponge_squeezing),
      .out_valid_o       (out_valid),
      .out_ready_i       (out_ready_q),
      .out_end_i         (out_end),
      .out_word_o        (out_word),
      .hash_hold_i       (drained_hold_q && !part_open),
      .hash_held_o       (sponge_held),
      .block_position_o  (position),
      .hash_resume_i     (resume),
      .resume_position_i (regs_i.POSITION.bytes.value),
      .resume_squeezing_i(regs_i.POSITION.squeezing.value),
      .window_valid_i    (window_valid),
      .window_ready_o    (window_ready),
      .window_op_i       (window_op),
      .window_addr_i     (window_addr),
      .window_word_i     (window_word),
      .op_valid_o        (op_valid),
      .op_ready_i        (op_ready),
      .op_o              (op),
      .op_addr_o         (op_addr),
      .op_bytes_o        (op_bytes),
      .op_word_o         (op_word),
      .word_i            (engine_word)
  );

  hf_keccak_regs_engine #(
      .Engine         (engine_legal(Engine) ? Engine : EngineIterative),
      .StateInBlockRam(StateInBlockRam)
  ) u_engine (
      .clk_i,
      .rst_i     (abort_q),
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i      (op),
      .op_addr_i (op_addr),
      .op_bytes_i(op_bytes),
      .op_word_i (op_word),
      .word_o    (engine_word)
  );

  ////////////////////
  // Digest         //
  ////////////////////

  logic [31:0] digest_word, digest_head, queued_word;
  logic digest_write, digest_valid, digest_read, flush_q;
  logic is_cut;  // less than a word of the output is still to come
  logic [DigestLevel-1:0] digest_level;

  assign is_cut = length_part && !sampling;

  // Bits of a word of output, of those that are still to come.
  function automatic logic [WordWidth-1:0] cut(input logic [WordWidth-1:0] part,
                                               input logic [5:0] bits);
    for (int unsigned i = 0; i < WordWidth; i++) cut[i] = part[i] && 6'(i) < bits;
  endfunction

  if (Parts == 1) begin : gen_whole
    assign push = out_valid && !abort_q && !clear;
    assign part_open = 1'b0;
    assign digest_word = is_cut ? cut(out_word, {1'b0, length[4:0]}) : out_word;
  end else begin : gen_parts
    localparam int unsigned PartWidth = $clog2(Parts);
    logic [PartWidth-1:0] part_q, parts_left;
    logic [31-WordWidth:0] parts_q;  // parts of the word that have come, in its highest bits
    logic [WordWidth-1:0] part;
    assign push = out_valid && &part_q && !abort_q && !clear;
    assign part_open = part_q != '0;
    assign parts_left = length[4-:PartWidth];
    always_comb begin
      part = out_word;
      if (is_cut && part_q == parts_left) part = cut(out_word, 6'(length[4-PartWidth:0]));
      else if (is_cut && part_q > parts_left) part = '0;
    end
    assign digest_word = {part, parts_q};
    always_ff @(posedge clk_i) begin
      if (abort_q) part_q <= '0;
      else if (out_valid) part_q <= part_q + PartWidth'(1);
      if (out_valid) parts_q <= digest_word[31:WordWidth];
    end
  end

  assign counted = push && !(stop_waits && !hold_q) && !sampling;

  // Words of output go to the FIFO, or to the sampler by a register, and its words to the FIFO. The
  // output ends when all coefficients are in the FIFO, wherever the sponge is: as by `stop`.
  if (Sampler) begin : gen_sampler
    logic raw_valid_q, raw_ready, coefficients_valid, all_given;
    logic [31:0] raw_q, coefficients;
    sampling_e code;
    assign code = sampling_e'(regs_i.CONFIG.sampling.value);
    assign sampling = code != SamplingNone;
    hf_sampler u_sampler (
        .clk_i,
        .rst_i       (abort_q),
        .sampling_i  (code),
        .start_i     (begins || resume),
        .word_valid_i(raw_valid_q),
        .word_ready_o(raw_ready),
        .word_i      (raw_q),
        .out_valid_o (coefficients_valid),
        .out_ready_i (!digest_full),
        .out_word_o  (coefficients),
        .done_o      (all_given)
    );
    always_ff @(posedge clk_i) begin
      raw_valid_q <= !abort_q && ((push && sampling) || (raw_valid_q && !raw_ready));
      if (push) raw_q <= digest_word;
    end
    assign sampled = sampling && all_given && !coefficients_valid && squeezing_q && !abort_q;
    assign output_full = sampling ? raw_valid_q : digest_full;
    assign output_fills = sampling || digest_fills;
    assign digest_write = sampling ?
        coefficients_valid && !digest_full && !abort_q && !clear : push;
    assign queued_word = sampling ? coefficients : digest_word;
  end else begin : gen_no_sampler
    assign sampling = 1'b0;
    assign sampled = 1'b0;
    assign output_full = digest_full;
    assign output_fills = digest_fills;
    assign digest_write = push;
    assign queued_word = digest_word;
  end

  // A resumed message has no output yet: words in the FIFO belong to another hash. Registered, since
  // commands have long paths: until then no word is read.
  always_ff @(posedge clk_i) begin
    flush_q <= stop || start || (resume && !regs_i.POSITION.squeezing.value);
  end

  hf_fifo #(
      .Width(32),
      .Depth(($countones(DigestWords) == 1 && DigestWords <= 128) ? DigestWords : 16)
  ) u_digest (
      .clk_i,
      .clear_i(rst_i || clear || flush_q || window_writes),
      .write_i(digest_write),
      .data_i (queued_word),
      .full_o (digest_full),
      .valid_o(digest_valid),
      .data_o (digest_head),
      .read_i (digest_read),
      .level_o(digest_level)
  );
  assign digest_fills = digest_level == DigestLevel'(DigestWords - 1);

  ////////////////////
  // The bus        //
  ////////////////////

  logic digest_wait_q, digest_coming, digest_none, digest_ack_q, bad_read_ack_q;

  // The windows get requests in both directions and support one each. A write without a byte
  // enable, which a bus-width converter may produce, is ignored.
  logic digest_request, bad_read, bad_write, bad_access;
  assign digest_request = regs_i.DIGEST.req ||
      (regs_i.DIGEST_WINDOW.req && !regs_i.DIGEST_WINDOW.req_is_wr);
  assign bad_read = regs_i.MESSAGE_WINDOW.req && !regs_i.MESSAGE_WINDOW.req_is_wr;
  assign bad_write = regs_i.DIGEST_WINDOW.req && regs_i.DIGEST_WINDOW.req_is_wr;
  assign bad_access = bad_access_i || bad_read ||
      (bad_write && regs_i.DIGEST_WINDOW.wr_biten != '0) ||
      (!Run && regs_i.RUN.req && request_bits != '0);

  // A word is in the FIFO or on its way; otherwise there is none. A pending hold keeps the word in
  // the FIFO.
  assign digest_coming = !hold_q &&
      (phase.squeeze || phase.finish || (phase.absorb && none_left));
  assign digest_read = digest_wait_q && digest_valid && !waiting && !flush_q;
  assign digest_none = digest_wait_q && !digest_valid && !digest_coming && settled;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      digest_wait_q <= 1'b0;
      digest_ack_q  <= 1'b0;
    end else begin
      digest_wait_q <= digest_request || (digest_wait_q && !digest_read && !digest_none);
      digest_ack_q  <= digest_read || digest_none;
    end
    bad_read_ack_q <= bad_read && !rst_i;
  end

  // One register for all replies with data: zero, unless there is data for the read.
  logic [31:0] reply_part;
  if (Parts == 1) begin : gen_whole_reply
    assign reply_part = engine_word;
  end else begin : gen_reply_part
    assign reply_part = {engine_word, reply_q[31:WordWidth]};
  end
  always_ff @(posedge clk_i) begin
    if (digest_request || bad_read || regs_i.STATE.req) reply_q <= '0;
    else if (digest_read) reply_q <= digest_head;
    else if (window_part_read) reply_q <= reply_part;
  end

  // Write access to registers by phase. The registers are not used while the state is wiped, so
  // software may write those of the next hash without waiting. A command immediately before a write
  // counts.
  logic wiping, ending, between, length_open, position_open, config_lost;
  logic length_written, length_clear, stop_q;
  logic [31:0] length_word;
  logic [1:0] length_written_q;  // one clock ago, two clocks ago
  assign wiping = !running_q && !sponge_idle && !sponge_held;
  assign ending = clear || abort_q || (pending_stop && !hold_q && phase.squeeze);
  assign between = phase.idle || phase.held || wiping || ending;
  assign config_open = !closes_config && between;
  assign length_open = !closes_length && (between || phase.absorb);
  assign position_open = !closes_config && phase.held;
  assign config_lost =
      ((regs_i.CONFIG.function_code.swmod || regs_i.CONFIG.stream.swmod ||
        regs_i.CONFIG.packets.swmod || regs_i.CONFIG.sampling.swmod) && !config_open) ||
      ((length_written || regs_i.TAIL.bits.swmod || regs_i.TAIL.last_byte.swmod) &&
       !length_open) ||
      ((regs_i.POSITION.bytes.swmod || regs_i.POSITION.squeezing.swmod ||
        regs_i.POSITION.counted.swmod || regs_i.POSITION.message_bytes.swmod) && !position_open);

  // LENGTH and TAIL belong to one hash: its end sets them to 0. A write right after the command
  // that ends the hash belongs to the next one. (`stop` opens the registers two clocks before its
  // state is wiped.) A write takes effect a clock later, for a short path.
  assign length_request = regs_i.LENGTH.req && regs_i.LENGTH.req_is_wr;
  assign length_written = length_request && request_bits != '0;
  always_ff @(posedge clk_i) begin
    length_written_q <= rst_i ? '0 : {length_written_q[0],
                                      (length_written && length_open) ||
                                      (run_legal && request_data[16:5] != '0)};
    stop_q           <= stop && phase.squeeze;
  end
  assign length_word = run_q ? {{15{run_open}}, request_word_q[16:5], {5{run_open}}} :
      request_word_q;
  assign length_clear = clear || sampled || (stop_q && length_written_q == '0);

  hf_keccak_regs_length u_length (
      .clk_i,
      .clear_i      (length_clear || rst_i),
      .write_i      (length_written_q[0] && !rst_i),
      .write_word_i (length_word),
      .write_bytes_i(request_bytes_q),
      .load_i       (begins && own_length_q),
      .load_words_i (digest_words_q),
      .count_i      (counted),
      .length_o     (length),
      .known_o      (length_known),
      .zero_o       (length_zero),
      .part_o       (length_part),
      .last_o       (length_last)
  );

  logic busy, any_error, new_error, idle_message, idle_message_q;
  logic room_event;
  assign busy = !(((phase.idle || phase.held) && !window_busy) || idle_message ||
      (phase.squeeze && digest_full));
  assign idle_message = phase.absorb && drained && !hold_q;
  assign room_event = idle_message && !idle_message_q;
  always_ff @(posedge clk_i) idle_message_q <= idle_message && !rst_i;

  assign any_error = regs_i.ERROR.bad_command.value || regs_i.ERROR.bad_function.value ||
      regs_i.ERROR.bad_position.value || regs_i.ERROR.message_write.value ||
      regs_i.ERROR.digest_read.value || regs_i.ERROR.state_access.value ||
      regs_i.ERROR.config_write.value || regs_i.ERROR.bad_access.value ||
      regs_i.ERROR.no_length.value;
  assign new_error = bad_command || bad_function || bad_position || message_lost || digest_none ||
      window_refused || config_lost || bad_access || no_length;

  phase_e_e phase_code;
  always_comb begin
    phase_code = phase_e__change;
    if (phase.idle) phase_code = phase_e__idle;
    if (phase.absorb) phase_code = phase_e__absorb;
    if (phase.finish) phase_code = phase_e__finish;
    if (phase.squeeze) phase_code = phase_e__squeeze;
    if (phase.held) phase_code = phase_e__held;
  end

  always_comb begin
    regs_o.CAPS.message_words.next = 8'(MessageWords);
    regs_o.CAPS.digest_words.next = 8'(DigestWords);
    regs_o.CAPS.stream.next = Stream;
    regs_o.CAPS.engine.next = 3'(Engine);
    regs_o.FUNCTIONS.mask.next = known_functions;
    regs_o.OPTIONS.run.next = Run;
    regs_o.OPTIONS.sampler.next = Sampler;

    regs_o.CONFIG.function_code.swwe = config_open;
    regs_o.CONFIG.function_code.we = run_q;
    regs_o.CONFIG.function_code.next = 8'(request_word_q[4:0]);
    regs_o.CONFIG.stream.swwe = config_open && Stream;
    regs_o.CONFIG.packets.swwe = config_open && Stream;
    regs_o.CONFIG.sampling.swwe = config_open && Sampler;
    regs_o.TAIL.bits.swwe = length_open;
    regs_o.TAIL.last_byte.swwe = length_open;
    regs_o.POSITION.bytes.swwe = position_open;
    regs_o.POSITION.squeezing.swwe = position_open;
    regs_o.POSITION.counted.swwe = position_open && Run;
    regs_o.POSITION.message_bytes.swwe = position_open && Run;

    regs_o.TAIL.bits.hwclr = clear || begins;
    regs_o.TAIL.last_byte.hwclr = clear || begins;
    regs_o.LENGTH.wr_ack = length_request;
    regs_o.LENGTH.rd_ack = regs_i.LENGTH.req && !regs_i.LENGTH.req_is_wr;
    regs_o.LENGTH.rd_data.bits = length;
    regs_o.POSITION.bytes.we = held_event;
    regs_o.POSITION.bytes.next = position;
    regs_o.POSITION.squeezing.we = held_event;
    regs_o.POSITION.squeezing.next = squeezing_q || done_q;
    // It does not outlive its message: one that `start` begins is not counted.
    regs_o.POSITION.counted.we = run_q || begins || clear || (bad_function && phase.idle);
    regs_o.POSITION.counted.next = run_q && !(&request_word_q[28:17]);
    regs_o.POSITION.message_bytes.we = run_q || (message_accepted && regs_i.POSITION.counted.value);
    regs_o.POSITION.message_bytes.next = run_q ? request_word_q[28:17] : left_next;
    regs_o.RUN.wr_ack = regs_i.RUN.req;

    regs_o.STATUS.phase.next = (pending || clear) ? phase_e__change : phase_code;
    regs_o.STATUS.busy.next = busy || pending || clear;
    regs_o.STATUS.done.next = done_q;
    regs_o.STATUS.error.next = any_error;
    regs_o.STATUS.message_free.next = message_free;
    regs_o.STATUS.digest_words.next = 8'(digest_level);

    regs_o.ERROR.bad_command.hwset = bad_command;
    regs_o.ERROR.bad_function.hwset = bad_function;
    regs_o.ERROR.bad_position.hwset = bad_position;
    regs_o.ERROR.message_write.hwset = message_lost;
    regs_o.ERROR.digest_read.hwset = digest_none;
    regs_o.ERROR.state_access.hwset = window_refused;
    regs_o.ERROR.config_write.hwset = config_lost;
    regs_o.ERROR.bad_access.hwset = bad_access;
    regs_o.ERROR.no_length.hwset = no_length;

    regs_o.INTR_STATE.done.hwset = done_event || regs_i.INTR_TEST.done.value;
    regs_o.INTR_STATE.digest.hwset = (digest_write && digest_fills) || done_event ||
        regs_i.INTR_TEST.digest.value;
    regs_o.INTR_STATE.room.hwset = room_event || regs_i.INTR_TEST.room.value;
    regs_o.INTR_STATE.held.hwset = held_event || regs_i.INTR_TEST.held.value;
    regs_o.INTR_STATE.error.hwset = new_error || regs_i.INTR_TEST.error.value;

    regs_o.MESSAGE.wr_ack = message_done;
    regs_o.MESSAGE_WINDOW.wr_ack = message_done;
    regs_o.MESSAGE_WINDOW.rd_ack = bad_read_ack_q;
    regs_o.MESSAGE_WINDOW.rd_data = reply_q;
    regs_o.DIGEST.rd_ack = digest_ack_q;
    regs_o.DIGEST.rd_data.data = reply_q;
    regs_o.DIGEST_WINDOW.wr_ack = bad_write;
    regs_o.DIGEST_WINDOW.rd_ack = digest_ack_q;
    regs_o.DIGEST_WINDOW.rd_data = reply_q;
    regs_o.STATE.rd_ack = window_read_done;
    regs_o.STATE.wr_ack = window_write_done;
    regs_o.STATE.rd_data = reply_q;
  end

  // Not registered: software that has cleared the cause must not see the interrupt again.
  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.digest.value && regs_i.INTR_ENABLE.digest.value) ||
      (regs_i.INTR_STATE.room.value && regs_i.INTR_ENABLE.room.value) ||
      (regs_i.INTR_STATE.held.value && regs_i.INTR_ENABLE.held.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value);

`ifndef HF_NO_PARAMETER_CHECKS
  if (!engine_legal(Engine)) begin : gen_bad_engine
    $fatal(1, "hf_keccak_regs: Engine is 0 (iterative), 1 (serial) or 2 (tiny), not %0d", Engine);
  end
  if ($countones(MessageWords) > 1 || MessageWords > 128) begin : gen_bad_message
    $fatal(1, "hf_keccak_regs: MessageWords is 0 or a power of two up to 128, not %0d",
           MessageWords);
  end
  if ($countones(DigestWords) != 1 || DigestWords > 128) begin : gen_bad_digest
    $fatal(1, "hf_keccak_regs: DigestWords is a power of two up to 128, not %0d", DigestWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
