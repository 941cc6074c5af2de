// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Saves and restores the state of the masked Keccak peripheral (docs/integrate/masked.md), through
// the window of hf_keccak_masked_serial_stream. The words of both shares come out of the message's
// FIFOs and go into the digest's, side by side: no word is here.
//
// While the state is saved, the message's words leave their FIFOs to the last one, and then the
// state is read, a word at a time. To restore one, 50 words of the message are added to the zero
// state between messages. It is wiped if it is cleared before a message has begun in it, or if the
// message is one of an unknown function.

module hf_keccak_masked_states
  import hf_keccak_word_pkg::*;
(
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // Commands that are legal.
    input logic clear_i,
    input logic save_i,
    input logic restore_i,

    // The message.
    input logic drop_i,          // it is discarded, before the core has a beat of it
    input logic finishes_i,      // its output ends,
    input logic refused_i,       // and the core has not absorbed it
    input logic words_none_i,    // no word of it is in the FIFOs
    input logic words_valid_i,   // one of each share is
    input logic beat_valid_i,    // a word is offered: by the window, if it is
    input logic beat_state_i,    // the state's, and to the core, if it is not
    input logic core_ready_i,    // the core has absorbed all beats; or has none
    input logic core_started_i,
    input logic digest_full_i,

    output logic saving_o,
    output logic restoring_o,  // the next words are the state's
    output logic reading_o,    // a word of the state is read
    output logic wipe_due_o,   // the state is to be wiped before a message begins
    output logic word_moves_o, // a word of the state leaves the FIFOs, to be offered
    output logic word_read_o,  // a word is on the window
    output logic word_write_o, // in the next clock: it goes to the digest's FIFOs

    // The window, as in hf_keccak_word_window; the word that is added is not here.
    output logic       window_valid_o,
    input  logic       window_ready_i,
    output word_op_e   window_op_o,
    output logic [5:0] window_addr_o
);

  localparam logic [5:0] LastWord = 6'(state_words(32) - 1);
  logic save_q, restore_q, read_q, write_q, wipe_due_q;
  logic [5:0] word_addr_q;
  logic state_used_q;  // a word was put in place, for a message that has not ended
  logic at_last_word, word_done, absorbed, wipe, wiped;

  assign at_last_word = word_addr_q == LastWord;
  assign word_done = window_ready_i && (read_q ? save_q : restore_q);
  // No path leads from the engine to the FIFOs.
  assign word_moves_o = restore_q && words_valid_i && !beat_valid_i &&
      (state_used_q || core_started_i);
  // The core is ready for another beat when it has absorbed the one before. The permutation at a
  // block's end is offered to the engine in the next clock, and goes before a read.
  assign absorbed = save_q && words_none_i && !beat_valid_i && core_ready_i;
  assign word_read_o = read_q && window_ready_i;
  // An operation that was offered stays until it is accepted.
  assign wipe = wipe_due_q && !beat_valid_i && !read_q;
  assign wiped = wipe && window_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      save_q       <= 1'b0;
      restore_q    <= 1'b0;
      read_q       <= 1'b0;
      write_q      <= 1'b0;
      wipe_due_q   <= 1'b0;
      state_used_q <= 1'b0;
    end else begin
      save_q <= !clear_i && (save_i || (save_q && !(word_done && at_last_word)));
      restore_q <= !clear_i && (restore_i || (restore_q && !(word_done && at_last_word)));
      write_q <= word_read_o && save_q && !clear_i;
      read_q <= read_q ? !window_ready_i :
          absorbed && !write_q && !digest_full_i && !clear_i;
      wipe_due_q <= (wipe_due_q && !wiped) || (drop_i && (state_used_q || word_moves_o)) ||
          (finishes_i && refused_i && state_used_q);
      state_used_q <= !finishes_i && !drop_i && (word_moves_o || state_used_q);
    end
    // Not while a word of a cleared state is still offered.
    if (restore_i || wiped || (save_i && !wipe_due_q)) word_addr_q <= '0;
    else if (word_done) word_addr_q <= word_addr_q + 6'd1;
  end

  assign saving_o = save_q;
  assign restoring_o = restore_q;
  assign reading_o = read_q;
  assign word_write_o = write_q;
  assign wipe_due_o = wipe_due_q;
  assign window_valid_o = read_q || (beat_valid_i && beat_state_i) || wipe;
  assign window_op_o = wipe ? WordWipe : read_q ? WordRead : WordAdd;
  assign window_addr_o = word_addr_q;

endmodule
