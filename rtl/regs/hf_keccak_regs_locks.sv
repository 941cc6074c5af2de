// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Locks of the Keccak peripheral's registers: which of them software may write in this clock, by
// the phase of the hash and by the commands that wait.
//
// CONFIG may be written while there is no hash and while one is held, LENGTH and TAIL also while
// the message is absorbed, POSITION while a hash is held. The registers are not used while the
// state is wiped, so software may write those of the next hash without waiting. A command
// immediately before a write counts.

module hf_keccak_regs_locks
  import hf_keccak_regs_pkg::*;
(
    input logic     clear_i,
    input pending_t pending_i,
    input phases_t  phase_i,
    input logic     running_i,   // as in progress_t
    input logic     hold_i,
    input logic     abort_i,
    input sponge_t  sponge_i,

    output logic config_open_o,
    output logic length_open_o,    // LENGTH and TAIL
    output logic position_open_o,

    // Writes in this clock.
    input  logic config_written_i,
    input  logic length_written_i,
    input  logic position_written_i,
    output logic write_lost_o         // one of them has no effect
);

  logic wiping, ending, between, unused;
  assign unused = ^{
      pending_i.waits, pending_i.stop_waits, pending_i.settled, pending_i.pending, phase_i.finish,
      phase_i.change, sponge_i.squeezing};

  assign wiping = !running_i && !sponge_i.idle && !sponge_i.held;
  assign ending = clear_i || abort_i || (pending_i.pending_stop && !hold_i && phase_i.squeeze);
  assign between = phase_i.idle || phase_i.held || wiping || ending;
  assign config_open_o = !pending_i.closes_config && between;
  assign length_open_o = !pending_i.closes_length && (between || phase_i.absorb);
  assign position_open_o = !pending_i.closes_config && phase_i.held;

  assign write_lost_o = (config_written_i && !config_open_o) ||
      (length_written_i && !length_open_o) || (position_written_i && !position_open_o);

endmodule
