// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the registers of the Keccak peripheral show: values, errors, which of them software may
// write, acknowledges and data of reads; and the interrupt.
//
// Timing: a flag of ERROR or INTR_STATE is set in the clock after its cause. The interrupt is not
// registered: software that has cleared the cause must not see it again.

module hf_keccak_regs_values
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    // As in hf_keccak_regs.
    parameter int unsigned Engine = EngineIterative,
    parameter int unsigned MessageWords = 16,
    parameter int unsigned DigestWords = 16,
    parameter bit          Stream = 1'b1,
    parameter bit          Run = 1'b1,
    parameter bit          Sampler = 1'b0,
    parameter bit          Prefix = 1'b0
) (
    input logic clk_i,
    input logic rst_i,

    input  hf_keccak_regs__out_t regs_i,  // from the register block
    output hf_keccak_regs__in_t  regs_o,  // to the register block

    // Registers that are open to software.
    input logic config_open_i,
    input logic length_open_i,    // LENGTH and TAIL
    input logic position_open_i,

    // The hash.
    input phases_t     phase_i,
    // verilator lint_off UNUSEDSIGNAL
    input event_t      event_i,  // only hf_keccak_regs_locks reads `ends`
    // verilator lint_on UNUSEDSIGNAL
    input logic        clear_i,
    input logic        pending_i,      // a command waits
    input logic        hold_i,         // as in progress_t
    input logic        no_left_i,      // the message has all its bytes
    input logic        squeezing_i,
    input logic        done_i,
    input logic        window_busy_i,  // an access to the state is under way
    input level_t      level_i,
    input error_t      error_i,
    input copy_t       copy_i,
    input logic        kept_i,         // the hash ends, and its state is the copy
    input logic [31:0] known_codes_i,  // of functions
    input logic [31:0] length_i,
    input logic [ 7:0] position_i,

    // Fields that a write to RUN loads, and the bytes that it has counted.
    input logic        run_loads_i,
    input write_t      written_i,
    input logic        message_accepted_i,
    input logic [11:0] left_next_i,         // POSITION.message_bytes after that

    // Accesses in this clock that are acknowledged in it; those that were pending.
    input logic        length_write_i,
    input logic        digest_write_i,
    input ack_t        ack_i,
    input logic [31:0] reply_i,         // to a read

    output logic irq_o
);

  logic busy, any_error, idle_message, idle_message_q, room_event, unused_phase;
  phase_e_e phase_code;
  assign unused_phase = phase_i.change;
  logic unused_written;
  assign unused_written = ^{written_i.bytes, written_i.word[31:29], written_i.word[16:5],
                            copy_i.kept, copy_i.of_function};

  assign busy = !(((phase_i.idle || phase_i.held) && !window_busy_i) || idle_message ||
      (phase_i.squeeze && level_i.digest_full));
  assign idle_message = phase_i.absorb && level_i.drained && !hold_i && !no_left_i;
  assign room_event = idle_message && !idle_message_q;
  always_ff @(posedge clk_i) idle_message_q <= idle_message && !rst_i;

  assign any_error = regs_i.ERROR.bad_command.value || regs_i.ERROR.bad_function.value ||
      regs_i.ERROR.bad_position.value || regs_i.ERROR.message_write.value ||
      regs_i.ERROR.digest_read.value || regs_i.ERROR.state_access.value ||
      regs_i.ERROR.config_write.value || regs_i.ERROR.bad_access.value ||
      regs_i.ERROR.no_length.value;

  always_comb begin
    phase_code = phase_e__change;
    if (phase_i.idle) phase_code = phase_e__idle;
    if (phase_i.absorb) phase_code = phase_e__absorb;
    if (phase_i.finish) phase_code = phase_e__finish;
    if (phase_i.squeeze) phase_code = phase_e__squeeze;
    if (phase_i.held) phase_code = phase_e__held;
  end

  always_comb begin
    regs_o.CAPS.message_words.next = 8'(MessageWords);
    regs_o.CAPS.digest_words.next = 8'(DigestWords);
    regs_o.CAPS.stream.next = Stream;
    regs_o.CAPS.engine.next = 3'(Engine);
    regs_o.FUNCTIONS.mask.next = known_codes_i;
    regs_o.OPTIONS.run.next = Run;
    regs_o.OPTIONS.sampler.next = Sampler;
    regs_o.OPTIONS.prefix.next = Prefix;
    regs_o.OPTIONS.kept.next = copy_i.number;

    regs_o.CONFIG.function_code.swwe = config_open_i;
    regs_o.CONFIG.function_code.we = run_loads_i;
    regs_o.CONFIG.function_code.next = 8'(written_i.word[4:0]);
    regs_o.CONFIG.stream.swwe = config_open_i && Stream;
    regs_o.CONFIG.packets.swwe = config_open_i && Stream;
    regs_o.CONFIG.sampling.swwe = config_open_i && Sampler;
    regs_o.TAIL.bits.swwe = length_open_i;
    regs_o.TAIL.last_byte.swwe = length_open_i;
    regs_o.POSITION.bytes.swwe = position_open_i;
    regs_o.POSITION.squeezing.swwe = position_open_i;
    regs_o.POSITION.counted.swwe = position_open_i && Run;
    regs_o.POSITION.message_bytes.swwe = position_open_i && Run;

    regs_o.TAIL.bits.hwclr = clear_i || event_i.begins || kept_i;
    regs_o.TAIL.last_byte.hwclr = clear_i || event_i.begins || kept_i;
    regs_o.LENGTH.wr_ack = length_write_i;
    regs_o.LENGTH.rd_ack = regs_i.LENGTH.req && !regs_i.LENGTH.req_is_wr;
    regs_o.LENGTH.rd_data.bits = length_i;
    regs_o.POSITION.bytes.we = event_i.held;
    regs_o.POSITION.bytes.next = position_i;
    regs_o.POSITION.squeezing.we = event_i.held;
    regs_o.POSITION.squeezing.next = squeezing_i || done_i;
    // It does not outlive its message: one that `start` begins is not counted.
    regs_o.POSITION.counted.we = run_loads_i || event_i.begins || clear_i || kept_i ||
        (error_i.bad_function && phase_i.idle);
    regs_o.POSITION.counted.next = run_loads_i && !(&written_i.word[28:17]);
    regs_o.POSITION.message_bytes.we = run_loads_i ||
        (message_accepted_i && regs_i.POSITION.counted.value);
    regs_o.POSITION.message_bytes.next = run_loads_i ? written_i.word[28:17] : left_next_i;
    regs_o.RUN.wr_ack = regs_i.RUN.req;

    regs_o.STATUS.phase.next = pending_i ? phase_e__change : phase_code;
    regs_o.STATUS.busy.next = busy || pending_i;
    regs_o.STATUS.done.next = done_i;
    regs_o.STATUS.error.next = any_error;
    regs_o.STATUS.message_free.next = level_i.message_free;
    regs_o.STATUS.digest_words.next = level_i.digest_words;

    regs_o.ERROR.bad_command.hwset = error_i.bad_command;
    regs_o.ERROR.bad_function.hwset = error_i.bad_function;
    regs_o.ERROR.bad_position.hwset = error_i.bad_position;
    regs_o.ERROR.message_write.hwset = error_i.message_write;
    regs_o.ERROR.digest_read.hwset = error_i.digest_read;
    regs_o.ERROR.state_access.hwset = error_i.state_access;
    regs_o.ERROR.config_write.hwset = error_i.config_write;
    regs_o.ERROR.bad_access.hwset = error_i.bad_access;
    regs_o.ERROR.no_length.hwset = error_i.no_length;

    regs_o.INTR_STATE.done.hwset = event_i.done || regs_i.INTR_TEST.done.value;
    regs_o.INTR_STATE.digest.hwset = level_i.digest_filled || event_i.done ||
        regs_i.INTR_TEST.digest.value;
    regs_o.INTR_STATE.room.hwset = room_event || regs_i.INTR_TEST.room.value;
    regs_o.INTR_STATE.held.hwset = event_i.held || regs_i.INTR_TEST.held.value;
    regs_o.INTR_STATE.error.hwset = error_i != '0 || regs_i.INTR_TEST.error.value;

    regs_o.MESSAGE.wr_ack = ack_i.message || ack_i.empty_write;
    regs_o.MESSAGE_WINDOW.wr_ack = ack_i.message || ack_i.empty_write;
    regs_o.MESSAGE_WINDOW.rd_ack = ack_i.message_read;
    regs_o.MESSAGE_WINDOW.rd_data = reply_i;
    regs_o.DIGEST.rd_ack = ack_i.digest;
    regs_o.DIGEST.rd_data.data = reply_i;
    regs_o.DIGEST_WINDOW.wr_ack = digest_write_i;
    regs_o.DIGEST_WINDOW.rd_ack = ack_i.digest;
    regs_o.DIGEST_WINDOW.rd_data = reply_i;
    regs_o.STATE.rd_ack = ack_i.state_read;
    regs_o.STATE.wr_ack = ack_i.state_write || ack_i.empty_write;
    regs_o.STATE.rd_data = reply_i;
  end

  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.digest.value && regs_i.INTR_ENABLE.digest.value) ||
      (regs_i.INTR_STATE.room.value && regs_i.INTR_ENABLE.room.value) ||
      (regs_i.INTR_STATE.held.value && regs_i.INTR_ENABLE.held.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value);

endmodule
