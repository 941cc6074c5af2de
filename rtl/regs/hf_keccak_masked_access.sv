// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the registers of the masked Keccak peripheral do (docs/integrate/masked.md), in front of a
// stream core whose ports are in two shares: hf_keccak_masked_regs has both. No access waits.
//
// Each share of the message and of the digest has a FIFO of its own, so that software may move many
// words of one share before those of the other: no register of the processor or of the bus changes
// from one share of a word to the other. A word that is written goes to a register of its share, and
// one that is read as well; these are zero in all other clocks. So no gate here has both shares of a
// word at its inputs; at the core's ports they are side by side.
//
// The message's newest word is held back until the next one, `last` or `save` comes: `last` has the
// number of its bytes.
//
// The state passes the same FIFOs (hf_keccak_masked_states): `save` absorbs all words that were
// written, and puts the state's words into those of the digest; after `restore` the first words of a
// message are the state in which it begins.

module hf_keccak_masked_access
  import hf_keccak_masked_csr_pkg::*;
  import hf_keccak_pkg::function_known;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter int unsigned FifoWords = 16,  // of a share: a power of two, 2 to 128
    parameter bit          States = 1'b1,   // the core has a window to the state
    // Legal values in place of illegal parameters: the module elaborates, and the check below
    // fails.
    localparam int unsigned Words = width_legal(FifoWords, 2, 128) ? FifoWords : 16
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  hf_keccak_masked_regs__out_t regs_i,
    output hf_keccak_masked_regs__in_t  regs_o,
    // An access to an unmapped address or with an illegal direction.
    input  logic                        bad_access_i,

    // To and from a stream core with words of 32 bits, share i in bits 32 * i and up.
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [          1:0][31:0] m_tdata_o,
    output logic [          3:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [UserWidth-1:0] m_tuser_o,
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [          1:0][31:0] s_tdata_i,
    input  logic                 s_word_i,     // the beat has a word
    input  logic                 s_tlast_i,
    input  logic                 s_error_i,    // the core does not have the function
    output logic                 stop_o,
    input  logic                 ready_i,
    output logic                 seed_valid_o,
    output logic [         79:0] seed_key_o,

    // The core's window, as in hf_keccak_word_window.
    output logic                 window_valid_o,
    input  logic                 window_ready_i,
    output word_op_e             window_op_o,
    output logic [          5:0] window_addr_o,
    output logic [1:0][31:0] window_word_o,
    input  logic [1:0][31:0] window_word_i,

    output logic irq_o
);

  localparam int unsigned LevelWidth = $clog2(Words + 1);
  typedef logic [LevelWidth-1:0] level_t;
  localparam level_t One = level_t'(1);

  ////////////////////
  // Requests       //
  ////////////////////

  // Of the requests one at most comes in a clock. They answer in the next one.
  logic [1:0] message_request, digest_request, message_write, digest_read;
  logic [1:0] message_read, digest_write;
  logic command_write, seed_write, part, none;  // a part of a word is written; no byte is
  logic [31:0] word;  // that is written
  logic refused;  // the access has no effect

  assign message_request = {regs_i.MESSAGE_1.req, regs_i.MESSAGE_0.req};
  assign message_write = message_request & {regs_i.MESSAGE_1.req_is_wr, regs_i.MESSAGE_0.req_is_wr};
  assign message_read = message_request & ~message_write;
  assign digest_request = {regs_i.DIGEST_1.req, regs_i.DIGEST_0.req};
  assign digest_write = digest_request & {regs_i.DIGEST_1.req_is_wr, regs_i.DIGEST_0.req_is_wr};
  assign digest_read = digest_request & ~digest_write;
  assign command_write = regs_i.COMMAND.req && regs_i.COMMAND.req_is_wr;
  assign seed_write = regs_i.SEED.req && regs_i.SEED.req_is_wr;
  assign word = regs_i.MESSAGE_0.wr_data;
  // A write without a byte, which a bus-width converter may produce, is ignored.
  assign none = regs_i.MESSAGE_0.wr_biten == '0;
  assign part = !(&regs_i.MESSAGE_0.wr_biten);

  ////////////////////
  // Commands       //
  ////////////////////

  logic busy_q;  // a message, up to the end of its output
  logic begun_q;  // a beat of it has left the FIFO
  logic ended_q;  // `last`, or `clear`
  logic sent_q;  // its last beat has left the FIFO
  logic discard_q;  // its output is not read any more
  logic clearing_q;  // and neither message nor output counts
  logic [2:0] bytes_q, bits_q;  // of its last word, of its last byte
  logic [7:0] code_q;

  logic saving, restoring, reading, wipe_due;  // as in hf_keccak_masked_states

  logic last, stop, clear, save, restore, last_legal, stop_legal, save_legal, restore_legal;
  logic bad_command, begins, finishes, idle;
  logic [2:0] last_bytes, last_bits;
  logic [1:0] message_accepted;
  level_t [1:0] message_level;
  logic empty;  // no word of the message is in the FIFOs: none was written, or all are saved

  assign last = command_write && !part && word[4:0] == 5'b00001;
  assign stop = command_write && !part && word[4:0] == 5'b00010;
  assign clear = command_write && !part && word[4:0] == 5'b00100;
  assign save = command_write && !part && word[4:0] == 5'b01000;
  assign restore = command_write && !part && word[4:0] == 5'b10000;
  assign last_bits = word[10:8];
  assign last_bytes = word[14:12];
  assign empty = message_level[0] == '0;
  assign idle = !busy_q && !wipe_due && !reading;
  assign last_legal = last && !ended_q && !saving && !restoring &&
      message_level[0] == message_level[1] &&
      last_bytes <= 3'd4 && !(empty && (last_bytes != '0 || last_bits != '0));
  assign stop_legal = stop && ended_q;
  // Of an unknown function no word is absorbed: what could be read is masks of zeros.
  assign save_legal = States && save && busy_q && !ended_q && !saving && !restoring && !reading &&
      message_level[0] == message_level[1] && function_known(code_q);
  assign restore_legal = States && restore && idle;
  assign bad_command = command_write && !none &&
      !(last_legal || stop_legal || clear || save_legal || restore_legal);
  assign begins = !busy_q && (last_legal || restore_legal || (|message_accepted));

  ////////////////////
  // Message        //
  ////////////////////

  logic [1:0] message_full, message_valid;
  logic [1:0][31:0] message_word;
  logic message_take, last_beat, beat_valid_q, beat_last_q, beat_leaves, move, drop;
  logic beat_of_state_q;  // it is a word of the state
  logic move_state;
  logic ready_q;  // ready_i, registered, for short paths
  logic [3:0] last_keep, beat_keep_q;
  logic [1:0][31:0] beat_q;
  logic [2:0] beat_bits_q;

  assign message_accepted = message_write & ~message_full & {2{!part && !ended_q && !saving}};
  // A message of which no beat has left is gone at once.
  assign drop = clear && !begun_q && !move;

  for (genvar s = 0; s < 2; s++) begin : gen_message
    // The FIFO is written a clock after the bus, whose next access comes later.
    logic write_q;
    logic [31:0] word_q;
    always_ff @(posedge clk_i) begin
      write_q <= message_accepted[s] && !rst_i;
      if (message_accepted[s]) word_q <= word;
      else word_q <= '0;
    end
    hf_fifo #(
        .Width(32),
        .Depth(Words)
    ) u_fifo (
        .clk_i,
        .clear_i(rst_i || clear),
        .write_i(write_q),
        .data_i (word_q),
        .full_o (message_full[s]),
        .valid_o(message_valid[s]),
        .data_o (message_word[s]),
        .read_i (message_take),
        .level_o(message_level[s])
    );
    // Zero in an empty last beat, which takes no word.
    always_ff @(posedge clk_i) begin
      if (rst_i || (beat_leaves && !move && !move_state) || (move && empty)) beat_q[s] <= '0;
      else if (move || move_state) beat_q[s] <= message_word[s];
    end
  end

  // After `clear` it is an empty one. With bits of a `last` before, the core calls it an error.
  assign last_beat = ended_q && message_level[0] <= One;
  // The first beat waits for the core, so that `clear` of a message that cannot begin ends at once.
  assign move = (!beat_valid_q || (m_tready_i && !beat_of_state_q)) && busy_q && !sent_q &&
      !restoring && !wipe_due && (begun_q || ready_q) &&
      (last_beat || (message_level[0] > One && message_level[1] > One) ||
       (saving && (&message_valid)));
  assign message_take = (move && !empty) || move_state;
  assign beat_leaves = beat_of_state_q ? window_ready_i : m_tready_i;
  always_comb begin
    unique case (bytes_q)
      3'd1:    last_keep = 4'b0001;
      3'd2:    last_keep = 4'b0011;
      3'd3:    last_keep = 4'b0111;
      default: last_keep = 4'b1111;
    endcase
    if (empty) last_keep = '0;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else if (move || move_state) beat_valid_q <= 1'b1;
    else if (beat_leaves) beat_valid_q <= 1'b0;
    ready_q <= ready_i && !rst_i;
    if (rst_i || move) beat_of_state_q <= 1'b0;
    else if (move_state) beat_of_state_q <= 1'b1;
    if (move) begin
      beat_last_q <= last_beat;
      beat_keep_q <= last_beat ? last_keep : '1;
      beat_bits_q <= last_beat ? bits_q : '0;
    end
  end

  user_t user;
  always_comb begin
    user        = '0;
    user.code   = code_q;
    user.bits   = beat_bits_q;
    user.length = '1;  // functions without a length of their own run until they are stopped
  end
  assign m_tvalid_o = beat_valid_q && !beat_of_state_q;
  assign m_tdata_o  = beat_q;
  assign m_tkeep_o  = beat_keep_q;
  assign m_tlast_o  = beat_last_q;
  assign m_tuser_o  = user;

  ////////////////////
  // Output         //
  ////////////////////

  logic [1:0] digest_full, digest_valid;
  logic [1:0][31:0] digest_word, reply_q;
  level_t [1:0] digest_level;
  logic output_accepted, word_accepted, digest_clear;
  logic state_word_read, state_word_write;  // as in hf_keccak_masked_states

  assign s_tready_o = discard_q || digest_full == '0;
  assign output_accepted = s_tvalid_i && s_tready_o;
  assign digest_clear = rst_i || begins || stop_legal || clear;
  assign word_accepted = output_accepted && s_word_i && !discard_q;
  for (genvar s = 0; s < 2; s++) begin : gen_digest
    logic [31:0] state_word_q;  // zero without one
    always_ff @(posedge clk_i) begin
      if (!rst_i && state_word_read) state_word_q <= window_word_i[s];
      else state_word_q <= '0;
    end
    hf_fifo #(
        .Width(32),
        .Depth(Words)
    ) u_fifo (
        .clk_i,
        .clear_i(digest_clear),
        .write_i(word_accepted || state_word_write),
        .data_i (state_word_write ? state_word_q : s_tdata_i[s]),
        .full_o (digest_full[s]),
        .valid_o(digest_valid[s]),
        .data_o (digest_word[s]),
        .read_i (digest_read[s]),
        .level_o(digest_level[s])
    );
    always_ff @(posedge clk_i) begin
      if (!rst_i && digest_read[s] && digest_valid[s]) reply_q[s] <= digest_word[s];
      else reply_q[s] <= '0;
    end
  end
  assign stop_o = discard_q;

  ////////////////////
  // The state      //
  ////////////////////

  if (States) begin : gen_states
    hf_keccak_masked_states u_states (
        .clk_i,
        .rst_i,
        .clear_i       (clear),
        .save_i        (save_legal),
        .restore_i     (restore_legal),
        .drop_i        (drop),
        .finishes_i    (finishes),
        .refused_i     (s_error_i),
        .words_none_i  (message_level == '0),
        .words_valid_i (&message_valid),
        .beat_valid_i  (beat_valid_q),
        .beat_state_i  (beat_of_state_q),
        .core_ready_i  (!begun_q || m_tready_i),
        .core_started_i(ready_q),
        .digest_full_i (digest_full != '0),
        .saving_o      (saving),
        .restoring_o   (restoring),
        .reading_o     (reading),
        .wipe_due_o    (wipe_due),
        .word_moves_o  (move_state),
        .word_read_o   (state_word_read),
        .word_write_o  (state_word_write),
        .window_valid_o,
        .window_ready_i,
        .window_op_o,
        .window_addr_o
    );
  end else begin : gen_no_states
    assign {saving, restoring, reading, wipe_due} = '0;
    assign {move_state, state_word_read, state_word_write, window_valid_o} = '0;
    assign window_op_o = WordRead;
    assign window_addr_o = '0;
    logic unused_window;
    assign unused_window = ^{window_ready_i, window_word_i};
  end
  assign window_word_o = beat_q;

  ////////////////////
  // The hash       //
  ////////////////////

  // The core answers no message before its last beat, not even one that it refuses.
  assign finishes = output_accepted && s_tlast_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || finishes || drop) begin
      busy_q     <= 1'b0;
      begun_q    <= 1'b0;
      ended_q    <= 1'b0;
      sent_q     <= 1'b0;
      discard_q  <= 1'b0;
      clearing_q <= 1'b0;
      bytes_q    <= '0;
      bits_q     <= '0;
    end else begin
      busy_q     <= busy_q || begins;
      begun_q    <= begun_q || move;
      ended_q    <= ended_q || last_legal || clear;
      sent_q     <= sent_q || (move && last_beat);
      discard_q  <= discard_q || stop_legal || clear;
      clearing_q <= clearing_q || clear;
      if (last_legal) begin
        bytes_q <= last_bytes;
        bits_q  <= last_bits;
      end
    end
    if (rst_i) code_q <= '0;
    else if (begins) code_q <= regs_i.CONFIG.function_code.value;
  end

  ////////////////////
  // Seed           //
  ////////////////////

  logic [1:0][31:0] seed_q;  // zero after its use
  logic [1:0] seed_written_q;
  logic seed_legal;
  assign seed_legal = seed_write && !part && (!regs_i.SEED.addr[3] || (&seed_written_q));
  assign seed_valid_o = seed_legal && regs_i.SEED.addr[3];
  assign seed_key_o = {word[15:0], seed_q};
  always_ff @(posedge clk_i) begin
    if (rst_i || seed_valid_o || clear) begin
      seed_q         <= '0;
      seed_written_q <= '0;
    end else if (seed_legal) begin
      seed_q[regs_i.SEED.addr[2]] <= word;
      seed_written_q[regs_i.SEED.addr[2]] <= 1'b1;
    end
  end

  ////////////////////
  // Answers        //
  ////////////////////

  logic command_done_q, seed_write_q, seed_read_q;
  logic [1:0] message_done_q, message_read_q, digest_done_q, digest_write_q;
  always_ff @(posedge clk_i) begin
    command_done_q <= command_write && !rst_i;
    seed_write_q   <= seed_write && !rst_i;
    seed_read_q    <= regs_i.SEED.req && !seed_write && !rst_i;
    message_done_q <= rst_i ? '0 : message_write;
    message_read_q <= rst_i ? '0 : message_read;
    digest_done_q  <= rst_i ? '0 : digest_read;
    digest_write_q <= rst_i ? '0 : digest_write;
  end

  assign refused = bad_access_i || bad_command || (|message_read) ||
      ((|digest_write) && !none) ||
      (|(digest_read & ~digest_valid)) || (|(message_write & ~message_accepted) && !none) ||
      (regs_i.SEED.req && !seed_legal && !(seed_write && none));

  always_comb begin
    regs_o.CAPS.fifo_words.next = 8'(Words);
    regs_o.CAPS.shares.next = 4'd2;
    regs_o.CAPS.states.next = States;
    regs_o.STATUS.ready.next = ready_i;
    regs_o.STATUS.busy.next = !idle;
    regs_o.STATUS.state.next = saving || restoring;
    regs_o.STATUS.ended.next = ended_q;
    regs_o.STATUS.words.next = 8'(digest_level[0]);
    regs_o.STATUS.room_0.next = 8'(Words) - 8'(message_level[0]);
    regs_o.STATUS.room_1.next = 8'(Words) - 8'(message_level[1]);
    regs_o.INTR_STATE.done.hwset = finishes && !clearing_q && !clear;
    regs_o.INTR_STATE.error.hwset = refused;
    regs_o.INTR_STATE.refused.hwset = output_accepted && s_error_i && !clearing_q && !clear;
    regs_o.COMMAND.wr_ack = command_done_q;
    regs_o.SEED.rd_ack = seed_read_q;
    regs_o.SEED.rd_data = '0;
    regs_o.SEED.wr_ack = seed_write_q;
    regs_o.MESSAGE_0.rd_ack = message_read_q[0];
    regs_o.MESSAGE_0.rd_data = '0;
    regs_o.MESSAGE_0.wr_ack = message_done_q[0];
    regs_o.MESSAGE_1.rd_ack = message_read_q[1];
    regs_o.MESSAGE_1.rd_data = '0;
    regs_o.MESSAGE_1.wr_ack = message_done_q[1];
    regs_o.DIGEST_0.rd_ack = digest_done_q[0];
    regs_o.DIGEST_0.rd_data = reply_q[0];
    regs_o.DIGEST_0.wr_ack = digest_write_q[0];
    regs_o.DIGEST_1.rd_ack = digest_done_q[1];
    regs_o.DIGEST_1.rd_data = reply_q[1];
    regs_o.DIGEST_1.wr_ack = digest_write_q[1];
  end

  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value) ||
      (regs_i.INTR_STATE.refused.value && regs_i.INTR_ENABLE.refused.value);

  // All requests have the bus's word, and the windows need no address.
  logic unused_parts;
  assign unused_parts = ^{
      regs_i.COMMAND.wr_data, regs_i.COMMAND.wr_biten, regs_i.SEED.addr[1:0], regs_i.SEED.wr_data,
      regs_i.SEED.wr_biten, regs_i.MESSAGE_0.addr, regs_i.MESSAGE_1.addr, regs_i.MESSAGE_1.wr_data,
      regs_i.MESSAGE_1.wr_biten, regs_i.DIGEST_0.addr, regs_i.DIGEST_0.wr_data,
      regs_i.DIGEST_0.wr_biten, regs_i.DIGEST_1.addr, regs_i.DIGEST_1.wr_data,
      regs_i.DIGEST_1.wr_biten, digest_level[1], word[31:15], word[11], word[7:5]};

`ifndef HF_NO_PARAMETER_CHECKS
  if (!width_legal(FifoWords, 2, 128)) begin : gen_bad_words
    $fatal(1, "hf_keccak_masked_access: FifoWords is a power of two, 2 to 128, not %0d", FifoWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
