// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Commands of the Keccak peripheral (docs/integrate/regs.md), by the registers COMMAND and RUN:
// which of them are legal in which phase, and when each takes effect.
//
// A written command waits until a change of phase has ended. Then one command in two clocks takes
// effect, in the order stop, start, recall, last, hold, resume, keep: it is found legal or not, and
// takes effect, or is an error, a clock later. A phase that ends by itself in between ends as it
// would have in the clock after that. `clear` takes effect at once and discards the others. Where
// `recall` takes effect, `start` does with it.
//
// A command that is written while one waits that comes after it in that order is an error, so
// commands take effect as they were written.
//
// A write to RUN: its fields are taken over in the clock after it, and it begins in the next one, so
// that a write right after it comes as after writes to CONFIG, LENGTH and COMMAND.
//
// Two accesses are at least two clocks apart (hf_keccak_csr_apb), so nothing is read or written in
// the clock after a command was written: it waits when the next access comes.

module hf_keccak_regs_commands
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    parameter bit Prefix = 1'b0  // `keep` and `recall` exist
) (
    input logic clk_i,
    input logic rst_i,

    input hf_keccak_regs__COMMAND__out_t command_i,
    input run_write_t                    run_write_i,
    input logic                          config_open_i,     // CONFIG may be written
    input phases_t                       phase_i,
    input logic                          hold_pending_i,
    input logic                          sampling_i,        // the output is coefficients
    input logic                          function_known_i,
    input logic                          length_missing_i,
    input logic                          position_legal_i,
    input copy_t                         copy_i,

    // In this clock: `clear`, or one of the others, takes effect.
    output logic     clear_o,
    output command_t command_o,
    output pending_t pending_o,
    output run_t     run_o,

    output logic bad_command_o,
    output logic bad_function_o,
    output logic bad_position_o,
    output logic no_length_o
);

  localparam command_t Existing = {{2{Prefix}}, 5'b11111};

  command_t written, accepted, wait_q, command;
  command_t stay;  // those that wait and are not decided in this clock
  command_t overtakes;  // commands that would take effect before one that was written earlier
  logic in_change, several, allowed, waits;
  // The command that takes effect, or is refused, in this clock: why it is refused.
  command_t decided_q, effect_q;
  logic bad_command_q, bad_function_q, bad_position_q, no_length_q;
  logic run_refused_q, run_loads_q;
  logic run_starts_q;  // it begins in this clock, as `start` does

  // RUN is refused while `hold` or `keep` waits: its `start` would take effect before them. The other
  // commands close CONFIG while they wait.
  assign run_o.legal = run_write_i.written && run_write_i.whole && config_open_i &&
      !phase_i.held && !wait_q.hold && !wait_q.keep;
  assign run_o.loads = run_loads_q;
  always_ff @(posedge clk_i) begin
    run_loads_q   <= run_o.legal && !rst_i;
    run_starts_q  <= run_loads_q && !rst_i;
    run_refused_q <= run_write_i.written && !run_o.legal && !rst_i;
  end
  logic unused_run;  // of LENGTH
  assign unused_run = run_write_i.has_length;

  assign written.start = command_i.start.value;
  assign written.last = command_i.last.value;
  assign written.stop = command_i.stop.value;
  assign written.hold = command_i.hold.value;
  assign written.resume = command_i.resume.value;
  assign written.keep = command_i.keep.value && Prefix;
  assign written.recall = command_i.recall.value && Prefix;
  assign clear_o = command_i.clear.value;
  assign in_change = phase_i.change;
  always_comb begin
    several = 1'b0;
    for (int unsigned i = 0; i < $bits(command_t); i++) begin
      several |= written[i] && (written & ~(command_t'(1) << i)) != '0;
    end
  end
  always_comb begin
    stay = wait_q & ~decided_q;
    overtakes.keep = 1'b0;
    overtakes.resume = stay.keep;
    overtakes.hold = overtakes.resume || stay.resume;
    overtakes.last = overtakes.hold || stay.hold;
    overtakes.recall = overtakes.last || stay.last;
    overtakes.start = overtakes.recall || stay.recall;
    overtakes.stop = overtakes.start || stay.start;
    accepted = several ? '0 : written & ~overtakes;
    if (run_starts_q) accepted.start = 1'b1;
  end

  assign waits = wait_q != '0;
  always_comb begin
    command = '0;
    if (wait_q.stop) command.stop = 1'b1;
    else if (wait_q.start) command.start = 1'b1;
    else if (wait_q.recall && Prefix) command.recall = 1'b1;
    else if (wait_q.last) command.last = 1'b1;
    else if (wait_q.hold) command.hold = 1'b1;
    else if (wait_q.resume) command.resume = 1'b1;
    else command.keep = wait_q.keep;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_o) wait_q <= '0;
    else wait_q <= (stay | accepted) & Existing;
  end

  logic free;  // a command may be decided in this clock; in a change of phase `allowed` is 0
  assign free = decided_q == '0 && !clear_o && !rst_i;
  assign allowed = (
      (phase_i.idle && (command.start || command.hold || command.stop ||
                        (command.recall && copy_i.kept))) ||
      (phase_i.held && command.resume) ||
      (!hold_pending_i && ((phase_i.absorb && (command.last || command.hold || command.keep)) ||
                           (phase_i.finish && command.hold && !sampling_i) ||
                           (phase_i.squeeze && (command.stop || (command.hold && !sampling_i))))));

  command_t effect;
  assign effect.start = (command.start && function_known_i) || effect.recall;
  assign effect.last = command.last && !length_missing_i;
  assign effect.stop = command.stop;
  assign effect.hold = command.hold;
  assign effect.resume = command.resume && function_known_i && position_legal_i;
  assign effect.keep = command.keep;
  assign effect.recall = command.recall && function_known_i && copy_i.of_function;
  always_ff @(posedge clk_i) begin
    decided_q <= (free && !in_change) ? command : '0;
    effect_q <= (free && allowed) ? effect : '0;
    bad_command_q <= free && !in_change && waits && !allowed;
    bad_function_q <= free && allowed &&
        (((command.start || command.resume || command.recall) && !function_known_i) ||
         (command.recall && !copy_i.of_function));
    bad_position_q <= free && allowed && command.resume && function_known_i && !position_legal_i;
    no_length_q <= free && allowed && command.last && length_missing_i;
  end
  assign command_o = clear_o ? '0 : effect_q;

  // Registered, for short paths: what depends on it waits a clock longer.
  logic settled_q;
  always_ff @(posedge clk_i) settled_q <= !in_change && !pending_o.waits;

  assign pending_o.waits = waits || run_starts_q;
  assign pending_o.stop_waits = wait_q.stop && !(decided_q.stop && !effect_q.stop);
  assign pending_o.settled = settled_q;
  assign pending_o.closes_length = wait_q.last || wait_q.resume;
  assign pending_o.closes_config = pending_o.closes_length || wait_q.start || wait_q.recall ||
      run_starts_q;

  logic unused_copy;
  assign unused_copy = ^copy_i.number;
  assign bad_function_o = bad_function_q && !clear_o;
  assign bad_position_o = bad_position_q && !clear_o;
  assign no_length_o = no_length_q && !clear_o;
  assign bad_command_o = (!clear_o &&
      (several || (written & (overtakes | stay)) != '0 || bad_command_q)) ||
      run_refused_q;

endmodule
