// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Front end with one slot: takes messages from a stream, feeds padded blocks to an engine and sends
// the digests (FIPS 202, section 4, the sponge).
//
// The next block is filled while the engine permutes the last one. A block goes to the engine in
// one clock, and its words are cleared in the next, except word 0, which every block begins with
// and which is written in that clock at the earliest. The engine is given room for a state
// (st_ready_o) only when the one before has left. So back-pressure stops the engine before its last
// round, and nothing is lost. A state of 21 lanes leaves in 21 clocks of 24. Two forms of the
// output:
//
//   others  each lane is recovered as the change in the register's parity when that lane is cleared
//   ECP5    macro HF_ECP5 and StatesInBlockRam = 1: hf_keccak_store, a block RAM for each
//           slice, and a queue. The first beat of a state comes five clocks later.
//
// When an open output is stopped, the rest of the state that is being sent is discarded. The latest
// squeeze that has begun ends the output; the states before it are dropped.
//
// Errors are those of hf_keccak_pad. An error beat is sent in the message's place.

module hf_keccak_sponge
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  bit          StatesInBlockRam = 1'b0,  // the ECP5 form, if the macro is set
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,
    input  logic                 stop_i,

    // The engine contract (docs/reference/contract.md), for one slot.
    output logic                  blk_valid_o,
    input  logic                  blk_ready_i,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic [StateWidth-1:0] blk_o,
    input  logic                  st_valid_i,
    output logic                  st_ready_o,
    input  logic [StateWidth-1:0] st_i
);

  localparam int unsigned WordsPerLane = LaneWidth / DataWidth;
  localparam int unsigned NumWords = MaxRateLanes * WordsPerLane;  // words of the largest rate
  localparam int unsigned AddrWidth = $clog2(NumWords + 1);
  localparam int unsigned TailWidth = $clog2(DataWidth);

  // The output of a state: `count` words. The last word of the digest has `tail` valid bits (0:
  // all).
  typedef struct packed {
    logic [AddrWidth-1:0] count;  // number of words
    logic                 final_block;  // the output ends with this state
    logic [TailWidth-1:0] tail;
    logic                 empty;  // the last word is an empty beat
    logic                 open;  // an open output
    logic [TidWidth-1:0]  tid;
  } output_t;

  ////////////////////
  // Block          //
  ////////////////////

  logic word_valid, word_ready, word_end, word_first, word_last;
  logic [NumWords-1:0] word_at;  // word's place in the block, one-hot
  logic [DataWidth-1:0] word;
  output_t word_output;
  logic error, error_done;
  logic full_q;  // a complete block is in block_q
  // The open output ends: with the block in block_q, or with the pad's next block.
  logic stop_next, stop;
  logic [TidWidth-1:0] error_tid;

  hf_keccak_pad #(
      .DataWidth(DataWidth),
      .TidWidth (TidWidth),
      .Packets  (Packets)
  ) u_pad (
      .clk_i,
      .rst_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tlast_i,
      .s_tid_i,
      .s_tuser_i,
      .word_valid_o(word_valid),
      .word_ready_i(word_ready),
      .word_at_o   (word_at),
      .word_o      (word),
      .word_end_o  (word_end),
      .word_first_o(word_first),
      .word_last_o (word_last),
      .word_count_o(word_output.count),
      .word_final_o(word_output.final_block),
      .word_tail_o (word_output.tail),
      .word_empty_o(word_output.empty),
      .word_open_o (word_output.open),
      .word_tid_o  (word_output.tid),
      .end_i       (stop && !full_q),
      .cancel_i    (stop && full_q),
      .error_o     (error),
      .error_tid_o (error_tid),
      .error_done_i(error_done)
  );

  logic [NumWords-1:0][DataWidth-1:0] block_q;
  logic [NumWords-1:0] write;  // writes a word of the block
  logic handshake, clear_q;  // the block is accepted; its words are cleared

  assign handshake  = blk_valid_o && blk_ready_i;
  // Not in the clock of a stop, in which full_q selects the block that ends the output.
  assign word_ready = !full_q && !stop;

  always_ff @(posedge clk_i) begin
    clear_q <= rst_i || handshake || error_done;
    stop    <= stop_next;
  end

  for (genvar i = 0; i < NumWords; i++) begin : gen_write
    assign write[i] = word_valid && word_ready && word_at[i];
  end

  always_ff @(posedge clk_i) begin
    if (write[0]) block_q[0] <= word;
    for (int unsigned i = 1; i < NumWords; i++) begin
      if (clear_q) block_q[i] <= '0;
      else if (write[i]) block_q[i] <= word;
    end
  end

  // Output of the block in block_q; the same, or ended by a stop.
  output_t block_output_q, block_output;
  always_comb begin
    block_output = block_output_q;
    if (stop) begin
      block_output.final_block = 1'b1;
      block_output.count = AddrWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) full_q <= 1'b0;
    else if (word_valid && word_ready) full_q <= word_end;
    else if (handshake) full_q <= 1'b0;
    block_output_q <= block_output;
    if (word_valid && word_ready && word_end) begin
      blk_first_o    <= word_first;
      blk_last_o     <= word_last;
      block_output_q <= word_output;
    end
  end

  assign blk_valid_o = full_q;
  assign blk_o = StateWidth'(block_q);

  ////////////////////
  // Under way      //
  ////////////////////

  // Pending states, oldest first. At most two, because a squeeze is accepted before the state from
  // which it continues has left.
  output_t pending_q[2];  // outputs of the states under way
  logic [1:0] pending_valid_q;
  logic promise;  // a block with output is accepted
  assign promise = handshake && blk_last_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) pending_valid_q <= 2'b00;
    else begin
      unique case ({promise, st_valid_i})
        2'b10:   pending_valid_q <= {pending_valid_q[0], 1'b1};
        2'b01:   pending_valid_q <= {1'b0, pending_valid_q[1]};
        default: pending_valid_q <= pending_valid_q;
      endcase
    end
    if (st_valid_i) pending_q[0] <= pending_q[1];
    if (promise) begin
      if (!pending_valid_q[0] || (st_valid_i && !pending_valid_q[1])) pending_q[0] <= block_output;
      else pending_q[1] <= block_output;
    end
  end

  ////////////////////
  // Digest         //
  ////////////////////

`ifdef HF_ECP5
  localparam bit UsesBlockRam = StatesInBlockRam;  // the block RAM form
`else
  localparam bit UsesBlockRam = 1'b0;
  logic unused_choice;
  assign unused_choice = StatesInBlockRam;
`endif  // HF_ECP5

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    logic                 last;
    logic [TidWidth-1:0]  tid;
    logic [4:0]           user;
  } beat_t;

  logic [DataWidth-1:0] digest_word;
  logic [AddrWidth-1:0] count_q;  // words of the state that are not read yet
  // The output ends; the state's last word; a state is being read; open.
  logic final_q, last_word_q, busy_q, open_q;
  logic [2:0] tail_bits_q;  // valid bits in the digest's last byte
  logic [TidWidth-1:0] tid_q;
  logic ask;  // reads the next word of the state
  logic advance;  // the word is valid in the next clock
  logic ends;  // and ends the digest
  logic part_valid_q;  // the word is valid
  logic gather;  // the word becomes a beat
  logic queued;  // words are being read or a beat is stored, beyond part_valid_q
  logic beat_valid_q;
  beat_t beat_q;

  hf_axis_stop u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (1'b0),
      .stop_o(stop_next)
  );

  // Set in the clock of stop_next, not of `stop`: a reset between the two would be missed.
  logic drop_q, drop;  // drop states of a stopped output, except the one that ends it
  assign drop = drop_q && !pending_q[0].final_block;
  always_ff @(posedge clk_i) begin
    if (rst_i) drop_q <= 1'b0;
    else if (stop_next) drop_q <= 1'b1;
    else if (st_valid_i && pending_q[0].final_block) drop_q <= 1'b0;
  end

  if (UsesBlockRam) begin : gen_slices
    // The engine delivers no state before the last word is read, so the fields of a state stay
    // valid until that word arrives.
    logic row_q;  // row for the next state; the other row is read
    logic [AddrWidth-1:0] word_q;  // the word to be read
    // That number of clocks ago: a word was read; it was the state's last.
    logic [2:1] asked_q, last_q;
    logic half, unused_some;
    logic [LaneWidth-1:0] lane;  // a lane read from the store
    beat_t port_beat;

    assign ask = busy_q && !half;
    assign advance = asked_q[2];
    assign ends = last_q[2] && final_q;
    assign gather = part_valid_q;
    assign st_ready_o = !busy_q;
    assign queued = |asked_q || half;

    always_ff @(posedge clk_i) begin
      row_q   <= !rst_i && (row_q ^ st_valid_i);
      asked_q <= (rst_i || stop) ? '0 : {asked_q[1], ask};
      last_q  <= {last_q[1], last_word_q};
      if (st_valid_i) word_q <= '0;
      else if (ask) word_q <= word_q + AddrWidth'(1);
    end

    hf_keccak_store #(
        .DataWidth(LaneWidth),
        .RowBits  (1),
        .Soon     (1'b0)
    ) u_store (
        .clk_i,
        .rst_i,
        .soon_i     (1'b0),
        .soon_row_i (1'b0),
        .write_i    (st_valid_i),
        .write_row_i(row_q),
        .state_i    (StateWidth'(st_i[MaxRateLanes*LaneWidth-1:0])),
        .read_row_i (!row_q),
        .read_word_i(5'(word_q >> $clog2(WordsPerLane))),
        .read_data_o(lane)
    );

    if (WordsPerLane == 1) begin : gen_lane
      assign digest_word = lane;
    end else begin : gen_part
      logic [3:1][$clog2(WordsPerLane)-1:0] part_q;  // which part of the lane
      always_ff @(posedge clk_i) part_q <= {part_q[2:1], ($clog2(WordsPerLane))'(word_q)};
      assign digest_word = lane[DataWidth*part_q[3]+:DataWidth];
    end

    // Up to four words may follow once the queue is half full.
    hf_axis_queue #(
        .Width($bits(beat_t)),
        .Bits (4)
    ) u_queue (
        .clk_i,
        .rst_i,
        .write_i(beat_valid_q),
        .data_i (beat_q),
        .half_o (half),
        .some_o (unused_some),
        .valid_o(m_tvalid_o),
        .ready_i(m_tready_i),
        .data_o (port_beat)
    );
    assign {m_tdata_o, m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o} = port_beat;
  end else begin : gen_parity
    // Lanes leave without a multiplexer. `rest` is the parity of the lanes in the register. The
    // next lane is cleared by the reset of its flip-flops, and equals the change of the parity.
    logic [MaxRateLanes-1:0][LaneWidth-1:0] digest_q;  // the lanes still to be sent
    logic [MaxRateLanes-1:0] lane_q;  // one-hot: the lane that leaves next
    // Before_q: the parity before that lane was cleared.
    logic [LaneWidth-1:0] lane, rest, before_q;
    logic alone_q;  // before_q is the lane itself, so the register is not needed
    logic lane_begins;  // the word read is the lane's first

    assign ask = busy_q && (!part_valid_q || gather);
    assign advance = ask;
    assign ends = last_word_q && final_q;
    assign gather = part_valid_q && (!beat_valid_q || m_tready_i);
    assign st_ready_o = !busy_q && (!part_valid_q || alone_q);
    assign queued = beat_valid_q && !m_tready_i;

    always_comb begin
      rest = '0;
      for (int unsigned i = 0; i < MaxRateLanes; i++) rest ^= digest_q[i];
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < MaxRateLanes; i++) begin
        if (ask && lane_begins && lane_q[i]) digest_q[i] <= '0;
        else if (st_valid_i) digest_q[i] <= st_i[LaneWidth*i+:LaneWidth];
      end
      if (st_valid_i) lane_q <= MaxRateLanes'(1);
      else if (ask && lane_begins) lane_q <= lane_q << 1;
      if (ask && lane_begins) begin
        before_q <= rest;
        alone_q  <= lane_q[MaxRateLanes-1];
      end else if (WordsPerLane > 1 && part_valid_q) begin
        // A lane of several words is kept in before_q, so that the register is soon free.
        before_q <= lane;
        alone_q  <= 1'b1;
      end
    end

    assign lane = before_q ^ (rest & {LaneWidth{!alone_q}});
    if (WordsPerLane == 1) begin : gen_lane
      assign digest_word = lane;
      assign lane_begins = 1'b1;
    end else begin : gen_part
      logic [$clog2(WordsPerLane)-1:0] word_q, gather_word_q;  // which word of the lane
      always_ff @(posedge clk_i) begin
        if (st_valid_i) word_q <= '0;
        else if (ask) word_q <= word_q + 1'b1;
        if (ask) gather_word_q <= word_q;
      end
      assign digest_word = lane[DataWidth*gather_word_q+:DataWidth];
      assign lane_begins = word_q == '0;
    end

    assign m_tvalid_o = beat_valid_q;
    assign {m_tdata_o, m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o} = beat_q;
  end

  // Bytes of the digest's last word that are sent whole, or not at all, and the valid bits of the
  // byte between them.
  output_t next;  // output of the next state
  logic [KeepWidth-1:0] whole, none, whole_q, none_q;
  logic [7:0] cut_q;
  assign next = pending_q[0];
  for (genvar b = 0; b < KeepWidth; b++) begin : gen_byte
    assign whole[b] = next.tail == '0 || 32'(next.tail) / 8 > b;
    assign none[b]  = next.empty || (next.tail != '0 && 32'(next.tail) <= 8 * b);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else if (st_valid_i) busy_q <= !drop;
    else if (stop || (ask && last_word_q)) busy_q <= 1'b0;

    if (st_valid_i) begin
      count_q     <= next.count;
      final_q     <= next.final_block;
      tail_bits_q <= next.tail[2:0];
      tid_q       <= next.tid;
      open_q      <= next.open;
      last_word_q <= next.count == AddrWidth'(1);
      whole_q     <= whole;
      none_q      <= none;
      cut_q       <= ~(8'hff << next.tail[2:0]);
    end else if (ask) begin
      count_q     <= count_q - AddrWidth'(1);
      last_word_q <= count_q == AddrWidth'(2);
    end
  end

  logic part_ends_q;  // the word ends the digest
  logic [DataWidth-1:0] part_mask_q;  // its valid bits
  logic [KeepWidth-1:0] part_none_q;  // its bytes that are not sent
  logic [2:0] part_bits_q;  // valid bits in its last byte
  logic part_open_q;
  logic [TidWidth-1:0] part_tid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) part_valid_q <= 1'b0;
    else part_valid_q <= advance || (part_valid_q && !gather);
    if (advance) begin
      part_ends_q <= ends;
      // Written so that synthesis uses the registers' set instead of a LUT.
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        if (!ends || whole_q[b]) part_mask_q[8*b+:8] <= '1;
        else part_mask_q[8*b+:8] <= cut_q;
      end
      part_none_q <= none_q & {KeepWidth{ends}};
      part_bits_q <= ends ? tail_bits_q : 3'd0;
      part_tid_q  <= tid_q;
      part_open_q <= open_q;
    end
  end

  // An error is sent when all that came before it has left, or waits in front of the port.
  logic quiet;  // no message word, block, state or beat is pending
  assign quiet = !word_valid && !full_q && pending_valid_q == 2'b00 && !busy_q && !part_valid_q &&
      !queued;
  assign error_done = error && quiet;

  always_ff @(posedge clk_i) begin
    if (rst_i) beat_valid_q <= 1'b0;
    else beat_valid_q <= gather || error_done || (beat_valid_q && !UsesBlockRam && !m_tready_i);

    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (error_done || (gather && part_none_q[b])) beat_q.data[8*b+:8] <= '0;
      else if (gather) beat_q.data[8*b+:8] <= digest_word[8*b+:8] & part_mask_q[8*b+:8];
    end
    if (gather) begin
      beat_q.keep <= ~part_none_q;
      beat_q.last <= part_ends_q;
      beat_q.tid  <= part_tid_q;
      beat_q.user <= {part_open_q, part_bits_q, 1'b0};
    end else if (error_done) begin
      beat_q.keep <= '0;
      beat_q.last <= 1'b1;
      beat_q.tid  <= error_tid;
      beat_q.user <= 5'b00001;
    end
  end

  // Only the rate is sent.
  logic unused_capacity;
  assign unused_capacity = ^st_i[StateWidth-1:MaxRateLanes*LaneWidth];

endmodule
