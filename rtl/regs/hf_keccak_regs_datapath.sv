// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Data path of the Keccak peripheral: message words go through their FIFO and the sponge to the
// engine, output goes through the sponge to the digest FIFO, and the state window reads and writes
// the state. It connects hf_keccak_regs_message, hf_keccak_regs_digest, hf_keccak_regs_window,
// hf_keccak_word_sponge, hf_keccak_regs_prefix and hf_keccak_regs_engine.
//
// With words of 64 bits only message words have all of one: STATE and DIGEST have a half at a time.
// A word of output is read two times therefore, once for each half, and the sponge sees the second
// read only. So its position is that of the word until both halves are in the digest FIFO, and the
// hash may be held between them: that half is bit 2 of POSITION.bytes.

module hf_keccak_regs_datapath
  import hf_keccak_pkg::*;
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    // As in hf_keccak_regs.
    parameter  int unsigned Engine = EngineIterative,
    parameter  bit          StateInBlockRam = 1'b1,
    parameter  int unsigned MessageWords = 16,
    parameter  int unsigned DigestWords = 16,
    parameter  bit          Stream = 1'b1,
    parameter  bit          Run = 1'b1,
    parameter  bit          Sampler = 1'b0,
    parameter  bit          Prefix = 1'b0,
    parameter  int unsigned WordWidth = 32,
    localparam int unsigned EngineWidth = engine_word_width(Engine, WordWidth),
    localparam int unsigned AddrWidth = word_address_width(EngineWidth),
    localparam int unsigned PartWidth = engine_part_width(Engine),
    localparam int unsigned PartAddrWidth = word_address_width(PartWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input hf_keccak_regs__out_t regs_i,  // from the register block

    // The hash, from hf_keccak_regs_commands, _phases and _length.
    input logic      clear_i,
    input command_t  command_i,
    input pending_t  pending_i,
    input phases_t   phase_i,
    input progress_t progress_i,
    // verilator lint_off UNUSEDSIGNAL
    input event_t    event_i,  // only hf_keccak_regs_locks reads `ends`
    // verilator lint_on UNUSEDSIGNAL
    input logic [FunctionWidth-1:0] function_code_i,
    input length_t   length_i,
    input write_t    written_i,

    // What it does with the hash.
    output sponge_t    sponge_o,
    output logic [7:0] position_o,        // bytes of the block that are absorbed or read
    output logic       message_ends_o,    // the message ends with the words that have been accepted
    output logic       sampling_o,        // the output goes through the sampler
    output logic       sampled_o,         // which has given all coefficients
    output logic       output_counted_o,  // a word that is of LENGTH enters the FIFO
    output logic       output_ends_o,     // and it is the last
    output level_t     level_o,

    // The copy of a state, as in hf_keccak_regs_prefix.
    output copy_t copy_o,
    output keep_t keep_o,

    // Message words, as in hf_keccak_regs_message.
    input  logic        message_write_i,
    output logic        message_done_o,
    output logic        message_accepted_o,
    output logic        message_lost_o,
    output logic [11:0] left_next_o,
    output logic        none_left_o,
    input  logic        s_tvalid_i,
    output logic        s_tready_o,
    input  logic [WordWidth-1:0] s_tdata_i,
    input  logic [WordWidth/8-1:0] s_tkeep_i,
    input  logic        s_tlast_i,

    // Digest words, as in hf_keccak_regs_digest.
    output digest_t digest_o,
    input  logic    digest_pop_i,

    // The state, as in hf_keccak_regs_window.
    input  logic                 state_access_i,
    output logic                 window_busy_o,
    output logic                 state_refused_o,
    output logic                 state_read_done_o,
    output logic                 state_write_done_o,
    output logic                 window_part_read_o,
    output logic [PartWidth-1:0] window_part_o,
    input  logic [         31:0] reply_i
);

  localparam int unsigned LevelWidth = (DigestWords == 0) ? 1 : $clog2(DigestWords + 1);

  logic unused_control;  // of the registers' values
  assign unused_control = ^{
      command_i.last, command_i.hold, command_i.recall, pending_i.closes_config,
      pending_i.closes_length,
      phase_i.idle, phase_i.finish, phase_i.squeeze, phase_i.held, phase_i.change,
      progress_i.done, event_i.done};

  ////////////////////
  // Message        //
  ////////////////////

  logic message_valid, message_ready;
  logic [EngineWidth-1:0] message_word;
  logic [EngineWidth/8-1:0] message_bytes;

  hf_keccak_regs_message #(
      .WordWidth   (EngineWidth),
      .MessageWords(MessageWords),
      .Stream      (Stream),
      .Run         (Run)
  ) u_message (
      .clk_i,
      .rst_i,
      .clear_i    (clear_i),
      .absorb_i   (phase_i.absorb),
      .hold_i     (progress_i.hold),
      .waits_i    (pending_i.waits),
      .settled_i  (pending_i.settled),
      .stream_i   (regs_i.CONFIG.stream.value),
      .packets_i  (regs_i.CONFIG.packets.value),
      .counted_i  (regs_i.POSITION.counted.value),
      .left_i     (regs_i.POSITION.message_bytes.value),
      .left_next_o(left_next_o),
      .none_left_o(none_left_o),
      .request_i  (message_write_i),
      .written_i  (written_i),
      .done_o     (message_done_o),
      .accepted_o (message_accepted_o),
      .lost_o     (message_lost_o),
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .ends_o     (message_ends_o),
      .valid_o    (message_valid),
      .ready_i    (message_ready),
      .word_o     (message_word),
      .bytes_o    (message_bytes),
      .drained_o  (level_o.drained),
      .free_o     (level_o.message_free)
  );

  // All words before `last`, before a hold, are the sponge's. Registered: no message word is
  // accepted in between. A message that has ended by itself before a `keep` took effect waits for
  // its end.
  logic drained_last_q, drained_hold_q;
  always_ff @(posedge clk_i) begin
    drained_last_q <= progress_i.last && level_o.drained && !keep_o.busy && !command_i.keep;
    drained_hold_q <= progress_i.hold && level_o.drained && !clear_i;
  end

  ////////////////////
  // State window   //
  ////////////////////

  logic out_valid, out_ready, out_end, part_open, engine_answers, unused_out_valid;
  logic [LevelWidth-1:0] digest_level;
  logic window_writes, window_valid, window_ready;
  word_op_e window_op;
  logic [PartAddrWidth-1:0] window_addr;
  logic [PartWidth-1:0] window_word;

  hf_keccak_regs_window #(
      .WordWidth(PartWidth)
  ) u_window (
      .clk_i,
      .rst_i,
      .request_i      (state_access_i),
      .request_write_i(regs_i.STATE.req_is_wr),
      .request_addr_i (regs_i.STATE.addr[7:2]),
      .request_word_i (written_i.word),
      .request_bytes_i(written_i.bytes),
      .settled_i      (pending_i.settled),
      .holds_i        (event_i.held),
      .holds_zero_i   (!progress_i.running),
      .held_i         (progress_i.held),
      .busy_o         (window_busy_o),
      .writes_o       (window_writes),
      .refused_o      (state_refused_o),
      .read_done_o    (state_read_done_o),
      .write_done_o   (state_write_done_o),
      .part_read_o    (window_part_read_o),
      .reply_i        (reply_i),
      .window_valid_o (window_valid),
      .window_ready_i (window_ready),
      .window_op_o    (window_op),
      .window_addr_o  (window_addr),
      .window_word_o  (window_word)
  );

  ////////////////////
  // Sponge, engine //
  ////////////////////

  // From the sponge; what becomes of it; to the engine.
  logic sponge_valid, sponge_taken, sponge_ready, op_valid, op_ready;
  word_op_e sponge_op, op;
  logic [AddrWidth-1:0] sponge_addr, op_addr, window_word_addr;
  logic [EngineWidth/8-1:0] sponge_bytes, op_bytes;
  logic [EngineWidth-1:0] sponge_word, op_word, window_whole_word, word, unused_out_word;
  logic [7:0] sponge_position, resume_position;

  if (EngineWidth > PartWidth) begin : gen_halves
    logic upper_q;  // the next half of output is the upper one
    logic upper;  // the half that is accessed
    always_ff @(posedge clk_i) begin
      if (progress_i.aborts || sponge_o.idle) upper_q <= 1'b0;
      else if (command_i.resume) begin
        upper_q <= regs_i.POSITION.squeezing.value && regs_i.POSITION.bytes.value[2];
      end else if (out_valid) upper_q <= !upper_q;
    end
    assign upper = sponge_o.held ? window_addr[0] : upper_q;

    assign window_word_addr = window_addr[PartAddrWidth-1:1];
    assign window_whole_word = window_addr[0] ? {window_word, PartWidth'(0)} :
        {PartWidth'(0), window_word};
    assign window_part_o = upper ? word[EngineWidth-1-:PartWidth] : word[PartWidth-1:0];
    assign sponge_taken = sponge_ready &&
        !(sponge_o.squeezing && sponge_op == WordRead && !upper_q);
    assign position_o = sponge_position | {5'd0, upper_q, 2'd0};
    always_comb begin
      resume_position = regs_i.POSITION.bytes.value;
      if (regs_i.POSITION.squeezing.value) resume_position[2] = 1'b0;
    end
  end else begin : gen_parts
    assign window_word_addr = window_addr;
    assign window_whole_word = window_word;
    assign window_part_o = word;
    assign sponge_taken = sponge_ready;
    assign position_o = sponge_position;
    assign resume_position = regs_i.POSITION.bytes.value;
  end

  hf_keccak_word_sponge #(
      .WordWidth(EngineWidth),
      .Holds    (1'b1)
  ) u_sponge (
      .clk_i,
      .rst_i             (progress_i.aborts),
      .function_code_i   (function_code_i),
      .hash_start_i      (command_i.start),
      .hash_stop_i       (1'b0),
      .hash_idle_o       (sponge_o.idle),
      .in_valid_i        (message_valid),
      .in_ready_o        (message_ready),
      .in_word_i         (message_word),
      .in_bytes_i        (message_bytes),
      .message_end_i     (drained_last_q),
      .tail_bits_i       (regs_i.TAIL.bits.value),
      .tail_byte_i       (regs_i.TAIL.last_byte.value),
      .hash_squeezing_o  (sponge_o.squeezing),
      .out_valid_o       (unused_out_valid),
      .out_ready_i       (out_ready),
      .out_end_i         (out_end),
      .out_word_o        (unused_out_word),
      .hash_hold_i       (drained_hold_q && !part_open),
      .hash_held_o       (sponge_o.held),
      .block_position_o  (sponge_position),
      .hash_resume_i     (command_i.resume),
      .resume_position_i (resume_position),
      .resume_squeezing_i(regs_i.POSITION.squeezing.value),
      .window_valid_i    (window_valid),
      .window_ready_o    (window_ready),
      .window_op_i       (window_op),
      .window_addr_i     (window_word_addr),
      .window_word_i     (window_whole_word),
      .op_valid_o        (sponge_valid),
      .op_ready_i        (sponge_taken),
      .op_o              (sponge_op),
      .op_addr_o         (sponge_addr),
      .op_bytes_o        (sponge_bytes),
      .op_word_o         (sponge_word),
      .word_i            (word)
  );

  if (Prefix) begin : gen_prefix
    hf_keccak_regs_prefix #(
        .WordWidth(EngineWidth)
    ) u_prefix (
        .clk_i,
        .rst_i,
        .clear_i        (clear_i),
        .abort_i        (progress_i.aborts),
        .function_code_i(function_code_i),
        .keep_i         (command_i.keep),
        .recall_i       (command_i.recall),
        .copy_o         (copy_o),
        .drained_i      (level_o.drained),
        .block_end_i    (position_o == '0),
        .keep_o         (keep_o),
        .sponge_valid_i (sponge_valid),
        .sponge_ready_o (sponge_ready),
        .sponge_op_i    (sponge_op),
        .sponge_addr_i  (sponge_addr),
        .sponge_bytes_i (sponge_bytes),
        .sponge_word_i  (sponge_word),
        .op_valid_o     (op_valid),
        .op_ready_i     (op_ready),
        .op_o           (op),
        .op_addr_o      (op_addr),
        .op_bytes_o     (op_bytes),
        .op_word_o      (op_word),
        .word_i         (word)
    );
  end else begin : gen_no_prefix
    assign copy_o = '0;
    assign keep_o = '0;
    assign op_valid = sponge_valid;
    assign sponge_ready = op_ready;
    assign op = sponge_op;
    assign op_addr = sponge_addr;
    assign op_bytes = sponge_bytes;
    assign op_word = sponge_word;
  end

  hf_keccak_regs_engine #(
      .Engine         (engine_legal(Engine) ? Engine : EngineIterative),
      .StateInBlockRam(StateInBlockRam),
      .WordWidth      (EngineWidth)
  ) u_engine (
      .clk_i,
      .rst_i     (progress_i.aborts),
      .op_valid_i(op_valid),
      .op_ready_o(op_ready),
      .op_i      (op),
      .op_addr_i (op_addr),
      .op_bytes_i(op_bytes),
      .op_word_i (op_word),
      .word_o    (word),
      .answered_o(engine_answers)
  );

  ////////////////////
  // Output         //
  ////////////////////

  // As the sponge's out_valid_o, of a word or a half of it, by a short path: while it squeezes, every
  // read is of output.
  assign out_valid = sponge_o.squeezing && engine_answers;

  hf_keccak_regs_digest #(
      .WordWidth  (PartWidth),
      .DigestWords(DigestWords),
      .Sampler    (Sampler)
  ) u_digest (
      .clk_i,
      .rst_i,
      .clear_i           (clear_i),
      .start_i           (command_i.start),
      .stop_i            (command_i.stop),
      .resume_i          (command_i.resume),
      .resume_squeezing_i(regs_i.POSITION.squeezing.value),
      .stop_waits_i      (pending_i.stop_waits),
      .window_writes_i   (window_writes),
      .begins_i          (event_i.begins),
      .squeezing_i       (progress_i.squeezing),
      .hold_i            (progress_i.hold),
      .abort_i           (progress_i.aborts),
      .held_i            (sponge_o.held),
      .length_i          (length_i),
      .sampling_i        (regs_i.CONFIG.sampling.value),
      .sampling_o        (sampling_o),
      .sampled_o         (sampled_o),
      .out_valid_i       (out_valid),
      .out_ready_o       (out_ready),
      .out_end_o         (out_end),
      .out_word_i        (window_part_o),
      .part_open_o       (part_open),
      .counted_o         (output_counted_o),
      .ends_o            (output_ends_o),
      .digest_o          (digest_o),
      .read_i            (digest_pop_i),
      .full_o            (level_o.digest_full),
      .filled_o          (level_o.digest_filled),
      .level_o           (digest_level)
  );
  assign level_o.digest_words = 8'(digest_level);

endmodule
