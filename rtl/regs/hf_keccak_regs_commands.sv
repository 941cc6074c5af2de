// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Commands of the Keccak peripheral (docs/integrate/regs.md): which of them are legal in which phase,
// and when each takes effect.
//
// A written command waits until a change of phase has ended. Then one command a clock takes effect,
// in the order start, last, stop, hold, resume. `clear` takes effect at once and discards the others.

module hf_keccak_regs_commands
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    input hf_keccak_regs__COMMAND__out_t command_i,
    // A write to RUN: it begins as `start` does in the next clock; it begins in this one.
    input logic                          run_comes_i,
    input logic                          run_i,
    input phases_t                       phase_i,
    input logic                          hold_pending_i,
    input logic                          function_known_i,
    input logic                          length_missing_i,
    input logic                          position_legal_i,

    output logic clear_o,
    // One of these: the command takes effect in this clock.
    output logic start_o,
    output logic last_o,
    output logic stop_o,
    output logic hold_o,
    output logic resume_o,

    output logic waiting_o,       // a command waits
    output logic stop_waits_o,    // and it is `stop`
    output logic settled_o,       // no command waits, and no phase changes
    output logic pending_o,       // a command was written and has not taken effect, or takes it now
    output logic pending_stop_o,  // it is `stop`
    // It closes registers: CONFIG and POSITION; LENGTH and TAIL.
    output logic closes_config_o,
    output logic closes_length_o,

    output logic bad_command_o,
    output logic bad_function_o,
    output logic bad_position_o,
    output logic no_length_o
);

  typedef struct packed {
    logic resume;
    logic hold;
    logic stop;
    logic last;
    logic start;
  } command_t;

  command_t written, accepted, wait_q, command, pending;
  logic in_change, several, allowed, waits, runs;

  assign written.start = command_i.start.value;
  assign written.last = command_i.last.value;
  assign written.stop = command_i.stop.value;
  assign written.hold = command_i.hold.value;
  assign written.resume = command_i.resume.value;
  assign clear_o = command_i.clear.value;
  assign in_change = phase_i.change;
  always_comb begin
    several = 1'b0;
    for (int unsigned i = 0; i < $bits(command_t); i++) begin
      several |= written[i] && (written & ~(command_t'(1) << i)) != '0;
    end
  end
  // A command may come with the start of a write to RUN before it.
  always_comb begin
    accepted = several ? '0 : written;
    if (run_i) accepted.start = 1'b1;
  end

  assign waits = wait_q != '0;
  assign waiting_o = waits || run_i;
  assign stop_waits_o = wait_q.stop;
  always_comb begin
    command = '0;
    if (wait_q.start) command.start = 1'b1;
    else if (wait_q.last) command.last = 1'b1;
    else if (wait_q.stop) command.stop = 1'b1;
    else if (wait_q.hold) command.hold = 1'b1;
    else command.resume = wait_q.resume;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_o) wait_q <= '0;
    else wait_q <= (in_change ? wait_q : wait_q & ~command) | accepted;
  end

  assign allowed = !clear_o && (
      (phase_i.idle && (command.start || command.hold || command.stop)) ||
      (phase_i.held && command.resume) ||
      (!hold_pending_i && ((phase_i.absorb && (command.last || command.hold)) ||
                           (phase_i.finish && command.hold) ||
                           (phase_i.squeeze && (command.stop || command.hold)))));

  assign start_o = allowed && command.start && function_known_i;
  assign last_o = allowed && command.last && !length_missing_i;
  assign stop_o = allowed && command.stop;
  assign hold_o = allowed && command.hold;
  assign resume_o = allowed && command.resume && function_known_i && position_legal_i;

  assign pending = written | wait_q;
  assign runs = run_comes_i || run_i;
  assign pending_o = pending != '0 || runs;
  assign pending_stop_o = pending.stop;
  assign closes_length_o = pending.last || pending.resume;
  assign closes_config_o = closes_length_o || pending.start || runs;
  assign settled_o = !in_change && !waiting_o && !clear_o;

  assign bad_function_o = allowed && (command.start || command.resume) && !function_known_i;
  assign bad_position_o = allowed && command.resume && function_known_i && !position_legal_i;
  assign no_length_o = allowed && command.last && length_missing_i;
  assign bad_command_o = !clear_o &&
      (several || (run_i && written.start) || (accepted & wait_q) != '0 ||
       (waits && !in_change && !allowed));

endmodule
