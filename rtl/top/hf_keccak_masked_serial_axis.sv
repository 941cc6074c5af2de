// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak on Boolean shares in few LUTs, with AXI4-Stream on both sides, one message
// at a time: hf_keccak_masked_serial_stream, and generators of random bits.
// The ports are described in docs/reference/stream.md; what is particular to this top, and what it
// protects, in docs/engines/keccak-masked.md.
//
//   SharedPorts  s_axis_tdata and m_axis_tdata
//   1            the shares side by side, share i in bits DataWidth * i and up, and tkeep in the
//                same way; that of share 0 counts
//   0            the plain message and digest, split into shares and added at the ports, which are
//                then not protected
//
// Random bits come from Trivium (hf_trivium), all generators seeded by seed_valid_i and seed_key_i and
// different by their IVs: one with Order = 1, else one for each 64 bits, which a new seed is added to
// and does not stop. ready_o is low until all are seeded and the engine has started; no message is
// processed before. With Generator = 0 they come from rand_i, as in hf_keccak_masked_serial, and the
// bits that split a plain message from split_i, new ones in every clock.

module hf_keccak_masked_serial_axis
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Order = 1,           // as in hf_keccak_masked_serial
    parameter  int unsigned Slices = 4,          // as in hf_keccak_masked_serial
    parameter  bit          SharedPorts = 1'b1,  // the table above
    parameter  bit          Generator = 1'b1,    // random bits are made here
    parameter  int unsigned DataWidth = 32,      // of a share: 8, 16, 32 or 64, more than Slices
    parameter  int unsigned TidWidth = 1,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned Slots = 1,
    localparam bit OrderLegal = Order >= 1 && Order <= 3,
    localparam int unsigned Shares = OrderLegal ? Order + 1 : 2,
    localparam int unsigned PortShares = SharedPorts ? Shares : 1,
    localparam int unsigned PortWidth = PortShares * DataWidth,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam bit SlicesLegal = width_legal(Slices, 4, 16) && Slices < DataWidth,
    localparam int unsigned GroupBits = SlicesLegal ? Slices : 4,
    localparam int unsigned Pairs = Shares * (Shares - 1) / 2,
    localparam int unsigned RandWidth = (Shares > 2) ? 25 * GroupBits * Pairs : 4,
    localparam int unsigned SplitWidth = (Shares - 1) * DataWidth
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                            s_axis_tvalid,
    output logic                            s_axis_tready,
    input  logic [           PortWidth-1:0] s_axis_tdata,
    input  logic [PortShares*KeepWidth-1:0] s_axis_tkeep,
    input  logic                            s_axis_tlast,
    input  logic [            TidWidth-1:0] s_axis_tid,
    input  logic [           UserWidth-1:0] s_axis_tuser,
    output logic [               Slots-1:0] s_axis_room,

    output logic                            m_axis_tvalid,
    input  logic                            m_axis_tready,
    output logic [           PortWidth-1:0] m_axis_tdata,
    output logic [PortShares*KeepWidth-1:0] m_axis_tkeep,
    output logic                            m_axis_tlast,
    output logic [            TidWidth-1:0] m_axis_tid,
    output logic [                     4:0] m_axis_tuser,
    input  logic [               Slots-1:0] m_axis_stop,

    output logic ready_o,  // random bits are there and messages are processed

    // With Generator = 1.
    input  logic        seed_valid_i,
    input  logic [79:0] seed_key_i,

    // With Generator = 0; otherwise a bit each, which is ignored.
    input  logic                                    rand_valid_i,
    output logic                                    rand_ready_o,
    input  logic [ (Generator ? 1 : RandWidth)-1:0] rand_i,
    input  logic [(Generator ? 1 : SplitWidth)-1:0] split_i
);

  localparam bit WidthLegal = width_legal(DataWidth, 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam int unsigned WordWidth = WidthLegal ? DataWidth : 32;
  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  ////////////////////
  // Random bits    //
  ////////////////////

  logic rand_valid, rand_ready, split_valid;
  logic [RandWidth-1:0] random;
  logic [Shares-2:0][WordWidth-1:0] split;

  if (Generator && Shares == 2) begin : gen_trivium
    hf_trivium #(
        .Width(4)
    ) u_masks (
        .clk_i,
        .rst_i,
        .seed_valid_i,
        .seed_key_i,
        .seed_iv_i   (80'd0),
        .rand_valid_o(rand_valid),
        .rand_ready_i(rand_ready),
        .rand_o      (random)
    );
    if (SharedPorts) begin : gen_no_split
      assign split = '0;
      assign split_valid = 1'b1;
    end else begin : gen_split
      // Once there, also during a new seed: tready must not fall while a beat is read.
      logic split_there, split_seeded_q;
      assign split_valid = split_seeded_q;
      always_ff @(posedge clk_i) split_seeded_q <= !rst_i && (split_seeded_q || split_there);
      hf_trivium #(
          .Width(WordWidth)
      ) u_split (
          .clk_i,
          .rst_i,
          .seed_valid_i,
          .seed_key_i,
          .seed_iv_i   (80'd1),
          .rand_valid_o(split_there),
          .rand_ready_i(1'b1),
          .rand_o      (split)
      );
    end
    assign rand_ready_o = 1'b0;
    logic unused_rand;
    assign unused_rand = ^{rand_valid_i, rand_i, split_i};
  end else if (Generator) begin : gen_triviums
    // Random bits are used in each clock of a pass, so a new seed stops no generator.
    localparam int unsigned RandUnits = (RandWidth + 63) / 64;
    localparam int unsigned SplitUnits = SharedPorts ? 0 : Shares - 1;
    logic [RandUnits-1:0] valid;
    logic [RandUnits-1:0][63:0] words;
    for (genvar i = 0; i < RandUnits; i++) begin : gen_masks
      hf_trivium #(
          .Width (64),
          .GoesOn(1'b1)
      ) u_trivium (
          .clk_i,
          .rst_i,
          .seed_valid_i,
          .seed_key_i,
          .seed_iv_i   (80'(i)),
          .rand_valid_o(valid[i]),
          .rand_ready_i(rand_ready),
          .rand_o      (words[i])
      );
    end
    assign random = RandWidth'(words);
    assign rand_valid = &valid;

    logic [Shares-2:0] split_valids;
    for (genvar i = 0; i < Shares - 1; i++) begin : gen_split
      if (i < SplitUnits) begin : gen_word
        hf_trivium #(
            .Width (WordWidth),
            .GoesOn(1'b1)
        ) u_trivium (
            .clk_i,
            .rst_i,
            .seed_valid_i,
            .seed_key_i,
            .seed_iv_i   (80'(RandUnits + i)),
            .rand_valid_o(split_valids[i]),
            .rand_ready_i(1'b1),
            .rand_o      (split[i])
        );
      end else begin : gen_no_word
        assign split[i] = '0;
        assign split_valids[i] = 1'b1;
      end
    end
    assign split_valid = &split_valids;
    assign rand_ready_o = 1'b0;
    logic unused_rand;
    assign unused_rand = ^{rand_valid_i, rand_i, split_i, words};
  end else begin : gen_given
    assign random = rand_i;
    assign rand_valid = rand_valid_i;
    assign rand_ready_o = rand_ready;
    assign split = split_i;
    assign split_valid = 1'b1;
    logic unused_seed;
    assign unused_seed = ^{seed_valid_i, seed_key_i};
  end

  ////////////////////
  // Shares         //
  ////////////////////

  logic [Shares-1:0][WordWidth-1:0] s_data, m_data;  // of the ports
  logic s_valid, s_ready;
  logic [KeepWidth-1:0] m_keep;

  if (SharedPorts) begin : gen_shared
    assign s_data = s_axis_tdata;
    assign s_valid = s_axis_tvalid;
    assign s_axis_tready = s_ready;
    assign m_axis_tdata = m_data;
    assign m_axis_tkeep = {Shares{m_keep}};
    logic unused_port;
    assign unused_port = ^{s_axis_tkeep[PortShares*KeepWidth-1:KeepWidth], split, split_valid};
  end else begin : gen_plain
    if (Shares == 2) begin : gen_two_in
      assign s_data = {split, s_axis_tdata ^ split};
    end else begin : gen_more_in
      always_comb begin
        s_data = {split, s_axis_tdata};
        for (int unsigned i = 1; i < Shares; i++) s_data[0] ^= s_data[i];
      end
    end
    // No beat is accepted before there are random bits to split it with.
    assign s_valid = s_axis_tvalid && split_valid;
    assign s_axis_tready = s_ready && split_valid;
    if (Shares == 2) begin : gen_two_out
      assign m_axis_tdata = m_data[0] ^ m_data[1];
    end else begin : gen_more_out
      always_comb begin
        m_axis_tdata = m_data[0];
        for (int unsigned i = 1; i < Shares; i++) m_axis_tdata ^= m_data[i];
      end
    end
    assign m_axis_tkeep = m_keep;
  end
  assign s_axis_room = s_axis_tready;

  ////////////////////
  // The core       //
  ////////////////////

  logic started, unused_window_ready;
  logic [Shares*WordWidth-1:0] unused_window_word;

  hf_keccak_masked_serial_stream #(
      .Order    (Shares - 1),
      .Slices   (GroupBits),
      .DataWidth(WordWidth),
      .TidWidth (TidLegal ? TidWidth : 1),
      .Packets  (Packets),
      .Window   (1'b0)
  ) u_stream (
      .clk_i,
      .rst_i,
      .s_tvalid_i(s_valid),
      .s_tready_o(s_ready),
      .s_tdata_i (s_data),
      .s_tkeep_i (s_axis_tkeep[KeepWidth-1:0]),
      .s_tlast_i (s_axis_tlast),
      .s_tid_i   (s_axis_tid),
      .s_tuser_i     ({
        Fixed ? LengthField : s_axis_tuser[UserWidth-1:LengthAt],
        s_axis_tuser[LengthAt-1:MoreAt],
        WholeBytes ? 3'd0 : s_axis_tuser[MoreAt-1:BitsAt],
        Fixed ? 8'(FixedFunction) : s_axis_tuser[BitsAt-1:0]
      }),
      .m_tvalid_o    (m_axis_tvalid),
      .m_tready_i    (m_axis_tready),
      .m_tdata_o     (m_data),
      .m_tkeep_o     (m_keep),
      .m_tlast_o     (m_axis_tlast),
      .m_tid_o       (m_axis_tid),
      .m_tuser_o     (m_axis_tuser),
      .stop_i        (m_axis_stop),
      .window_valid_i(1'b0),
      .window_ready_o(unused_window_ready),
      .window_op_i   (WordRead),
      .window_addr_i ('0),
      .window_word_i ('0),
      .window_word_o (unused_window_word),
      .started_o     (started),
      .rand_valid_i  (rand_valid),
      .rand_ready_o  (rand_ready),
      .rand_i        (random)
  );
  assign ready_o = rand_valid && split_valid && started;

`ifndef HF_NO_PARAMETER_CHECKS
  if (!OrderLegal) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked_serial_axis: Order is 1, 2 or 3, not %0d", Order);
  end
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_masked_serial_axis: DataWidth is 8, 16, 32 or 64, not %0d", DataWidth);
  end
  if (!SlicesLegal) begin : gen_bad_slices
    $fatal(1, "hf_keccak_masked_serial_axis: Slices is 4, 8 or 16 and less than DataWidth, not %0d",
           Slices);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_masked_serial_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_masked_serial_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_masked_serial_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_masked_serial_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
