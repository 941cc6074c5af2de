// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral without its bus (docs/integrate/regs.md): FIFOs, save and restore, errors
// and interrupts around hf_keccak_word_sponge, which pads and squeezes, and an engine of the word
// contract. `regs_i` and `regs_o` connect to a register block that PeakRDL generates for APB4
// (rtl/regs/generated).
//
//   hf_keccak_regs_requests   which access of the bus it is, and the word of a write
//   hf_keccak_regs_locks      which registers software may write
//   hf_keccak_regs_function   what follows from the function
//   hf_keccak_regs_commands   when a command takes effect
//   hf_keccak_regs_phases     in which phase the hash is
//   hf_keccak_regs_length     how much output is left
//   hf_keccak_regs_datapath   what moves message, output and state: it lists its modules
//   hf_keccak_regs_replies    what a read of digest or state gets
//   hf_keccak_regs_values     what the registers show
//
// Structs of hf_keccak_regs_pkg join them.
//
// Message bytes are added to the state at their position in the block, so a held hash consists of
// the state, this position, the function and the remaining length. These are the registers that
// software reads and writes in phase held.
//
// Every hash begins with a state of zero: each end of a hash, and a reset, wipes the state.

module hf_keccak_regs
  import hf_keccak_pkg::*;
  import hf_keccak_csr_pkg::*;
  import hf_keccak_regs_pkg::*;
#(
    parameter int unsigned Engine = EngineIterative,  // a code of hf_keccak_regs_pkg
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    // Depth of the message FIFO: 0 (none) or a power of two up to 128.
    parameter int unsigned MessageWords = 16,
    // Depth of the digest FIFO: a power of two up to 128; 1: a register.
    parameter int unsigned DigestWords = 16,
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0,  // the state after a prefix may be kept in a copy
    // Bits of a word of a message inside: 32, or 64 with keccak-iterative. Also of s_tdata_i.
    parameter int unsigned WordWidth = 32
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
    input  logic [WordWidth-1:0] s_tdata_i,
    input  logic [WordWidth/8-1:0] s_tkeep_i,
    input  logic        s_tlast_i,

    output logic irq_o
);

  localparam int unsigned PartWidth = engine_part_width(Engine);

  function_fields_t function_fields;
  logic [FunctionWidth-1:0] function_code;
  logic [31:0] known_codes;
  logic clear;
  command_t command;
  pending_t pending;
  run_t run;
  phases_t phase;
  progress_t progress;
  event_t hash_event;
  sponge_t sponge;
  length_t left;
  error_t error;
  write_t written;
  copy_t copy;
  keep_t keep;
  run_write_t run_write;
  logic sampling, sampled;  // the output goes through the sampler; it has given all coefficients

  ////////////////////
  // Data           //
  ////////////////////

  logic message_write, message_read, digest_read, digest_write, length_write, length_written;
  logic state_access, message_ends, output_ends, output_counted;
  logic message_accepted, none_left, window_busy, window_part_read, digest_pop;
  logic [11:0] left_next;
  logic [PartWidth-1:0] window_part;
  logic [7:0] position;
  logic [31:0] reply;
  digest_t digest;
  level_t level;
  ack_t ack;

  hf_keccak_regs_datapath #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (Stream),
      .Run            (Run),
      .Sampler        (Sampler),
      .Prefix         (Prefix),
      .WordWidth      (WordWidth)
  ) u_datapath (
      .clk_i,
      .rst_i,
      .regs_i,
      .clear_i           (clear),
      .command_i         (command),
      .pending_i         (pending),
      .phase_i           (phase),
      .progress_i        (progress),
      .event_i           (hash_event),
      .function_code_i   (function_code),
      .length_i          (left),
      .written_i         (written),
      .sponge_o          (sponge),
      .position_o        (position),
      .message_ends_o    (message_ends),
      .sampling_o        (sampling),
      .sampled_o         (sampled),
      .output_counted_o  (output_counted),
      .output_ends_o     (output_ends),
      .level_o           (level),
      .copy_o            (copy),
      .keep_o            (keep),
      .message_write_i   (message_write),
      .state_access_i    (state_access),
      .message_done_o    (ack.message),
      .message_accepted_o(message_accepted),
      .message_lost_o    (error.message_write),
      .left_next_o       (left_next),
      .none_left_o       (none_left),
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .digest_o          (digest),
      .digest_pop_i      (digest_pop),
      .window_busy_o     (window_busy),
      .state_refused_o   (error.state_access),
      .state_read_done_o (ack.state_read),
      .state_write_done_o(ack.state_write),
      .window_part_read_o(window_part_read),
      .window_part_o     (window_part),
      .reply_i           (reply)
  );

  ////////////////////
  // The bus        //
  ////////////////////

  hf_keccak_regs_requests #(
      .Run(Run)
  ) u_requests (
      .clk_i,
      .rst_i,
      .regs_i,
      .bad_access_i,
      .message_write_o (message_write),
      .message_read_o  (message_read),
      .digest_read_o   (digest_read),
      .digest_write_o  (digest_write),
      .length_write_o  (length_write),
      .length_written_o(length_written),
      .state_access_o  (state_access),
      .empty_write_o   (ack.empty_write),
      .run_write_o     (run_write),
      .bad_access_o    (error.bad_access),
      .written_o       (written)
  );

  logic config_open, length_open, position_open;
  logic config_written, tail_written, position_written;
  assign config_written = regs_i.CONFIG.function_code.swmod || regs_i.CONFIG.stream.swmod ||
      regs_i.CONFIG.packets.swmod || regs_i.CONFIG.sampling.swmod;
  assign tail_written = regs_i.TAIL.bits.swmod || regs_i.TAIL.last_byte.swmod;
  assign position_written = regs_i.POSITION.bytes.swmod || regs_i.POSITION.squeezing.swmod ||
      regs_i.POSITION.counted.swmod || regs_i.POSITION.message_bytes.swmod;

  hf_keccak_regs_locks u_locks (
      .clk_i,
      .rst_i,
      .clear_i           (clear),
      .command_i         (command),
      .resume_squeezing_i(regs_i.POSITION.squeezing.value),
      .pending_i         (pending),
      .phase_i           (phase),
      .running_i         (progress.running),
      .hold_i            (progress.hold),
      .abort_i           (progress.aborts),
      .message_ends_i    (message_ends),
      .begins_i          (hash_event.begins),
      .ends_i            (hash_event.ends),
      .sponge_i          (sponge),
      .config_open_o     (config_open),
      .length_open_o     (length_open),
      .position_open_o   (position_open),
      .config_written_i  (config_written),
      .length_written_i  (length_written || tail_written),
      .position_written_i(position_written),
      .write_lost_o      (error.config_write)
  );

  ////////////////////
  // The hash       //
  ////////////////////

  logic position_legal, position_command, no_length_command;

  hf_keccak_regs_function u_function (
      .clk_i,
      .function_code_i(regs_i.CONFIG.function_code.value),
      .sampling_i     (regs_i.CONFIG.sampling.value),
      .function_o     (function_fields),
      .function_code_o(function_code),
      .known_codes_o  (known_codes)
  );
  assign position_legal =
      (regs_i.POSITION.bytes.value < {function_fields.rate_lanes, 3'd0} ||
       (regs_i.POSITION.squeezing.value &&
        regs_i.POSITION.bytes.value == {function_fields.rate_lanes, 3'd0})) &&
      !(regs_i.POSITION.squeezing.value &&
        (regs_i.POSITION.bytes.value[1:0] != '0 || regs_i.POSITION.counted.value));

  hf_keccak_regs_commands #(
      .Prefix(Prefix)
  ) u_commands (
      .clk_i,
      .rst_i,
      .command_i       (regs_i.COMMAND),
      .run_write_i     (run_write),
      .config_open_i   (config_open),
      .phase_i         (phase),
      .hold_pending_i  (progress.hold),
      .sampling_i      (sampling),
      .function_known_i(function_fields.known),
      .length_missing_i(left.missing),
      .position_legal_i(position_legal),
      .copy_i          (copy),
      .clear_o         (clear),
      .command_o       (command),
      .pending_o       (pending),
      .run_o           (run),
      .bad_command_o   (error.bad_command),
      .bad_function_o  (error.bad_function),
      .bad_position_o  (position_command),
      .no_length_o     (no_length_command)
  );
  assign error.bad_position = position_command || keep.refused;
  // If a message that tlast or its last byte has ended has no length, it does not wait for one: its
  // output has no bits.
  assign error.no_length = no_length_command || (hash_event.begins && left.missing);

  hf_keccak_regs_phases u_phases (
      .clk_i,
      .rst_i,
      .clear_i           (clear),
      .command_i         (command),
      .keep_i            (keep),
      .resume_squeezing_i(regs_i.POSITION.squeezing.value),
      .message_ends_i    (message_ends),
      .sponge_i          (sponge),
      .output_ends_i     (output_ends),
      .sampled_i         (sampled),
      .phase_o           (phase),
      .progress_o        (progress),
      .event_o           (hash_event)
  );

  logic [31:0] length;
  hf_keccak_regs_length u_length (
      .clk_i,
      .rst_i,
      .clear_i       (clear || keep.completes),
      .sampled_i     (sampled),
      .stop_i        (command.stop && phase.squeeze),
      .write_i       (length_written && length_open),
      .run_write_i   (run.legal && run_write.has_length),
      .run_loads_i   (run.loads),
      .written_i     (written),
      .load_i        (hash_event.begins),
      .own_length_i  (function_fields.own_length),
      .digest_words_i(function_fields.digest_words),
      .sampling_i    (sampling),
      .count_i       (output_counted),
      .length_o      (length),
      .left_o        (left)
  );

  ////////////////////
  // Replies        //
  ////////////////////

  hf_keccak_regs_replies #(
      .WordWidth(PartWidth)
  ) u_replies (
      .clk_i,
      .rst_i,
      .digest_request_i  (digest_read),
      .state_request_i   (regs_i.STATE.req),
      .bad_read_i        (message_read),
      .phase_i           (phase),
      .hold_i            (progress.hold),
      .no_left_i         (none_left),
      .waits_i           (pending.waits),
      .settled_i         (pending.settled),
      .digest_i          (digest),
      .digest_read_o     (digest_pop),
      .window_part_read_i(window_part_read),
      .window_part_i     (window_part),
      .digest_ack_o      (ack.digest),
      .digest_none_o     (error.digest_read),
      .bad_read_ack_o    (ack.message_read),
      .reply_o           (reply)
  );

  hf_keccak_regs_values #(
      .Engine      (Engine),
      .MessageWords(MessageWords),
      .DigestWords (DigestWords),
      .Stream      (Stream),
      .Run         (Run),
      .Sampler     (Sampler),
      .Prefix      (Prefix)
  ) u_values (
      .clk_i,
      .rst_i,
      .regs_i,
      .regs_o,
      .config_open_i     (config_open),
      .length_open_i     (length_open),
      .position_open_i   (position_open),
      .phase_i           (phase),
      .event_i           (hash_event),
      .clear_i           (clear),
      .pending_i         (pending.waits),
      .hold_i            (progress.hold),
      .no_left_i         (none_left),
      .squeezing_i       (progress.squeezing),
      .done_i            (progress.done),
      .window_busy_i     (window_busy),
      .level_i           (level),
      .error_i           (error),
      .copy_i            (copy),
      .kept_i            (keep.completes),
      .known_codes_i     (known_codes),
      .length_i          (length),
      .position_i        (position),
      .run_loads_i       (run.loads),
      .written_i         (written),
      .message_accepted_i(message_accepted),
      .left_next_i       (left_next),
      .length_write_i    (length_write),
      .digest_write_i    (digest_write),
      .ack_i             (ack),
      .reply_i           (reply),
      .irq_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!engine_legal(Engine)) begin : gen_bad_engine
    $fatal(1, "hf_keccak_regs: Engine is 0 (iterative), 1 (serial) or 2 (tiny), not %0d", Engine);
  end
  if ($countones(MessageWords) > 1 || MessageWords > 128) begin : gen_bad_message
    $fatal(1, "hf_keccak_regs: MessageWords is 0 or a power of two up to 128, not %0d",
           MessageWords);
  end
  if ($countones(DigestWords) != 1 || DigestWords > 128) begin : gen_bad_digest
    $fatal(1, "hf_keccak_regs: DigestWords is a power of two up to 128, not %0d", DigestWords);
  end
  if (!message_width_legal(Engine, WordWidth)) begin : gen_bad_word
    $fatal(1, "hf_keccak_regs: WordWidth is 32, or 64 with Engine = 0 (iterative), not %0d",
           WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
