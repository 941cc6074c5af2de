// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The lists of the peripheral's DMA master (docs/integrate/dma.md): reads a descriptor, writes the
// peripheral's registers as a driver does, has the message read, takes the digest out of DIGEST into
// a burst of writes, and writes the descriptor's status.
//
// A list that is stopped, by an error or by COMMAND.abort, ends in this order: the access that is
// under way, and reads that were requested; then COMMAND.clear, the registers as they were before
// the list, the status of the descriptor in hand.

module hf_keccak_dma_list
  import hf_keccak_csr_pkg::phase_e_e;
  import hf_keccak_csr_pkg::phase_e__idle;
  import hf_keccak_csr_pkg::phase_e__change;
  import hf_keccak_dma_csr_pkg::*;
  import hf_keccak_dma_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    input  logic            start_i,        // of no effect while a list runs
    input  logic            abort_i,        // of no effect while none runs
    input  logic     [31:5] head_i,
    output logic            running_o,
    output cause_e_e        cause_o,
    output logic     [31:0] fault_o,
    output logic     [31:0] descriptor_o,
    output logic     [15:0] descriptors_o,  // that are done
    output logic            done_o,         // events
    output logic            interrupt_o,
    output logic            error_o,

    // The peripheral's registers. An access ends with ready, which may be a clock late: an access that
    // stands in the clock of ready is not another one.
    output logic        reg_valid_o,
    output logic        reg_write_o,
    output logic [ 8:0] reg_addr_o,
    output logic [31:0] reg_data_o,
    input  logic        reg_ready_i,
    input  logic [31:0] reg_data_i,

    // Reads: hf_keccak_dma_read.
    output logic        read_start_o,
    output logic [31:2] read_addr_o,
    output logic [30:0] read_words_o,
    output logic        read_stop_o,
    output logic        read_flush_o,
    input  logic        read_open_i,
    input  logic        read_error_i,
    input  logic [31:2] read_error_addr_i,
    input  logic        word_valid_i,
    input  logic [31:0] word_i,
    output logic        word_take_o,        // of a descriptor

    // The message: hf_keccak_dma_align.
    output logic       segment_start_o,
    output logic [2:0] segment_first_o,  // modulo 8: of a word of 32 bits the lower two bits count
    output logic [2:0] segment_end_o,
    input  logic       segment_busy_i,
    output logic       finish_o,
    input  logic       empty_i,

    // Writes: words go to a buffer, then a burst is requested until it is done.
    output logic        put_o,
    output logic [31:0] put_data_o,
    output logic        write_valid_o,
    output logic [31:2] write_addr_o,
    output logic [ 3:0] write_len_o,    // words less one
    output logic [ 3:0] write_bytes_o,  // of the last word
    input  logic        write_done_i,
    input  logic        write_error_i
);

  typedef enum logic [4:0] {
    Idle,
    Look,         // at STATUS: is the peripheral idle?
    KeepConfig,
    KeepIntr,
    Fetch,
    Load,         // the words of a descriptor
    Judge,        // is it legal?
    Check,
    Config,
    Start,
    Data,
    Finish,
    Length,
    Tail,
    Last,
    Chunk,        // the size of the next burst of the digest
    Digest,
    Write,
    Status,
    StatusWrite,
    Next,
    Drain,
    Flush,
    Clear,
    Restore,
    RestoreIntr,
    FailStatus,
    FailWrite,
    End
  } state_e;

  state_e state_q, state_d;
  logic abort_pending_q;
  cause_e_e cause_q;
  logic [31:2] fault_q;
  logic message_begun_q;  // a message has begun and not ended
  logic status_owed_q;  // the descriptor in hand has no status yet
  logic [15:0] descriptors_q;
  logic [31:0] kept_config_q;
  logic [31:5] descriptor_addr_q;  // the descriptor in hand
  logic [4:0] kept_intr_q;

  ////////////////////
  // The descriptor //
  ////////////////////

  descriptor_t descriptor;
  logic descriptor_legal, descriptor_loaded;
  logic digest_addr_loaded;
  logic [31:2] digest_addr;

  assign word_take_o = state_q == Load && word_valid_i;
  hf_keccak_dma_descriptor u_descriptor (
      .clk_i,
      .rewind_i            (state_q != Load),
      .word_valid_i        (word_take_o),
      .word_i,
      .message_begun_i     (message_begun_q),
      .descriptor_o        (descriptor),
      .legal_o             (descriptor_legal),
      .loaded_o            (descriptor_loaded),
      .digest_addr_o       (digest_addr),
      .digest_addr_loaded_o(digest_addr_loaded)
  );

  ////////////////////
  // The digest     //
  ////////////////////

  logic digest_written, burst_read, burst_final;
  logic [31:2] burst_addr;
  logic [3:0] burst_len, burst_bytes;

  assign digest_written = state_q == Write && write_done_i;
  hf_keccak_dma_digest u_digest (
      .clk_i,
      .addr_loaded_i(digest_addr_loaded),
      .addr_i       (digest_addr),
      .begin_i      (state_q == Check),
      .own_words_i  (descriptor.own_words),
      .output_bits_i(descriptor.output_length),
      .burst_begin_i(state_q == Chunk),
      .word_read_i  (state_q == Digest && reg_ready_i),
      .burst_done_i (digest_written),
      .burst_addr_o (burst_addr),
      .burst_len_o  (burst_len),
      .burst_bytes_o(burst_bytes),
      .burst_read_o (burst_read),
      .burst_final_o(burst_final)
  );

  ////////////////////
  // What is done   //
  ////////////////////

  logic stop_requested, list_stops;  // the list is to stop; it does in this clock
  cause_e_e stop_cause;
  logic [31:2] stop_fault;
  // Registers of many bits have enables that do not pass through list_stops, for short paths.
  logic next_begins, fetch_begins, segment_begins;
  assign stop_requested = abort_pending_q || read_error_i;
  assign next_begins = state_q == Next && !descriptor.flags.last_of_list && !stop_requested;
  assign fetch_begins = state_q == Fetch && !stop_requested;
  // The message is read while the hash begins.
  assign segment_begins = state_q == Check && !stop_requested && descriptor_legal &&
      !descriptor.is_empty;

  always_comb begin
    state_d = state_q;
    list_stops = 1'b0;
    stop_cause = read_error_i ? cause_e__data_read : cause_e__aborted;
    stop_fault = read_error_i ? read_error_addr_i : '0;
    unique case (state_q)
      Idle: if (start_i && !abort_i) state_d = Look;

      // Nothing is changed before the peripheral is known to be idle.
      Look: begin
        if (reg_ready_i) begin
          if (stop_requested) state_d = End;
          else if (reg_data_i[2:0] == phase_e__idle) state_d = KeepConfig;
          else if (reg_data_i[2:0] != phase_e__change) begin
            state_d = End;
            stop_cause = cause_e__busy;
          end
        end
        list_stops = state_d == End;
      end
      KeepConfig: if (reg_ready_i) state_d = KeepIntr;
      KeepIntr:   if (reg_ready_i) state_d = Fetch;

      Fetch: begin
        if (stop_requested) list_stops = 1'b1;
        else state_d = Load;
      end
      Load: begin
        if (read_error_i) stop_cause = cause_e__descriptor_read;
        if (stop_requested) list_stops = 1'b1;
        else if (descriptor_loaded) state_d = Judge;
      end
      Judge: state_d = Check;
      Check: begin
        if (stop_requested) list_stops = 1'b1;
        else if (!descriptor_legal) begin
          list_stops = 1'b1;
          stop_cause = cause_e__illegal;
          stop_fault = {descriptor_addr_q, 3'(WordControl)};
        end else state_d = descriptor.flags.begins ? Config : Data;
      end

      Config: begin
        if (reg_ready_i) begin
          state_d = Start;
          list_stops = stop_requested;
        end
      end
      Start: begin
        if (reg_ready_i) begin
          state_d = Data;
          list_stops = stop_requested;
        end
      end
      Data: begin
        if (stop_requested) list_stops = 1'b1;
        else if (!segment_busy_i) state_d = descriptor.flags.ends ? Finish : Status;
      end
      Finish: begin
        if (stop_requested) list_stops = 1'b1;
        else if (empty_i) state_d = Length;
      end
      Length: begin
        if (reg_ready_i) begin
          state_d = Tail;
          list_stops = stop_requested;
        end
      end
      Tail: begin
        if (reg_ready_i) begin
          state_d = Last;
          list_stops = stop_requested;
        end
      end
      Last: begin
        if (reg_ready_i) begin
          state_d = Chunk;
          list_stops = stop_requested;
        end
      end

      Chunk: begin
        if (stop_requested) list_stops = 1'b1;
        else state_d = Digest;
      end
      Digest: begin
        if (reg_ready_i) begin
          if (burst_read) state_d = Write;
          list_stops = stop_requested;
        end
      end
      Write: begin
        if (write_done_i) begin
          state_d = burst_final ? Status : Chunk;
          if (write_error_i) begin
            list_stops = 1'b1;
            stop_cause = cause_e__digest_write;
            stop_fault = burst_addr;
          end else if (stop_requested && !burst_final) list_stops = 1'b1;
        end
      end

      Status: state_d = StatusWrite;
      StatusWrite: begin
        if (write_done_i) begin
          state_d = Next;
          if (write_error_i) begin
            list_stops = 1'b1;
            stop_cause = cause_e__status_write;
            stop_fault = {descriptor_addr_q, 3'(WordStatus)};
          end
        end
      end
      Next: begin
        if (descriptor.flags.last_of_list) state_d = Restore;
        else if (stop_requested) list_stops = 1'b1;
        else state_d = Fetch;
      end

      Drain: if (!read_open_i) state_d = Flush;
      Flush: state_d = Clear;
      Clear: if (reg_ready_i) state_d = Restore;
      Restore: if (reg_ready_i) state_d = RestoreIntr;
      RestoreIntr: if (reg_ready_i) state_d = status_owed_q ? FailStatus : End;
      FailStatus: state_d = FailWrite;
      FailWrite: if (write_done_i) state_d = End;
      default: state_d = Idle;
    endcase
    if (list_stops && state_q != Look) state_d = Drain;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) state_q <= Idle;
    else state_q <= state_d;

    abort_pending_q <= !rst_i && state_q != Idle && (abort_i || abort_pending_q);

    if (rst_i || (state_q == Idle && state_d != Idle)) begin
      cause_q <= cause_e__none;
      fault_q <= '0;
    end else if (list_stops) begin
      cause_q <= stop_cause;
      fault_q <= stop_fault;
    end

    if (rst_i) descriptor_addr_q <= '0;
    else if (state_q == Idle && state_d != Idle) descriptor_addr_q <= head_i;
    else if (next_begins) descriptor_addr_q <= descriptor.next_addr;

    if (state_q == Idle) message_begun_q <= 1'b0;
    else if (state_q == Check) message_begun_q <= !descriptor.flags.ends;

    if (state_q == Idle || state_q == Next ||
        (list_stops && stop_cause == cause_e__status_write)) begin
      status_owed_q <= 1'b0;
    end else if (state_q == Check) status_owed_q <= 1'b1;

    if (rst_i || (state_q == Idle && state_d != Idle)) descriptors_q <= '0;
    else if (state_q == Next) descriptors_q <= descriptors_q + 16'd1;

    if (state_q == KeepConfig && reg_ready_i) kept_config_q <= reg_data_i;
    if (state_q == KeepIntr && reg_ready_i) kept_intr_q <= reg_data_i[4:0];
  end

  assign running_o = state_q != Idle;
  assign cause_o = cause_q;
  assign fault_o = {fault_q, 2'b00};
  assign descriptor_o = {descriptor_addr_q, 5'b00000};
  assign descriptors_o = descriptors_q;
  assign done_o = state_q == End && cause_q == cause_e__none;
  assign error_o = state_q == End && cause_q != cause_e__none;
  assign interrupt_o = state_q == Next && descriptor.flags.reports;

  ////////////////////
  // The registers  //
  ////////////////////

  always_comb begin
    reg_valid_o = 1'b1;
    reg_write_o = 1'b1;
    reg_addr_o  = AddrCommand;
    reg_data_o  = '0;
    unique case (state_q)
      Look: begin
        reg_write_o = 1'b0;
        reg_addr_o  = AddrStatus;
      end
      KeepConfig: begin
        reg_write_o = 1'b0;
        reg_addr_o  = AddrConfig;
      end
      KeepIntr: begin
        reg_write_o = 1'b0;
        reg_addr_o  = AddrIntrState;
      end
      Config: begin
        reg_addr_o = AddrConfig;
        reg_data_o = ConfigStream | ConfigPackets | 32'(descriptor.function_code);
      end
      Start: reg_data_o = CommandStart;
      Length: begin
        reg_addr_o = AddrLength;
        reg_data_o = descriptor.output_length;
      end
      Tail: begin
        reg_addr_o = AddrTail;
        reg_data_o = {16'd0, descriptor.tail_text, 5'd0, descriptor.tail_bits};
      end
      Last: reg_data_o = CommandLast;
      Digest: begin
        reg_write_o = 1'b0;
        reg_addr_o  = AddrDigest;
      end
      Clear: reg_data_o = CommandClear;
      Restore: begin
        reg_addr_o = AddrConfig;
        reg_data_o = kept_config_q;
      end
      RestoreIntr: begin
        reg_addr_o = AddrIntrState;
        reg_data_o = IntrAll & ~32'(kept_intr_q);
      end
      default: reg_valid_o = 1'b0;
    endcase
  end

  ////////////////////
  // Memory         //
  ////////////////////

  assign read_start_o = fetch_begins || segment_begins;
  assign read_addr_o = (state_q == Fetch) ? {descriptor_addr_q, 3'(WordControl)} :
      descriptor.source_addr[31:2];
  assign read_words_o = (state_q == Fetch) ? 31'(WordStatus) : descriptor.source_words;
  assign read_stop_o = state_q == Drain;
  assign read_flush_o = state_q == Flush;
  assign segment_start_o = segment_begins;
  assign segment_first_o = descriptor.source_addr[2:0];
  assign segment_end_o = descriptor.source_end;
  assign finish_o = state_q == Finish;

  logic writes_status;
  assign writes_status = state_q == Status || state_q == FailStatus;
  assign put_o = writes_status || (state_q == Digest && reg_ready_i);
  assign put_data_o = !writes_status ? reg_data_i :
      (32'(cause_q) << CauseFrom) | 32'(cause_q == cause_e__none);
  assign write_valid_o = state_q == Write || state_q == StatusWrite || state_q == FailWrite;
  assign write_addr_o = (state_q == Write) ? burst_addr : {descriptor_addr_q, 3'(WordStatus)};
  assign write_len_o = (state_q == Write) ? burst_len : '0;
  assign write_bytes_o = (state_q == Write) ? burst_bytes : '1;

endmodule
