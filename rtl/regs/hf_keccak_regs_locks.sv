// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Locks of the Keccak peripheral's registers: which of them software may write in this clock, by
// the phase of the hash and by the commands that wait.
//
// CONFIG may be written while there is no hash and while one is held, LENGTH and TAIL also while
// the message is absorbed, POSITION while a hash is held. The registers are not used while the
// state is wiped, so software may write those of the next hash without waiting. A command
// immediately before a write counts.
//
// Timing: a phase that opens registers does so a clock later, for short paths. What closes them does
// so at once, but for `keep`: CONFIG is closed in its phase before.

module hf_keccak_regs_locks
  import hf_keccak_regs_pkg::*;
(
    input logic     clk_i,
    input logic     rst_i,
    input logic     clear_i,
    input command_t command_i,           // takes effect in this clock
    input logic     resume_squeezing_i,  // `resume` goes on with the output
    input pending_t pending_i,
    input phases_t  phase_i,
    input logic     running_i,   // as in progress_t
    input logic     hold_i,
    input logic     abort_i,
    input logic     message_ends_i,
    input logic     begins_i,            // the output begins
    input logic     ends_i,              // the output has ended, and the wipe begins
    input sponge_t  sponge_i,

    output logic config_open_o,
    output logic length_open_o,    // LENGTH and TAIL
    output logic position_open_o,

    // Writes in this clock.
    input  logic config_written_i,
    input  logic length_written_i,
    input  logic position_written_i,
    output logic write_lost_o         // one of them in the clock before had no effect
);

  logic wiping, ending, between, unused;
  // The phase of the clock before and, where a command or the message's end closes registers, of
  // this one. absorb_q: LENGTH is open, until the message ends.
  logic between_q, absorb_q, held_q, squeeze_q;
  assign unused = ^{
      pending_i.waits, pending_i.settled, phase_i.finish, phase_i.change, sponge_i.squeezing,
      command_i.recall, command_i.keep, command_i.stop};

  assign wiping = !running_i && !sponge_i.idle && !sponge_i.held;
  assign ending = abort_i || (pending_i.stop_waits && !hold_i && squeeze_q);
  assign between = between_q || ending;
  always_ff @(posedge clk_i) begin
    between_q <= wiping || abort_i || ends_i ||
        (phase_i.idle && !command_i.start && !command_i.hold) ||
        (phase_i.held && !command_i.resume);
    absorb_q <= phase_i.idle || (phase_i.held && !(command_i.resume && resume_squeezing_i)) ||
        (phase_i.absorb && !command_i.last && !message_ends_i);
    held_q <= phase_i.held && !command_i.resume && !clear_i;
    squeeze_q <= phase_i.squeeze || begins_i || (command_i.resume && resume_squeezing_i);
  end
  assign config_open_o = !pending_i.closes_config && between;
  assign length_open_o = !pending_i.closes_length && (between || absorb_q);
  assign position_open_o = !pending_i.closes_config && held_q;

  always_ff @(posedge clk_i) begin
    write_lost_o <= !rst_i && (
        (config_written_i && !config_open_o) || (length_written_i && !length_open_o) ||
        (position_written_i && !position_open_o));
  end

endmodule
