// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral without its bus (docs/integrate/regs.md): FIFOs, padding (FIPS 202,
// sections 5.1 and 6), squeezing, save and restore, errors and interrupts. `regs_i` and `regs_o`
// connect to a register block that is generated for each bus (rtl/regs/generated).
//
// Message bytes are added to the state at their place in hf_keccak_ring: a whole word a clock if
// both are aligned, otherwise a byte a clock. So a held hash consists of the state, the position in
// its block, the function and the remaining length. These are the registers that software reads and
// writes in phase held.
//
// Timing: with R words a block, R + (50 - R) + 28 clocks pass from the first word of a block to the
// first word of the next.
//
// Every hash begins with a state of zero: each end of a hash, and a reset, wipes the state.

module hf_keccak_regs
  import hf_keccak_pkg::*;
  import hf_keccak_csr_pkg::*;
#(
    // Depth of the message FIFO: 0 (none) or a power of two up to 128.
    parameter int unsigned MessageWords = 16,
    // Depth of the digest FIFO: a power of two up to 128; 1: a register.
    parameter int unsigned DigestWords  = 16,
    parameter bit          Stream       = 1'b1  // the AXI4-Stream input exists
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

  typedef enum logic [3:0] {
    StWipe,     // the ring and the engine are wiped
    StWiping,
    StIdle,
    StAbsorb,
    StTail,     // the message's last bits and the suffix: the byte in which they begin
    StTailNext, // and the byte after it
    StEnd,      // the pad's last 1, in the block's last word
    StTurn,     // the words after the rate are passed
    StPermute,
    StBegin,    // the output's length is loaded
    StSqueeze,
    StHeld,
    StSeek      // the ring advances to the position of the restored hash
  } state_e;

  state_e state_d, state_q;
  state_e after_d, after_q;  // the state that follows StPermute
  logic last_d, last_q;  // the message ends with the contents of the FIFO
  logic squeezing_d, squeezing_q;
  logic hold_d, hold_q;  // a hold is pending
  logic done_d, done_q;
  logic [1:0] offset_d, offset_q;  // bytes of the head's word that are filled

  ////////////////////
  // The function   //
  ////////////////////

  // These registers follow CONFIG and LENGTH by a clock; both are stable long before they are used.
  logic known_q;
  logic no_length_q;  // neither the function nor LENGTH gives an output length
  logic [5:0] rate_words_q;
  logic [4:0] suffix_q;
  logic [2:0] suffix_len_q;
  logic [4:0] digest_words_q;
  logic [31:0] known_functions;
  function_info_t info;
  assign info = function_info(FunctionWidth'(regs_i.CONFIG.function_code.value));
  for (genvar i = 0; i < 32; i++) begin : gen_known
    assign known_functions[i] = function_known(8'(i));
  end

  always_ff @(posedge clk_i) begin
    known_q        <= function_known(regs_i.CONFIG.function_code.value);
    rate_words_q   <= {info.rate_lanes, 1'b0};
    suffix_q       <= info.suffix;
    suffix_len_q   <= info.suffix_len;
    digest_words_q <= info.digest_words;
    no_length_q    <= info.digest_words == '0 && regs_i.LENGTH.bits.value == '0;
  end

  ////////////////////
  // Phases         //
  ////////////////////

  phase_e_e phase;
  always_comb begin
    unique case (state_q)
      StIdle: phase = phase_e__idle;
      StHeld: phase = phase_e__held;
      StWipe, StWiping, StSeek: phase = phase_e__change;
      default:
      phase = squeezing_q ? phase_e__squeeze : last_q ? phase_e__finish : phase_e__absorb;
    endcase
  end

  ////////////////////
  // Commands       //
  ////////////////////

  typedef struct packed {
    logic resume;
    logic hold;
    logic stop;
    logic last;
    logic start;
  } command_t;

  command_t written, asked, wait_q, command;
  logic clear, in_change, several, allowed, waits;
  logic start, last, stop, hold, resume;  // the command takes effect in this clock
  logic bad_command, bad_function, bad_position, no_length;
  logic position_ok;

  assign written.start = regs_i.COMMAND.start.value;
  assign written.last = regs_i.COMMAND.last.value;
  assign written.stop = regs_i.COMMAND.stop.value;
  assign written.hold = regs_i.COMMAND.hold.value;
  assign written.resume = regs_i.COMMAND.resume.value;
  assign clear = regs_i.COMMAND.clear.value;
  assign in_change = phase == phase_e__change;
  always_comb begin
    several = 1'b0;
    for (int unsigned i = 0; i < $bits(command_t); i++) begin
      several |= written[i] && (written & ~(command_t'(1) << i)) != '0;
    end
  end
  assign asked = several ? '0 : written;

  // A written command waits until a change has ended. Then one command a clock takes effect, in the
  // order from the struct's last field to its first.
  assign waits = wait_q != '0;
  always_comb begin
    command = '0;
    if (wait_q.start) command.start = 1'b1;
    else if (wait_q.last) command.last = 1'b1;
    else if (wait_q.stop) command.stop = 1'b1;
    else if (wait_q.hold) command.hold = 1'b1;
    else command.resume = wait_q.resume;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear) wait_q <= '0;
    else wait_q <= (in_change ? wait_q : wait_q & ~command) | asked;
  end

  always_comb begin
    allowed = 1'b0;
    unique case (phase)
      phase_e__idle:    allowed = command.start || command.hold || command.stop;
      phase_e__absorb:  allowed = (command.last || command.hold) && !hold_q;
      phase_e__finish:  allowed = command.hold && !hold_q;
      phase_e__squeeze: allowed = (command.stop || command.hold) && !hold_q;
      phase_e__held:    allowed = command.resume;
      default:          allowed = 1'b0;
    endcase
    if (in_change || clear) allowed = 1'b0;
  end

  assign position_ok = regs_i.POSITION.bytes.value < {rate_words_q, 2'b00} &&
      !(regs_i.POSITION.squeezing.value && regs_i.POSITION.bytes.value[1:0] != '0);
  assign start  = allowed && command.start && known_q;
  assign last   = allowed && command.last && !no_length_q;
  assign stop   = allowed && command.stop;
  assign hold   = allowed && command.hold;
  assign resume = allowed && command.resume && known_q && position_ok;
  assign bad_function = allowed && (command.start || command.resume) && !known_q;
  assign bad_position = allowed && command.resume && known_q && !position_ok;
  // If a message that tlast has ended has no length, it does not wait for one: its output has no
  // bits.
  assign no_length = no_length_q && ((allowed && command.last) || state_q == StBegin);
  assign bad_command = !clear &&
      (several || (asked & wait_q) != '0 || (waits && !in_change && !allowed));

  ////////////////////
  // Message        //
  ////////////////////

  // A write on the bus, or a beat of the stream, goes to the message FIFO or to a word of the
  // state. A write is checked when the command before it has taken effect.
  logic [31:0] in_data_q;
  logic [3:0] in_strobe_q;
  logic beat_q, beat;  // in_data_q holds a beat
  logic write_q, write_ok;  // a write to MESSAGE is pending; it is legal
  logic in_valid, in_move;  // in_data_q is for the message; it moves on in this clock
  logic settled, message_req, message_open, from_stream, message_lost, message_done;
  logic [31:0] bus_data, bus_bits;

  logic next_valid, next_take;  // the FIFO's output
  logic [31:0] next_data;
  logic [3:0] next_strobe;
  logic head_valid_q, head_take;  // the word that is absorbed, in registers
  logic [31:0] head_data_q;
  // Its bytes that are still to be absorbed; the one absorbed in this clock.
  logic [3:0] left_q, taken;
  logic [7:0] message_free;
  logic drained;  // no message word is on its way

  assign settled = !in_change && !waits && !clear;
  assign message_open = phase == phase_e__absorb && !hold_q && !clear;
  assign write_ok = write_q && settled && message_open && !from_stream;
  assign message_lost = write_q && settled && !(message_open && !from_stream);
  assign message_done = message_lost || (write_ok && in_move);
  assign in_valid = beat_q || write_ok;
  assign message_req = regs_i.MESSAGE.req ||
      (regs_i.MESSAGE_WINDOW.req && regs_i.MESSAGE_WINDOW.req_is_wr);
  assign bus_data = regs_i.STATE.req ? regs_i.STATE.wr_data :
      regs_i.MESSAGE_WINDOW.req ? regs_i.MESSAGE_WINDOW.wr_data : regs_i.MESSAGE.wr_data;
  assign bus_bits = regs_i.STATE.req ? regs_i.STATE.wr_biten :
      regs_i.MESSAGE_WINDOW.req ? regs_i.MESSAGE_WINDOW.wr_biten : regs_i.MESSAGE.wr_biten;

  if (Stream) begin : gen_stream
    assign from_stream = regs_i.CONFIG.stream.value;
    assign s_tready_o = from_stream && message_open && !last_q && (!beat_q || in_move);
  end else begin : gen_no_stream
    assign from_stream   = 1'b0;
    assign s_tready_o = 1'b0;
  end
  assign beat = s_tvalid_i && s_tready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) write_q <= 1'b0;
    else write_q <= message_req || (write_q && !message_done);
    if (rst_i || clear) beat_q <= 1'b0;
    else beat_q <= beat || (beat_q && !in_move);

    if (beat) begin
      in_data_q   <= s_tdata_i;
      in_strobe_q <= s_tkeep_i;
    end else if ((message_req || regs_i.STATE.req) && !beat_q) begin
      in_data_q <= bus_data;
      for (int unsigned b = 0; b < 4; b++) in_strobe_q[b] <= bus_bits[8*b];
    end
  end

  if (MessageWords == 0) begin : gen_no_fifo
    assign next_valid = in_valid;
    assign {next_strobe, next_data} = {in_strobe_q, in_data_q};
    assign in_move = in_valid && next_take;
    assign message_free = '0;
    assign drained = !in_valid && !head_valid_q;
  end else begin : gen_fifo
    localparam int unsigned LevelWidth = $clog2(MessageWords + 1);
    logic full;
    logic [LevelWidth-1:0] level;
    hf_fifo #(
        .Width(36),
        .Depth(($countones(MessageWords) == 1 && MessageWords <= 128) ? MessageWords : 16)
    ) u_fifo (
        .clk_i,
        .clear_i(rst_i || clear),
        .write_i(in_valid),
        .data_i ({in_strobe_q, in_data_q}),
        .full_o (full),
        .valid_o(next_valid),
        .data_o ({next_strobe, next_data}),
        .read_i (next_take),
        .level_o(level)
    );
    assign in_move = in_valid && !full;
    assign message_free = 8'(MessageWords) - 8'(level);
    assign drained = !in_valid && !next_valid && !head_valid_q;
  end

  assign next_take = !head_valid_q || head_take;
  always_ff @(posedge clk_i) begin
    if (rst_i || clear) head_valid_q <= 1'b0;
    else head_valid_q <= (next_valid && next_take) || (head_valid_q && !head_take);
    if (next_take) {left_q, head_data_q} <= {next_strobe, next_data};
    else left_q <= left_q & ~taken;
  end

  // The lowest byte of the head that is not yet absorbed.
  logic [3:0] lowest;
  logic [7:0] next_byte;
  logic whole, only_one;
  always_comb begin
    lowest = left_q & (~left_q + 4'd1);
    next_byte = '0;
    for (int unsigned b = 0; b < 4; b++) next_byte |= head_data_q[8*b+:8] & {8{lowest[b]}};
  end
  assign whole = left_q == 4'b1111 && offset_q == 2'd0;
  assign only_one = (left_q & ~lowest) == '0;

  // The end of the message: its last bits, the suffix and the first 1 of the pad.
  logic [12:0] tail;
  logic [7:0] tail_mask;
  logic tail_full;  // the byte in which they begin becomes full
  assign tail_mask = ~(8'hff << regs_i.TAIL.bits.value);
  assign tail = 13'(regs_i.TAIL.last_byte.value & tail_mask) |
      (13'(suffix_q) << regs_i.TAIL.bits.value);
  assign tail_full = {1'b0, regs_i.TAIL.bits.value} + {1'b0, suffix_len_q} >= 4'd8;

  ////////////////////
  // State          //
  ////////////////////

  logic [5:0] at;
  logic [31:0] word, add;
  logic [3:0] clear_bytes;
  logic step, change, permute, permuted, wipe, ring_ready;

  hf_keccak_ring u_ring (
      .clk_i,
      .rst_i,
      .at_o     (at),
      .word_o   (word),
      .step_i   (step),
      .change_i (change),
      .clear_i  (clear_bytes),
      .add_i    (add),
      .permute_i(permute),
      .done_o   (permuted),
      .wipe_i   (wipe),
      .ready_o  (ring_ready)
  );

  logic full, at_last;
  assign full = at == rate_words_q;
  assign at_last = at + 6'd1 == rate_words_q;

  // The state window: an access waits until its word is at the head of the ring.
  logic state_wait_q, state_write_q, state_here;
  logic [5:0] state_addr_q;
  assign state_here = state_wait_q && state_q == StHeld && !waits && at == state_addr_q;

  // One byte is added at the place of the message's next byte.
  logic add_byte, add_word;
  logic [7:0] byte_added;
  logic [31:0] word_added;
  always_comb begin
    add = word_added & {32{add_word}};
    for (int unsigned b = 0; b < 4; b++) begin
      if (offset_q == 2'(b)) add[8*b+:8] = add[8*b+:8] | (byte_added & {8{add_byte}});
    end
  end
  assign change = add_byte || add_word;

  logic push;
  logic digest_full;
  logic room_event, held_event, done_event;

  always_comb begin
    state_d = state_q;
    after_d = after_q;
    last_d = last_q || last || (beat && s_tlast_i && !regs_i.CONFIG.packets.value);
    squeezing_d = squeezing_q;
    hold_d = hold_q || hold;
    done_d = done_q;
    offset_d = offset_q;
    taken = '0;
    head_take = 1'b0;
    step = 1'b0;
    add_byte = 1'b0;
    add_word = 1'b0;
    byte_added = next_byte;
    word_added = head_data_q;
    clear_bytes = '0;
    permute = 1'b0;
    wipe = 1'b0;
    push = 1'b0;
    held_event = 1'b0;
    done_event = 1'b0;

    unique case (state_q)
      StWipe: begin
        wipe = 1'b1;
        last_d = 1'b0;
        squeezing_d = 1'b0;
        hold_d = 1'b0;
        offset_d = '0;
        state_d = StWiping;
      end
      StWiping: if (ring_ready) state_d = StIdle;
      StIdle: begin
        if (start) state_d = StAbsorb;
        if (hold) begin
          squeezing_d = done_q;
          state_d = StHeld;
        end
        if (start || stop) done_d = 1'b0;
      end

      StAbsorb:
      if (full) begin
        state_d = StTurn;
        after_d = StAbsorb;
      end else if (head_valid_q && whole) begin
        add_word = 1'b1;
        step = 1'b1;
        head_take = 1'b1;
      end else if (head_valid_q) begin
        add_byte = left_q != '0;
        step = add_byte && offset_q == 2'd3;
        offset_d = offset_q + 2'(add_byte);
        taken = lowest;
        head_take = only_one;
      end else if (drained) begin
        if (last_q) state_d = StTail;
        else if (hold_q) state_d = StHeld;
      end

      StTail: begin
        add_byte = 1'b1;
        byte_added = tail[7:0];
        if (tail_full) begin
          offset_d = offset_q + 2'd1;
          step = offset_q == 2'd3;
        end
        state_d = tail_full ? StTailNext : StEnd;
      end
      StTailNext:
      if (full) begin
        state_d = StTurn;
        after_d = StTailNext;
      end else begin
        add_byte = 1'b1;
        byte_added = 8'(tail[12:8]);
        state_d = StEnd;
      end
      StEnd: begin
        offset_d = '0;
        step = 1'b1;
        word_added = 32'h80000000;
        if (at_last) begin
          add_word = 1'b1;
          state_d = StTurn;
          after_d = StBegin;
        end
      end

      StTurn:
      if (at == '0) state_d = StPermute;
      else step = 1'b1;
      StPermute: begin
        permute = 1'b1;
        if (permuted) state_d = after_q;
      end

      StBegin: begin
        squeezing_d = 1'b1;
        state_d = StSqueeze;
      end
      StSqueeze:
      if (regs_i.LENGTH.bits.value == '0) begin
        if (hold_d) state_d = StHeld;
        else begin
          done_event = 1'b1;
          done_d = 1'b1;
          state_d = StWipe;
        end
      end else if (full) begin
        state_d = StTurn;
        after_d = StSqueeze;
      end else if (hold_q) state_d = StHeld;
      else if (!digest_full) begin
        push = 1'b1;
        step = 1'b1;
      end

      StHeld: begin
        hold_d = 1'b0;
        word_added = in_data_q;
        for (int unsigned b = 0; b < 4; b++) begin
          if (!in_strobe_q[b]) word_added[8*b+:8] = '0;
        end
        clear_bytes = in_strobe_q;
        add_word = state_here && state_write_q;
        if (state_wait_q && !waits) step = 1'b1;
        if (resume) begin
          squeezing_d = regs_i.POSITION.squeezing.value;
          last_d = regs_i.POSITION.squeezing.value;
          done_d = 1'b0;
          offset_d = regs_i.POSITION.bytes.value[1:0];
          state_d = StSeek;
        end
      end
      StSeek:
      if (at == regs_i.POSITION.bytes.value[7:2]) state_d = squeezing_q ? StSqueeze : StAbsorb;
      else step = 1'b1;
      default: state_d = StWipe;
    endcase

    if (stop && state_q != StIdle) begin
      state_d = StWipe;
      done_d = 1'b0;
      done_event = 1'b0;
    end
    if (clear) begin
      state_d = StWipe;
      done_d  = 1'b0;
    end
    if (state_d == StHeld && state_q != StHeld) held_event = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= StWipe;
      done_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      done_q  <= done_d;
    end
    after_q     <= after_d;
    last_q      <= last_d;
    squeezing_q <= squeezing_d;
    hold_q      <= hold_d;
    offset_q    <= offset_d;
  end

  ////////////////////
  // Digest         //
  ////////////////////

  logic fixed, open, ends;
  logic [31:0] digest_word, digest_head;
  logic digest_valid, digest_read, digest_flush;
  logic [DigestLevel-1:0] digest_level;
  assign fixed = digest_words_q != '0;
  assign open = &regs_i.LENGTH.bits.value;
  assign ends = regs_i.LENGTH.bits.value[31:5] == '0;  // no further word is whole
  assign digest_word = word & ~({32{ends}} & (32'hffffffff << regs_i.LENGTH.bits.value[4:0]));
  // A resumed message has no output yet: words in the FIFO belong to another hash.
  assign digest_flush = clear || stop || start || (state_here && state_write_q) ||
      (resume && !regs_i.POSITION.squeezing.value);

  hf_fifo #(
      .Width(32),
      .Depth(($countones(DigestWords) == 1 && DigestWords <= 128) ? DigestWords : 16)
  ) u_digest (
      .clk_i,
      .clear_i(rst_i || digest_flush),
      .write_i(push),
      .data_i (digest_word),
      .full_o (digest_full),
      .valid_o(digest_valid),
      .data_o (digest_head),
      .read_i (digest_read),
      .level_o(digest_level)
  );

  ////////////////////
  // The bus        //
  ////////////////////

  // A reply with data is registered, so that it does not include the delay of the state's
  // multiplexer.
  logic digest_wait_q, digest_coming, digest_none;
  logic digest_ack_q, state_ack_q, state_written_q, state_refused;
  logic [31:0] reply_q;

  // The windows get requests in both directions and support one each. A write without a byte
  // enable, which a bus-width converter may produce, is ignored.
  logic digest_req, bad_read, bad_write, bad_access;
  assign digest_req = regs_i.DIGEST.req ||
      (regs_i.DIGEST_WINDOW.req && !regs_i.DIGEST_WINDOW.req_is_wr);
  assign bad_read = regs_i.MESSAGE_WINDOW.req && !regs_i.MESSAGE_WINDOW.req_is_wr;
  assign bad_write = regs_i.DIGEST_WINDOW.req && regs_i.DIGEST_WINDOW.req_is_wr;
  assign bad_access = bad_access_i || bad_read ||
      (bad_write && regs_i.DIGEST_WINDOW.wr_biten != '0);

  // A word is in the FIFO or on its way; otherwise there is none. A pending hold keeps the word in
  // the FIFO.
  assign digest_coming = !hold_q && (phase == phase_e__squeeze || phase == phase_e__finish);
  assign digest_read = digest_wait_q && digest_valid && !waits;
  assign digest_none = digest_wait_q && !digest_valid && !digest_coming && settled;
  assign state_refused = state_wait_q && state_q != StHeld && settled;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      digest_wait_q <= 1'b0;
      state_wait_q  <= 1'b0;
      digest_ack_q  <= 1'b0;
      state_ack_q   <= 1'b0;
    end else begin
      digest_wait_q <= digest_req || (digest_wait_q && !digest_read && !digest_none);
      state_wait_q  <= regs_i.STATE.req || (state_wait_q && !state_here && !state_refused);
      digest_ack_q  <= digest_read || digest_none;
      state_ack_q   <= state_here || state_refused;
    end
    if (regs_i.STATE.req) begin
      state_addr_q  <= regs_i.STATE.addr[7:2];
      state_write_q <= regs_i.STATE.req_is_wr;
    end
    state_written_q <= state_write_q;
    reply_q <= digest_read ? digest_head : state_here ? word : '0;
  end

  // Write access to registers by phase. The registers are not used while the state is wiped, so
  // software may write those of the next hash without waiting. A command immediately before a write
  // counts.
  command_t under_way;
  logic closing, ending, config_open, length_open, position_open, config_lost;
  logic length_written_q, length_clear;
  assign under_way = written | wait_q;
  assign closing = under_way.start || under_way.last || under_way.resume;
  assign ending = clear || (under_way.stop && !hold_q &&
      (phase == phase_e__idle || phase == phase_e__squeeze));
  assign config_open = !closing && (phase == phase_e__idle || phase == phase_e__held ||
      state_q == StWipe || state_q == StWiping || ending);
  assign length_open = config_open || (!closing && phase == phase_e__absorb);
  assign position_open = !closing && phase == phase_e__held;
  assign config_lost =
      ((regs_i.CONFIG.function_code.swmod || regs_i.CONFIG.stream.swmod ||
        regs_i.CONFIG.packets.swmod) && !config_open) ||
      ((regs_i.LENGTH.bits.swmod || regs_i.TAIL.bits.swmod || regs_i.TAIL.last_byte.swmod) &&
       !length_open) ||
      ((regs_i.POSITION.bytes.swmod || regs_i.POSITION.squeezing.swmod) && !position_open);

  // LENGTH and TAIL belong to one hash: its end sets them to 0. A write right after the command
  // that ends the hash belongs to the next one. (`stop` takes effect a clock after it opens the
  // registers.)
  always_ff @(posedge clk_i) length_written_q <= regs_i.LENGTH.bits.swmod && length_open;
  assign length_clear = clear || (stop && state_q != StIdle && !length_written_q);

  logic busy, any_error, new_error, idle_message, idle_message_q, digest_fills;
  always_comb begin
    unique case (state_q)
      StIdle, StHeld: busy = state_wait_q;
      StAbsorb: busy = !idle_message;
      StSqueeze: busy = !digest_full;
      default: busy = 1'b1;
    endcase
  end
  assign idle_message = state_q == StAbsorb && drained && !full && !last_q && !hold_q;
  assign room_event = idle_message && !idle_message_q;
  assign digest_fills = push && digest_level == DigestLevel'(DigestWords - 1);
  always_ff @(posedge clk_i) idle_message_q <= idle_message && !rst_i;

  assign any_error = regs_i.ERROR.bad_command.value || regs_i.ERROR.bad_function.value ||
      regs_i.ERROR.bad_position.value || regs_i.ERROR.message_write.value ||
      regs_i.ERROR.digest_read.value || regs_i.ERROR.state_access.value ||
      regs_i.ERROR.config_write.value || regs_i.ERROR.bad_access.value ||
      regs_i.ERROR.no_length.value;
  assign new_error = bad_command || bad_function || bad_position || message_lost || digest_none ||
      state_refused || config_lost || bad_access || no_length;

  always_comb begin
    regs_o.CAPS.message_words.next = 8'(MessageWords);
    regs_o.CAPS.digest_words.next = 8'(DigestWords);
    regs_o.CAPS.stream.next = Stream;
    regs_o.FUNCTIONS.mask.next = known_functions;

    regs_o.CONFIG.function_code.swwe = config_open;
    regs_o.CONFIG.stream.swwe = config_open && Stream;
    regs_o.CONFIG.packets.swwe = config_open && Stream;
    regs_o.LENGTH.bits.swwe = length_open;
    regs_o.TAIL.bits.swwe = length_open;
    regs_o.TAIL.last_byte.swwe = length_open;
    regs_o.POSITION.bytes.swwe = position_open;
    regs_o.POSITION.squeezing.swwe = position_open;

    regs_o.TAIL.bits.hwclr = clear || state_q == StEnd;
    regs_o.TAIL.last_byte.hwclr = clear || state_q == StEnd;
    regs_o.LENGTH.bits.we =
        length_clear || (state_q == StBegin && fixed) || (push && !open && !stop);
    regs_o.LENGTH.bits.next = (state_q == StBegin && !length_clear) ?
        32'({digest_words_q, 5'd0}) : (ends || length_clear) ? '0 :
        {regs_i.LENGTH.bits.value[31:5] - 27'd1, regs_i.LENGTH.bits.value[4:0]};
    regs_o.POSITION.bytes.we = held_event;
    regs_o.POSITION.bytes.next = full ? '0 : {at, offset_q};
    regs_o.POSITION.squeezing.we = held_event;
    regs_o.POSITION.squeezing.next = squeezing_d;

    regs_o.STATUS.phase.next = (under_way != '0 || clear) ? phase_e__change : phase;
    regs_o.STATUS.busy.next = busy || under_way != '0 || clear;
    regs_o.STATUS.done.next = done_q;
    regs_o.STATUS.error.next = any_error;
    regs_o.STATUS.message_free.next = message_free;
    regs_o.STATUS.digest_words.next = 8'(digest_level);

    regs_o.ERROR.bad_command.hwset = bad_command;
    regs_o.ERROR.bad_function.hwset = bad_function;
    regs_o.ERROR.bad_position.hwset = bad_position;
    regs_o.ERROR.message_write.hwset = message_lost;
    regs_o.ERROR.digest_read.hwset = digest_none;
    regs_o.ERROR.state_access.hwset = state_refused;
    regs_o.ERROR.config_write.hwset = config_lost;
    regs_o.ERROR.bad_access.hwset = bad_access;
    regs_o.ERROR.no_length.hwset = no_length;

    regs_o.INTR_STATE.done.hwset = done_event || regs_i.INTR_TEST.done.value;
    regs_o.INTR_STATE.digest.hwset = digest_fills || done_event || regs_i.INTR_TEST.digest.value;
    regs_o.INTR_STATE.room.hwset = room_event || regs_i.INTR_TEST.room.value;
    regs_o.INTR_STATE.held.hwset = held_event || regs_i.INTR_TEST.held.value;
    regs_o.INTR_STATE.error.hwset = new_error || regs_i.INTR_TEST.error.value;

    regs_o.MESSAGE.wr_ack = message_done;
    regs_o.MESSAGE_WINDOW.wr_ack = message_done;
    regs_o.MESSAGE_WINDOW.rd_ack = bad_read;
    regs_o.MESSAGE_WINDOW.rd_data = '0;
    regs_o.DIGEST.rd_ack = digest_ack_q;
    regs_o.DIGEST.rd_data.data = reply_q;
    regs_o.DIGEST_WINDOW.wr_ack = bad_write;
    regs_o.DIGEST_WINDOW.rd_ack = digest_ack_q;
    regs_o.DIGEST_WINDOW.rd_data = reply_q;
    regs_o.STATE.rd_ack = state_ack_q && !state_written_q;
    regs_o.STATE.wr_ack = state_ack_q && state_written_q;
    regs_o.STATE.rd_data = reply_q;
  end

  // Not registered: software that has cleared the cause must not see the interrupt again.
  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.digest.value && regs_i.INTR_ENABLE.digest.value) ||
      (regs_i.INTR_STATE.room.value && regs_i.INTR_ENABLE.room.value) ||
      (regs_i.INTR_STATE.held.value && regs_i.INTR_ENABLE.held.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value);

`ifndef HF_NO_PARAMETER_CHECKS
  if ($countones(MessageWords) > 1 || MessageWords > 128) begin : gen_bad_message
    $fatal(1, "hf_keccak_regs: MessageWords is 0 or a power of two up to 128, not %0d",
           MessageWords);
  end
  if ($countones(DigestWords) != 1 || DigestWords > 128) begin : gen_bad_digest
    $fatal(1, "hf_keccak_regs: DigestWords is a power of two up to 128, not %0d", DigestWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
