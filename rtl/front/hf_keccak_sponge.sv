// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Front end with one slot: takes messages from a stream, feeds padded blocks to an engine and sends
// the digests (FIPS 202, section 4, the sponge).
//
// The next block is filled while the engine permutes the last one. A block goes to the engine in
// one clock, and its words are cleared in the next, except word 0, which every block begins with
// and which is written in that clock at the earliest. The engine is given room for a state
// (st_ready_o) only when the one before has left. So back-pressure stops the engine before its last
// round, and nothing is lost. A state of 21 lanes leaves in 21 clocks of 24. Three forms of the
// output:
//
//   others  each lane is recovered as the change in the register's parity when that lane is cleared
//   ECP5    macro HF_ECP5 and StatesInBlockRam = 1: hf_keccak_store, a block RAM for each
//           slice, and a queue. The first beat of a state comes five clocks later. With Shares > 1
//           it is hf_keccak_linear_store, a block RAM for each slice of a share, six clocks later.
//           A port that is slower than the engine then loses eight clocks a state.
//   shares  Shares > 1: lanes move to the front of the register. A share of a state is a sum, whose
//           LUT in front of the register has room for the move.
//
// A message in Boolean shares has one control for all of them, since lengths and functions are no
// secret. The data of a share meet no other's. The padding is added to share 0 only.
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
    parameter  int unsigned Shares = 1,  // of all data, side by side; share 0 in the low bits
    parameter  bit          RoundChoice = 1'b0,  // TurboSHAKE's functions too
    localparam bit UsesBlockRam = StatesInBlockRam && hf_ecp5_pkg::HasGearRam,
    // A share of a state, and the parities of its columns.
    localparam int unsigned StateBits = StateWidth +
        ((UsesBlockRam && Shares > 1) ? 5 * LaneWidth : 0),
    localparam int unsigned BlockWidth = Shares * StateWidth + 32'(RoundChoice),
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [Shares*DataWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [Shares*DataWidth-1:0] m_tdata_o,
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
    output logic [BlockWidth-1:0] blk_o,  // RoundChoice, one share: bit 1600 selects twelve rounds
    input  logic                  st_valid_i,
    output logic                  st_ready_o,
    // In the ECP5 form with Shares > 1: linear_o of hf_keccak_masked, a clock after st_valid_i, and
    // above it parity_o, with st_valid_i.
    input  logic [Shares*StateBits-1:0] st_i
);

  localparam int unsigned WordsPerLane = LaneWidth / DataWidth;
  localparam int unsigned NumWords = MaxRateLanes * WordsPerLane;  // words of the largest rate
  localparam int unsigned AddrWidth = $clog2(NumWords + 1);
  localparam int unsigned TailWidth = $clog2(DataWidth);

  // The output of a state: `word_count` words. The last word of the digest has `tail_bits` valid
  // bits (0: all).
  typedef struct packed {
    logic [AddrWidth-1:0] word_count;   // number of words
    logic                 final_block;  // the output ends with this state
    logic [TailWidth-1:0] tail_bits;
    logic                 empty_beat;   // the last word is an empty beat
    logic                 open_output;  // an open output
    logic [TidWidth-1:0]  tid;
  } output_t;

  ////////////////////
  // Block          //
  ////////////////////

  logic word_valid, word_ready, word_end, filled_first, filled_last;
  localparam int unsigned PlaceWidth = NumWords + 32'(RoundChoice);
  logic [PlaceWidth-1:0] word_place;  // as in hf_keccak_pad
  logic [Shares*DataWidth-1:0] word_data;
  output_t filled_output;
  logic error_valid, error_done;
  logic block_full_q;  // a complete block is in block_q
  // The open output ends: with the block in block_q, or with the pad's next block.
  logic output_stop_next, output_stop_q;
  logic [TidWidth-1:0] error_tid;

  hf_keccak_pad #(
      .DataWidth(DataWidth),
      .TidWidth (TidWidth),
      .Packets  (Packets),
      .Shares   (Shares),
      .RoundChoice(RoundChoice)
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
      .word_valid_o   (word_valid),
      .word_ready_i   (word_ready),
      .word_place_o   (word_place),
      .word_data_o    (word_data),
      .word_end_o     (word_end),
      .block_first_o  (filled_first),
      .block_output_o (filled_last),
      .output_count_o (filled_output.word_count),
      .output_final_o (filled_output.final_block),
      .output_tail_o  (filled_output.tail_bits),
      .output_empty_o (filled_output.empty_beat),
      .output_open_o  (filled_output.open_output),
      .output_tid_o   (filled_output.tid),
      .output_end_i   (output_stop_q && !block_full_q),
      .output_cancel_i(output_stop_q && block_full_q),
      .error_valid_o  (error_valid),
      .error_tid_o    (error_tid),
      .error_done_i   (error_done)
  );

  logic [NumWords-1:0][DataWidth-1:0] block_q;
  logic [NumWords-1:0] word_write;  // writes a word of the block
  logic block_taken, block_clear_q;  // the block is accepted; its words are cleared

  assign block_taken = blk_valid_o && blk_ready_i;
  // Not in the clock of a stop, in which block_full_q selects the block that ends the output.
  assign word_ready  = !block_full_q && !output_stop_q;

  always_ff @(posedge clk_i) begin
    block_clear_q <= rst_i || block_taken || error_done;
    output_stop_q <= output_stop_next;
  end

  for (genvar i = 0; i < NumWords; i++) begin : gen_write
    assign word_write[i] = word_valid && word_ready && word_place[i];
  end

  always_ff @(posedge clk_i) begin
    if (word_write[0]) block_q[0] <= word_data[DataWidth-1:0];
    for (int unsigned i = 1; i < NumWords; i++) begin
      if (block_clear_q) block_q[i] <= '0;
      else if (word_write[i]) block_q[i] <= word_data[DataWidth-1:0];
    end
  end

  // Output of the block in block_q; the same, or ended by a stop.
  output_t block_output_q, block_output;
  always_comb begin
    block_output = block_output_q;
    if (output_stop_q) begin
      block_output.final_block = 1'b1;
      block_output.word_count  = AddrWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) block_full_q <= 1'b0;
    else if (word_valid && word_ready) block_full_q <= word_end;
    else if (block_taken) block_full_q <= 1'b0;
    block_output_q <= block_output;
    if (word_valid && word_ready && word_end) begin
      blk_first_o    <= filled_first;
      blk_last_o     <= filled_last;
      block_output_q <= filled_output;
    end
  end

  assign blk_valid_o = block_full_q;
  if (RoundChoice) begin : gen_choice
    logic twelve_q;
    always_ff @(posedge clk_i) begin
      if (word_valid && word_ready && word_end) twelve_q <= word_place[PlaceWidth-1];
    end
    assign blk_o = {twelve_q, StateWidth'(block_q)};
  end else if (Shares > 1) begin : gen_shares
    assign blk_o[StateWidth-1:0] = StateWidth'(block_q);
    for (genvar s = 1; s < Shares; s++) begin : gen_share
      logic [NumWords-1:0][DataWidth-1:0] share_q;
      always_ff @(posedge clk_i) begin
        if (word_write[0]) share_q[0] <= word_data[DataWidth*s+:DataWidth];
        for (int unsigned i = 1; i < NumWords; i++) begin
          if (block_clear_q) share_q[i] <= '0;
          else if (word_write[i]) share_q[i] <= word_data[DataWidth*s+:DataWidth];
        end
      end
      assign blk_o[StateWidth*s+:StateWidth] = StateWidth'(share_q);
    end
  end else begin : gen_no_choice
    assign blk_o = StateWidth'(block_q);
  end

  ////////////////////
  // Under way      //
  ////////////////////

  // Pending states, oldest first. At most two, because a squeeze is accepted before the state from
  // which it continues has left.
  output_t pending_outputs_q[2];  // outputs of the states under way
  logic [1:0] pending_valid_q;
  logic output_promised;  // a block with output is accepted
  assign output_promised = block_taken && blk_last_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) pending_valid_q <= 2'b00;
    else begin
      unique case ({output_promised, st_valid_i})
        2'b10:   pending_valid_q <= {pending_valid_q[0], 1'b1};
        2'b01:   pending_valid_q <= {1'b0, pending_valid_q[1]};
        default: pending_valid_q <= pending_valid_q;
      endcase
    end
    if (st_valid_i) pending_outputs_q[0] <= pending_outputs_q[1];
    if (output_promised) begin
      if (!pending_valid_q[0] || (st_valid_i && !pending_valid_q[1])) begin
        pending_outputs_q[0] <= block_output;
      end else pending_outputs_q[1] <= block_output;
    end
  end

  ////////////////////
  // Digest         //
  ////////////////////

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    logic                 last;
    logic [TidWidth-1:0]  tid;
    logic [4:0]           user;
  } beat_t;

  logic [Shares*DataWidth-1:0] digest_word;
  logic [AddrWidth-1:0] count_q;  // words of the state that are not read yet
  // The output ends; the state's last word; a state is being read; open.
  logic output_final_q, last_word_q, output_busy_q, open_q;
  logic [2:0] tail_bits_q;  // valid bits in the digest's last byte
  logic [TidWidth-1:0] tid_q;
  logic read_word;  // reads the next word of the state
  logic word_arrives;  // the word is valid in the next clock
  logic word_ends_output;  // and ends the digest
  logic digest_valid_q;  // the word is valid
  logic load_beat;  // the word becomes a beat
  logic beats_queued;  // words are being read or a beat is stored, beyond digest_valid_q
  logic port_valid_q;
  beat_t port_beat_q;

  hf_axis_stop u_stop (
      .clk_i,
      .rst_i,
      .stop_i,
      .take_i(m_tvalid_o && m_tready_i),
      .last_i(m_tlast_o),
      .open_i(m_tuser_o[4]),
      .tid_i (1'b0),
      .stop_o(output_stop_next)
  );

  // Set in the clock of output_stop_next, not of output_stop_q: a reset between the two would be
  // missed.
  logic drop_states_q, drop_state;  // drop states of a stopped output, except the one that ends it
  assign drop_state = drop_states_q && !pending_outputs_q[0].final_block;
  always_ff @(posedge clk_i) begin
    if (rst_i) drop_states_q <= 1'b0;
    else if (output_stop_next) drop_states_q <= 1'b1;
    else if (st_valid_i && pending_outputs_q[0].final_block) drop_states_q <= 1'b0;
  end

  if (UsesBlockRam) begin : gen_slices
    // The engine delivers no state before the last word is read, so the fields of a state stay
    // valid until that word arrives.
    // That number of clocks ago: a word was read; it was the state's last.
    logic [2:1] word_read_q, last_read_q;
    logic queue_half, unused_queued;
    logic store_ready;  // words may be read
    beat_t queue_beat;

    assign read_word = output_busy_q && !queue_half && store_ready;
    assign word_arrives = word_read_q[2];
    assign word_ends_output = last_read_q[2] && output_final_q;
    assign load_beat = digest_valid_q;
    assign st_ready_o = !output_busy_q;
    assign beats_queued = |word_read_q || queue_half;

    always_ff @(posedge clk_i) begin
      word_read_q <= (rst_i || output_stop_q) ? '0 : {word_read_q[1], read_word};
      last_read_q <= {last_read_q[1], last_word_q};
    end

    if (Shares > 1) begin : gen_linear
      hf_keccak_linear_store #(
          .Shares   (Shares),
          .DataWidth(DataWidth)
      ) u_store (
          .clk_i,
          .rst_i,
          .write_i (st_valid_i),
          .parity_i(st_i[Shares*StateBits-1:Shares*StateWidth]),
          .linear_i(st_i[Shares*StateWidth-1:0]),
          .ready_o (store_ready),
          .read_i  (read_word),
          .data_o  (digest_word)
      );
    end else begin : gen_state
      logic write_row_q;  // row for the next state; the other row is read
      logic [AddrWidth-1:0] word_number_q;  // the word to be read
      logic [LaneWidth-1:0] digest_lane;  // a lane read from the store

      assign store_ready = 1'b1;
      always_ff @(posedge clk_i) begin
        write_row_q <= !rst_i && (write_row_q ^ st_valid_i);
        if (st_valid_i) word_number_q <= '0;
        else if (read_word) word_number_q <= word_number_q + AddrWidth'(1);
      end

      hf_keccak_store #(
          .DataWidth   (LaneWidth),
          .RowBits     (1),
          .HasWriteNext(1'b0)
      ) u_store (
          .clk_i,
          .rst_i,
          .write_next_i    (1'b0),
          .write_next_row_i(1'b0),
          .write_i         (st_valid_i),
          .write_row_i     (write_row_q),
          .state_i         (StateWidth'(st_i[MaxRateLanes*LaneWidth-1:0])),
          .read_row_i      (!write_row_q),
          .read_word_i     (5'(word_number_q >> $clog2(WordsPerLane))),
          .read_data_o     (digest_lane)
      );

      if (WordsPerLane == 1) begin : gen_lane
        assign digest_word = digest_lane;
      end else begin : gen_part
        logic [3:1][$clog2(WordsPerLane)-1:0] lane_part_q;  // which part of the lane
        always_ff @(posedge clk_i) begin
          lane_part_q <= {lane_part_q[2:1], ($clog2(WordsPerLane))'(word_number_q)};
        end
        assign digest_word = digest_lane[DataWidth*lane_part_q[3]+:DataWidth];
      end
    end

    // Up to four words may follow once the queue is half full.
    hf_axis_queue #(
        .Width($bits(beat_t)),
        .Bits (4)
    ) u_queue (
        .clk_i,
        .rst_i,
        .write_i(port_valid_q),
        .data_i (port_beat_q),
        .half_o (queue_half),
        .some_o (unused_queued),
        .valid_o(m_tvalid_o),
        .ready_i(m_tready_i),
        .data_o (queue_beat)
    );
    assign {m_tdata_o[DataWidth-1:0], m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o} = queue_beat;
  end else if (Shares > 1) begin : gen_lanes
    typedef logic [LaneWidth-1:0] lane_t;
    logic lane_begins;  // the word read is the lane's first
    logic [$clog2(WordsPerLane+1)-1:0] word_number_q, part_number_q;  // which word of the lane

    assign read_word = output_busy_q && (!digest_valid_q || load_beat);
    assign word_arrives = read_word;
    assign word_ends_output = last_word_q && output_final_q;
    assign load_beat = digest_valid_q && (!port_valid_q || m_tready_i);
    assign st_ready_o = !output_busy_q;
    assign beats_queued = port_valid_q && !m_tready_i;
    assign lane_begins = WordsPerLane == 1 || word_number_q == '0;

    always_ff @(posedge clk_i) begin
      if (st_valid_i || (read_word && 32'(word_number_q) == WordsPerLane - 1)) word_number_q <= '0;
      else if (read_word) word_number_q <= word_number_q + 1'b1;
      if (read_word) part_number_q <= word_number_q;
    end

    for (genvar s = 0; s < Shares; s++) begin : gen_share
      lane_t [MaxRateLanes-1:0] lanes_q;  // still to be sent
      lane_t lane_q;  // being sent
      assign digest_word[DataWidth*s+:DataWidth] =
          DataWidth'(lane_q >> (DataWidth * 32'(part_number_q)));
      always_ff @(posedge clk_i) begin
        if (st_valid_i) lanes_q <= st_i[StateWidth*s+:MaxRateLanes*LaneWidth];
        else if (read_word && lane_begins) lanes_q <= lanes_q >> LaneWidth;
        if (read_word && lane_begins) lane_q <= lanes_q[0];
      end
    end

    assign m_tvalid_o = port_valid_q;
    assign {m_tdata_o[DataWidth-1:0], m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o} = port_beat_q;
  end else begin : gen_parity
    // Lanes leave without a multiplexer. lanes_parity is the parity of the lanes in the register.
    // The next lane is cleared by the reset of its flip-flops, and equals the change of the parity.
    logic [MaxRateLanes-1:0][LaneWidth-1:0] digest_lanes_q;  // the lanes still to be sent
    logic [MaxRateLanes-1:0] next_lane_q;  // one-hot: the lane that leaves next
    // parity_before_q: the parity before that lane was cleared.
    logic [LaneWidth-1:0] digest_lane, lanes_parity, parity_before_q;
    logic lane_complete_q;  // parity_before_q is the lane itself, so the register is not needed
    logic lane_begins;  // the word read is the lane's first

    assign read_word = output_busy_q && (!digest_valid_q || load_beat);
    assign word_arrives = read_word;
    assign word_ends_output = last_word_q && output_final_q;
    assign load_beat = digest_valid_q && (!port_valid_q || m_tready_i);
    assign st_ready_o = !output_busy_q && (!digest_valid_q || lane_complete_q);
    assign beats_queued = port_valid_q && !m_tready_i;

    always_comb begin
      lanes_parity = '0;
      for (int unsigned i = 0; i < MaxRateLanes; i++) lanes_parity ^= digest_lanes_q[i];
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < MaxRateLanes; i++) begin
        if (read_word && lane_begins && next_lane_q[i]) digest_lanes_q[i] <= '0;
        else if (st_valid_i) digest_lanes_q[i] <= st_i[LaneWidth*i+:LaneWidth];
      end
      if (st_valid_i) next_lane_q <= MaxRateLanes'(1);
      else if (read_word && lane_begins) next_lane_q <= next_lane_q << 1;
      if (read_word && lane_begins) begin
        parity_before_q <= lanes_parity;
        lane_complete_q <= next_lane_q[MaxRateLanes-1];
      end else if (WordsPerLane > 1 && digest_valid_q) begin
        // A lane of several words is kept in parity_before_q, so that the register is soon free.
        parity_before_q <= digest_lane;
        lane_complete_q <= 1'b1;
      end
    end

    assign digest_lane = parity_before_q ^ (lanes_parity & {LaneWidth{!lane_complete_q}});
    if (WordsPerLane == 1) begin : gen_lane
      assign digest_word = digest_lane;
      assign lane_begins = 1'b1;
    end else begin : gen_part
      logic [$clog2(WordsPerLane)-1:0] word_number_q, part_number_q;  // which word of the lane
      always_ff @(posedge clk_i) begin
        if (st_valid_i) word_number_q <= '0;
        else if (read_word) word_number_q <= word_number_q + 1'b1;
        if (read_word) part_number_q <= word_number_q;
      end
      assign digest_word = digest_lane[DataWidth*part_number_q+:DataWidth];
      assign lane_begins = word_number_q == '0;
    end

    assign m_tvalid_o = port_valid_q;
    assign {m_tdata_o, m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o} = port_beat_q;
  end

  // Bytes of the digest's last word that are sent whole, or not at all, and the valid bits of the
  // byte between them.
  output_t next;  // output of the next state
  logic [KeepWidth-1:0] whole_bytes, absent_bytes, whole_bytes_q, absent_bytes_q;
  logic [7:0] partial_mask_q;
  assign next = pending_outputs_q[0];
  for (genvar b = 0; b < KeepWidth; b++) begin : gen_byte
    assign whole_bytes[b] = next.tail_bits == '0 || 32'(next.tail_bits) / 8 > b;
    assign absent_bytes[b] = next.empty_beat ||
        (next.tail_bits != '0 && 32'(next.tail_bits) <= 8 * b);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) output_busy_q <= 1'b0;
    else if (st_valid_i) output_busy_q <= !drop_state;
    else if (output_stop_q || (read_word && last_word_q)) output_busy_q <= 1'b0;

    if (st_valid_i) begin
      count_q   <= next.word_count;
      output_final_q <= next.final_block;
      tail_bits_q    <= next.tail_bits[2:0];
      tid_q   <= next.tid;
      open_q  <= next.open_output;
      last_word_q    <= next.word_count == AddrWidth'(1);
      whole_bytes_q  <= whole_bytes;
      absent_bytes_q <= absent_bytes;
      partial_mask_q <= ~(8'hff << next.tail_bits[2:0]);
    end else if (read_word) begin
      count_q <= count_q - AddrWidth'(1);
      last_word_q  <= count_q == AddrWidth'(2);
    end
  end

  logic digest_ends_q;  // the word ends the digest
  logic [DataWidth-1:0] digest_mask_q;  // its valid bits
  logic [KeepWidth-1:0] digest_absent_q;  // its bytes that are not sent
  logic [2:0] digest_bits_q;  // valid bits in its last byte
  logic digest_open_q;
  logic [TidWidth-1:0] digest_tid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) digest_valid_q <= 1'b0;
    else digest_valid_q <= word_arrives || (digest_valid_q && !load_beat);
    if (word_arrives) begin
      digest_ends_q <= word_ends_output;
      // Written so that synthesis uses the registers' set instead of a LUT.
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        if (!word_ends_output || whole_bytes_q[b]) digest_mask_q[8*b+:8] <= '1;
        else digest_mask_q[8*b+:8] <= partial_mask_q;
      end
      digest_absent_q <= absent_bytes_q & {KeepWidth{word_ends_output}};
      digest_bits_q <= word_ends_output ? tail_bits_q : 3'd0;
      digest_tid_q <= tid_q;
      digest_open_q <= open_q;
    end
  end

  // An error is sent when all that came before it has left, or waits in front of the port.
  logic nothing_pending;  // no message word, block, state or beat is pending
  assign nothing_pending = !word_valid && !block_full_q && pending_valid_q == 2'b00 &&
      !output_busy_q && !digest_valid_q && !beats_queued;
  assign error_done = error_valid && nothing_pending;

  always_ff @(posedge clk_i) begin
    if (rst_i) port_valid_q <= 1'b0;
    else port_valid_q <= load_beat || error_done || (port_valid_q && !UsesBlockRam && !m_tready_i);

    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (error_done || (load_beat && digest_absent_q[b])) port_beat_q.data[8*b+:8] <= '0;
      else if (load_beat) port_beat_q.data[8*b+:8] <= digest_word[8*b+:8] & digest_mask_q[8*b+:8];
    end
    if (load_beat) begin
      port_beat_q.keep <= ~digest_absent_q;
      port_beat_q.last <= digest_ends_q;
      port_beat_q.tid  <= digest_tid_q;
      port_beat_q.user <= {digest_open_q, digest_bits_q, 1'b0};
    end else if (error_done) begin
      port_beat_q.keep <= '0;
      port_beat_q.last <= 1'b1;
      port_beat_q.tid  <= error_tid;
      port_beat_q.user <= 5'b00001;
    end
  end

  // The other shares of a beat.
  for (genvar s = 1; s < Shares; s++) begin : gen_share
    localparam int unsigned Low = DataWidth * s;
    logic [DataWidth-1:0] data_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        if (error_done || (load_beat && digest_absent_q[b])) data_q[8*b+:8] <= '0;
        else if (load_beat) data_q[8*b+:8] <= digest_word[Low+8*b+:8] & digest_mask_q[8*b+:8];
      end
    end
    if (UsesBlockRam) begin : gen_queue
      // With the control of share 0's queue, and so always with the same word.
      logic unused_half, unused_some, unused_valid;
      hf_axis_queue #(
          .Width(DataWidth),
          .Bits (4)
      ) u_queue (
          .clk_i,
          .rst_i,
          .write_i(port_valid_q),
          .data_i (data_q),
          .half_o (unused_half),
          .some_o (unused_some),
          .valid_o(unused_valid),
          .ready_i(m_tready_i),
          .data_o (m_tdata_o[Low+:DataWidth])
      );
    end else begin : gen_port
      assign m_tdata_o[Low+:DataWidth] = data_q;
      logic unused_lanes;
      assign unused_lanes = ^st_i[StateWidth*s+MaxRateLanes*LaneWidth+:
                                  StateWidth-MaxRateLanes*LaneWidth];
    end
  end

  // Only the rate is sent.
  logic unused_capacity;
  assign unused_capacity = ^st_i[StateWidth-1:MaxRateLanes*LaneWidth];

`ifndef HF_NO_PARAMETER_CHECKS
  if (Shares > 1 && RoundChoice) begin : gen_bad_shares
    $fatal(1, "hf_keccak_sponge: several shares have no RoundChoice");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
