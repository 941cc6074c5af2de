// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Phases of the Keccak peripheral (docs/integrate/regs.md): in which one the hash is, and what
// takes it to the next.
//
// idle: there is no hash, and the state is zero. `start` or a write to RUN takes it to absorb,
// `hold` to held, with a state of zero, which software may then overwrite.
//
// absorb: message words are accepted. `last`, the beat with tlast or the last byte that RUN has
// counted takes it to finish, `hold` to held when the words before it are absorbed.
//
// finish: the message has all its words, of which some may wait in the FIFO; the sponge absorbs and
// pads them. It ends with the first output, in squeeze, or in held after `hold`.
//
// squeeze: output goes to the digest FIFO. It ends in change when the output has its length, when
// the sampler has all coefficients or by `stop`, and in held by `hold`, after a whole word.
//
// held: neither message nor output moves, and software reads and writes the state. `resume` takes
// it to absorb or to squeeze, as POSITION.squeezing says.
//
// change: the sponge or the engine is about to end a phase, for a few clocks, of which most are
// those in which the state is wiped: after the end of an output, `stop`, `clear`, `keep` and a
// reset. Then comes idle. Or `keep` makes a copy of the state; if it is refused, absorb comes again.
// Commands and accesses to the state wait for its end.
//
// Timing: `clear`, `stop`, the end of `keep` and the last coefficient reset the sponge and the engine
// in the next clock; the first operation of either then is a wipe.

module hf_keccak_regs_phases
  import hf_keccak_regs_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    input logic     clear_i,
    input command_t command_i,           // takes effect in this clock
    input keep_t    keep_i,
    input logic     resume_squeezing_i,  // `resume` goes on with the output

    input logic    message_ends_i,  // with the words that have been accepted
    input sponge_t sponge_i,
    input logic    output_ends_i,   // the last word of the output enters the digest FIFO
    input logic    sampled_i,       // the sampler has given all coefficients: no more output

    output phases_t   phase_o,
    output progress_t progress_o,
    output event_t    event_o
);

  logic running_q, last_q, squeezing_q, hold_q, held_q, done_q, abort_q;  // as in progress_t
  logic ended;
  logic unused_keep;
  assign unused_keep = ^{keep_i.refused, command_i.keep, command_i.recall};

  assign progress_o.running = running_q;
  assign progress_o.last = last_q;
  assign progress_o.squeezing = squeezing_q;
  assign progress_o.hold = hold_q;
  assign progress_o.held = held_q;
  assign progress_o.done = done_q;
  assign progress_o.aborts = abort_q;

  assign event_o.begins = running_q && sponge_i.squeezing && !squeezing_q && !abort_q;
  assign ended = running_q && squeezing_q && !sponge_i.squeezing && !sponge_i.held && !abort_q;
  assign event_o.ends = ended;
  assign event_o.done = (output_ends_i && !hold_q) || (ended && !done_q) || sampled_i;
  assign event_o.held = sponge_i.held && !held_q && !abort_q;

  // Each by itself, for short paths. In the clock in which the sponge ends a phase it is `change`.
  always_comb begin
    phase_o.idle = sponge_i.idle && !running_q && !hold_q && !abort_q;
    phase_o.absorb = running_q && !squeezing_q && !last_q && !sponge_i.held && !abort_q &&
        !keep_i.busy;
    phase_o.finish = running_q && !squeezing_q && last_q && !sponge_i.held && !abort_q &&
        !keep_i.busy;
    phase_o.squeeze = running_q && squeezing_q && sponge_i.squeezing && !abort_q;
    phase_o.held = held_q && !abort_q;
    phase_o.change = abort_q || keep_i.busy ||
        !(held_q || (sponge_i.idle && !running_q && !hold_q) ||
          (running_q && !sponge_i.held && (!squeezing_q || sponge_i.squeezing)));
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      running_q <= 1'b0;
      hold_q    <= 1'b0;
      held_q    <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      running_q <= command_i.start || command_i.resume ||
          (running_q && !ended && !sponge_i.held && !abort_q);
      hold_q    <= command_i.hold || (hold_q && !sponge_i.held);
      held_q    <= sponge_i.held && !command_i.resume && !abort_q;
      done_q    <= (event_o.done || done_q) &&
          !(command_i.start || command_i.stop || command_i.resume);
    end
    abort_q <= clear_i || (command_i.stop && phase_o.squeeze) || sampled_i || keep_i.completes ||
        rst_i;

    if (command_i.start || abort_q || ended) begin
      last_q      <= 1'b0;
      squeezing_q <= 1'b0;
    end else if (command_i.resume) begin
      last_q      <= resume_squeezing_i;
      squeezing_q <= resume_squeezing_i;
    end else begin
      last_q      <= last_q || command_i.last || message_ends_i;
      squeezing_q <= squeezing_q || event_o.begins;
    end
  end

endmodule
