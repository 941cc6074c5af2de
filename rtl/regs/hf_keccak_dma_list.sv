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
  import hf_keccak_pkg::function_info;
  import hf_keccak_pkg::function_info_t;
  import hf_keccak_pkg::function_known;
  import hf_keccak_pkg::FunctionWidth;
(
    input logic clk_i,
    input logic rst_i,

    input  logic            start_i,       // of no effect while a list runs
    input  logic            abort_i,       // of no effect while none runs
    input  logic     [31:5] head_i,
    output logic            running_o,
    output cause_e_e        cause_o,
    output logic     [31:0] fault_o,
    output logic     [31:0] descriptor_o,
    output logic     [15:0] descriptors_o, // that are done
    output logic            done_o,        // events
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
    output logic [1:0] segment_first_o,
    output logic [1:0] segment_end_o,
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
    Look,        // at STATUS: is the peripheral idle?
    KeepConfig,
    KeepIntr,
    Fetch,
    Load,        // the words of a descriptor
    Check,
    Config,
    Start,
    Data,
    Finish,
    Length,
    Tail,
    Last,
    Chunk,       // the size of the next burst of the digest
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
  logic abort_q;
  cause_e_e cause_q;
  logic [31:2] fault_q;
  logic message_q;  // a message has begun and not ended
  logic owed_q;  // the descriptor in hand has no status yet
  logic [15:0] descriptors_q;
  logic [31:0] kept_config_q;
  logic [4:0] kept_intr_q;

  ////////////////////
  // The descriptor //
  ////////////////////

  // A word of it is registered, and goes to its place in the next clock.
  logic [2:0] index_q, raw_index_q;
  logic raw_valid_q;
  logic [31:0] raw_q;

  logic [31:5] here_q, next_q;
  logic [31:2] digest_q;
  logic [1:0] digest_low_q;
  logic [4:0] next_low_q;
  flags_t flags_q;
  logic unused_bits_q;  // bits are set that have no meaning
  logic [7:0] function_q;
  logic known_q;
  logic [4:0] own_words_q;  // the function's output in words; 0: any length
  function_info_t info;
  logic unused_info;
  logic [31:0] source_q, length_q;
  logic [30:0] words_q;
  logic [1:0] end_q;
  logic nothing_q;  // no source bytes
  logic no_length_q;
  logic [10:0] tail_q;
  logic [27:0] left_q;  // words of the digest that are not written
  logic legal;

  assign word_take_o = state_q == Load && word_valid_i;
  assign info = function_info(FunctionWidth'(function_q));
  assign unused_info = ^{info.rate_lanes, info.suffix, info.suffix_len};

  always_ff @(posedge clk_i) begin
    index_q     <= (state_q == Load) ? index_q + 3'(word_take_o) : '0;
    raw_valid_q <= word_take_o;
    raw_index_q <= index_q;
    if (word_take_o) raw_q <= word_i;

    if (raw_valid_q) begin
      unique case (raw_index_q)
        3'(WordControl): begin
          flags_q       <= flags_t'(raw_q[8+:$bits(flags_t)]);
          unused_bits_q <= raw_q[31:UnusedFrom] != '0;
          if (raw_q[8]) function_q <= raw_q[7:0];
        end
        3'(WordSource): source_q <= raw_q;
        3'(WordBytes): begin
          words_q   <= 31'((34'(raw_q) + 34'(source_q[1:0]) + 34'd3) >> 2);
          end_q     <= raw_q[1:0] + source_q[1:0];
          nothing_q <= raw_q == '0;
        end
        3'(WordLength): begin
          length_q    <= raw_q;
          no_length_q <= raw_q == '0 || raw_q == '1;
        end
        3'(WordTail): tail_q <= {raw_q[15:8], raw_q[2:0]};
        3'(WordDigest): digest_low_q <= raw_q[1:0];
        default: {next_q, next_low_q} <= raw_q;
      endcase
    end
    known_q     <= function_known(function_q);
    own_words_q <= info.digest_words;
  end

  assign legal = !unused_bits_q && (flags_q.begins != message_q) && known_q &&
      !(flags_q.last_of_list && !flags_q.ends) &&
      !(flags_q.ends && digest_low_q != '0) &&
      !(flags_q.ends && own_words_q == '0 && no_length_q) &&
      !(!flags_q.last_of_list && next_low_q != '0);

  ////////////////////
  // The digest     //
  ////////////////////

  logic [4:0] to_boundary, chunk, chunk_q;
  logic fits;  // the rest of the digest is one burst
  logic [3:0] count_q;  // words of the burst that are still to be read, less one
  logic final_q;  // the burst is the digest's last
  logic [3:0] last_bytes;

  assign to_boundary = 5'(WriteWords) - {1'b0, digest_q[5:2]};
  assign fits = left_q[27:5] == '0 && left_q[4:0] <= to_boundary;
  assign chunk = fits ? left_q[4:0] : to_boundary;
  always_comb begin
    last_bytes = '1;
    if (own_words_q == '0 && length_q[4:0] != '0) begin
      for (int unsigned b = 1; b < 4; b++) last_bytes[b] = length_q[4:0] > 5'(8 * b);
    end
  end

  always_ff @(posedge clk_i) begin
    if (raw_valid_q && raw_index_q == 3'(WordDigest)) digest_q <= raw_q[31:2];
    else if (state_q == Write && write_done_i) digest_q <= digest_q + 30'(chunk_q);

    if (state_q == Check) begin
      left_q <= (own_words_q != '0) ? 28'(own_words_q) : 28'((33'(length_q) + 33'd31) >> 5);
    end else if (state_q == Write && write_done_i) begin
      left_q <= left_q - 28'(chunk_q);
    end

    if (state_q == Chunk) begin
      chunk_q <= chunk;
      count_q <= 4'(chunk - 5'd1);
      final_q <= fits;
    end else if (state_q == Digest && reg_ready_i) begin
      count_q <= count_q - 4'd1;
    end
  end

  ////////////////////
  // What is done   //
  ////////////////////

  logic stop, stops;  // the list is to stop; it does in this clock
  logic loaded;
  cause_e_e cause;
  logic [31:2] fault;
  assign stop   = abort_q || read_error_i;
  assign loaded = raw_valid_q && raw_index_q == 3'(WordNext);

  always_comb begin
    state_d = state_q;
    stops   = 1'b0;
    cause   = read_error_i ? cause_e__data_read : cause_e__aborted;
    fault   = read_error_i ? read_error_addr_i : '0;
    unique case (state_q)
      Idle: if (start_i && !abort_i) state_d = Look;

      // Nothing is changed before the peripheral is known to be idle.
      Look: begin
        if (reg_ready_i) begin
          if (stop) state_d = End;
          else if (reg_data_i[2:0] == phase_e__idle) state_d = KeepConfig;
          else if (reg_data_i[2:0] != phase_e__change) begin
            state_d = End;
            cause   = cause_e__busy;
          end
        end
        stops = state_d == End;
      end
      KeepConfig: if (reg_ready_i) state_d = KeepIntr;
      KeepIntr: if (reg_ready_i) state_d = Fetch;

      Fetch: begin
        if (stop) stops = 1'b1;
        else state_d = Load;
      end
      Load: begin
        if (read_error_i) cause = cause_e__descriptor_read;
        if (stop) stops = 1'b1;
        else if (loaded) state_d = Check;
      end
      Check: begin
        if (stop) stops = 1'b1;
        else if (!legal) begin
          stops = 1'b1;
          cause = cause_e__illegal;
          fault = {here_q, 3'(WordControl)};
        end else state_d = flags_q.begins ? Config : Data;
      end

      Config: begin
        if (reg_ready_i) begin
          state_d = Start;
          stops   = stop;
        end
      end
      Start: begin
        if (reg_ready_i) begin
          state_d = Data;
          stops   = stop;
        end
      end
      Data: begin
        if (stop) stops = 1'b1;
        else if (!segment_busy_i) state_d = flags_q.ends ? Finish : Status;
      end
      Finish: begin
        if (stop) stops = 1'b1;
        else if (empty_i) state_d = Length;
      end
      Length: begin
        if (reg_ready_i) begin
          state_d = Tail;
          stops   = stop;
        end
      end
      Tail: begin
        if (reg_ready_i) begin
          state_d = Last;
          stops   = stop;
        end
      end
      Last: begin
        if (reg_ready_i) begin
          state_d = Chunk;
          stops   = stop;
        end
      end

      Chunk: begin
        if (stop) stops = 1'b1;
        else state_d = Digest;
      end
      Digest: begin
        if (reg_ready_i) begin
          if (count_q == '0) state_d = Write;
          stops = stop;
        end
      end
      Write: begin
        if (write_done_i) begin
          state_d = final_q ? Status : Chunk;
          if (write_error_i) begin
            stops = 1'b1;
            cause = cause_e__digest_write;
            fault = digest_q;
          end else if (stop && !final_q) stops = 1'b1;
        end
      end

      Status: state_d = StatusWrite;
      StatusWrite: begin
        if (write_done_i) begin
          state_d = Next;
          if (write_error_i) begin
            stops = 1'b1;
            cause = cause_e__status_write;
            fault = {here_q, 3'(WordStatus)};
          end
        end
      end
      Next: begin
        if (flags_q.last_of_list) state_d = Restore;
        else if (stop) stops = 1'b1;
        else state_d = Fetch;
      end

      Drain: if (!read_open_i) state_d = Flush;
      Flush: state_d = Clear;
      Clear: if (reg_ready_i) state_d = Restore;
      Restore: if (reg_ready_i) state_d = RestoreIntr;
      RestoreIntr: if (reg_ready_i) state_d = owed_q ? FailStatus : End;
      FailStatus: state_d = FailWrite;
      FailWrite: if (write_done_i) state_d = End;
      default: state_d = Idle;
    endcase
    if (stops && state_q != Look) state_d = Drain;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) state_q <= Idle;
    else state_q <= state_d;

    abort_q <= !rst_i && state_q != Idle && (abort_i || abort_q);

    if (rst_i || (state_q == Idle && state_d != Idle)) begin
      cause_q <= cause_e__none;
      fault_q <= '0;
    end else if (stops) begin
      cause_q <= cause;
      fault_q <= fault;
    end

    if (rst_i) here_q <= '0;
    else if (state_q == Idle && state_d != Idle) here_q <= head_i;
    else if (state_q == Next && state_d == Fetch) here_q <= next_q;

    if (state_q == Idle) message_q <= 1'b0;
    else if (state_q == Check) message_q <= !flags_q.ends;

    if (state_q == Idle || state_q == Next || (stops && cause == cause_e__status_write)) begin
      owed_q <= 1'b0;
    end else if (state_q == Check) owed_q <= 1'b1;

    if (rst_i || (state_q == Idle && state_d != Idle)) descriptors_q <= '0;
    else if (state_q == Next) descriptors_q <= descriptors_q + 16'd1;

    if (state_q == KeepConfig && reg_ready_i) kept_config_q <= reg_data_i;
    if (state_q == KeepIntr && reg_ready_i) kept_intr_q <= reg_data_i[4:0];
  end

  assign running_o = state_q != Idle;
  assign cause_o = cause_q;
  assign fault_o = {fault_q, 2'b00};
  assign descriptor_o = {here_q, 5'b00000};
  assign descriptors_o = descriptors_q;
  assign done_o = state_q == End && cause_q == cause_e__none;
  assign error_o = state_q == End && cause_q != cause_e__none;
  assign interrupt_o = state_q == Next && flags_q.reports;

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
        reg_data_o = ConfigStream | ConfigPackets | 32'(function_q);
      end
      Start: reg_data_o = CommandStart;
      Length: begin
        reg_addr_o = AddrLength;
        reg_data_o = length_q;
      end
      Tail: begin
        reg_addr_o = AddrTail;
        reg_data_o = {16'd0, tail_q[10:3], 5'd0, tail_q[2:0]};
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

  // The message is read while the hash begins.
  logic segment;
  assign segment = state_q == Check && !stops && !nothing_q;
  assign read_start_o = (state_q == Fetch && !stops) || segment;
  assign read_addr_o = (state_q == Fetch) ? {here_q, 3'(WordControl)} : source_q[31:2];
  assign read_words_o = (state_q == Fetch) ? 31'(WordStatus) : words_q;
  assign read_stop_o = state_q == Drain;
  assign read_flush_o = state_q == Flush;
  assign segment_start_o = segment;
  assign segment_first_o = source_q[1:0];
  assign segment_end_o = end_q;
  assign finish_o = state_q == Finish;

  logic of_status;
  assign of_status = state_q == Status || state_q == FailStatus;
  assign put_o = of_status || (state_q == Digest && reg_ready_i);
  assign put_data_o = !of_status ? reg_data_i :
      (32'(cause_q) << CauseFrom) | 32'(cause_q == cause_e__none);
  assign write_valid_o = state_q == Write || state_q == StatusWrite || state_q == FailWrite;
  assign write_addr_o = (state_q == Write) ? digest_q : {here_q, 3'(WordStatus)};
  assign write_len_o = (state_q == Write) ? 4'(chunk_q - 5'd1) : '0;
  assign write_bytes_o = (state_q == Write && final_q) ? last_bytes : '1;

endmodule
