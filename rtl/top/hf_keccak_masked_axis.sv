// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA-3, SHAKE and Keccak on Boolean shares, with AXI4-Stream on both sides, one message at a time
// or one in each of two slots: a front end, hf_keccak_masked, and generators of random bits. The
// ports are described in docs/reference/stream.md; what is particular to this top, and what it
// protects, in docs/engines/keccak-masked.md.
//
// With one slot the front end is hf_keccak_sponge, with one control for all shares. With two slots
// each share has its own hf_keccak_slots: they get the same control and each one share of the data,
// so they are always in the same state. The padding, which is no secret, is added to share 0 only.
//
//   SharedPorts  s_axis_tdata and m_axis_tdata
//   1            the shares side by side, share i in bits DataWidth * i and up, and tkeep in the
//                same way; that of share 0 counts
//   0            the plain message and digest, split into shares and added at the ports, which are
//                then not protected
//
// Random bits come from Trivium (hf_trivium), a generator for each 64 bits, all seeded by
// seed_valid_i and seed_key_i and different by their IVs. ready_o is low until all are seeded and
// the engine has started; no block is processed before. With Generator = 0 they come from rand_i,
// as in hf_keccak_masked, and the bits that split a plain message from split_i, new ones in every
// clock. With two slots no beat is accepted before ready_o, random bits are used in every clock,
// and a new seed is added to the running generators.

module hf_keccak_masked_axis
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Order = 1,           // as in hf_keccak_masked
    parameter  bit          Guards = 1'b1,       // as in hf_keccak_masked
    parameter  int unsigned Slots = 1,           // 1 or 2: messages at once, by s_axis_tid
    parameter  bit          SharedPorts = 1'b1,  // the table above
    parameter  bit          Generator = 1'b1,    // random bits are made here
    parameter  int unsigned DataWidth = 64,      // of a share: 8, 16, 32 or 64; 64 with two slots
    // ECP5: digests, and with two slots states that return, in block RAM, 64 a share.
    parameter  bit          StatesInBlockRam = 1'b0,
    parameter  int unsigned TidWidth = 1,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned PortShares = SharedPorts ? Shares : 1,
    localparam int unsigned PortWidth = PortShares * DataWidth,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotPorts = (Slots == 0) ? 1 : Slots,
    localparam int unsigned RandWidth = Guards ? 4 : StateWidth * Order * (Order + 1) / 2,
    localparam int unsigned SplitWidth = Order * DataWidth
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
    output logic [           SlotPorts-1:0] s_axis_room,

    output logic                            m_axis_tvalid,
    input  logic                            m_axis_tready,
    output logic [           PortWidth-1:0] m_axis_tdata,
    output logic [PortShares*KeepWidth-1:0] m_axis_tkeep,
    output logic                            m_axis_tlast,
    output logic [            TidWidth-1:0] m_axis_tid,
    output logic [                     4:0] m_axis_tuser,
    input  logic [           SlotPorts-1:0] m_axis_stop,

    output logic ready_o,  // random bits are there and blocks are processed

    // With Generator = 1.
    input  logic        seed_valid_i,
    input  logic [79:0] seed_key_i,

    // With Generator = 0; otherwise a bit each, which is ignored.
    input  logic                                   rand_valid_i,
    output logic                                   rand_ready_o,
    input  logic [(Generator ? 1 : RandWidth)-1:0] rand_i,
    input  logic [(Generator ? 1 : SplitWidth)-1:0] split_i
);

  localparam bit SlotsLegal = Slots == 1 || Slots == 2;
  localparam bit Two = Slots == 2;
  localparam bit WidthLegal = width_legal(DataWidth, Two ? 64 : 8, 64);
  localparam bit TidLegal = tid_legal(TidWidth, 1);
  localparam bit OrderLegal = Order >= 1 && Order <= 3 && !(Guards && Order != 1);
  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);

  ////////////////////
  // Random bits    //
  ////////////////////

  logic rand_valid, rand_ready;
  logic [RandWidth-1:0] random;
  logic [SplitWidth-1:0] split;
  logic split_valid;

  localparam int unsigned RandWord = Guards ? 4 : 64;
  localparam int unsigned RandUnits = (RandWidth + RandWord - 1) / RandWord;
  localparam int unsigned SplitUnits = (SharedPorts || !OrderLegal) ? 0 : Order;

  if (Generator) begin : gen_trivium
    logic [RandUnits-1:0] valid;
    logic [RandUnits-1:0][RandWord-1:0] words;
    for (genvar i = 0; i < RandUnits; i++) begin : gen_masks
      hf_trivium #(
          .Width (RandWord),
          .GoesOn(Two)
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

    if (SplitUnits == 0) begin : gen_no_split
      assign split = '0;
      assign split_valid = 1'b1;
    end else begin : gen_split
      logic [SplitUnits-1:0] split_valids;
      for (genvar i = 0; i < SplitUnits; i++) begin : gen_word
        hf_trivium #(
            .Width (WidthLegal ? DataWidth : 64),
            .GoesOn(Two)
        ) u_trivium (
            .clk_i,
            .rst_i,
            .seed_valid_i,
            .seed_key_i,
            .seed_iv_i   (80'(RandUnits + i)),
            .rand_valid_o(split_valids[i]),
            .rand_ready_i(1'b1),
            .rand_o      (split[DataWidth*i+:DataWidth])
        );
      end
      // Once there, also during a new seed: tready must not fall while a beat is read.
      logic split_seeded_q;
      assign split_valid = split_seeded_q;
      always_ff @(posedge clk_i) split_seeded_q <= !rst_i && (split_seeded_q || &split_valids);
    end
    assign rand_ready_o = 1'b0;
    logic unused_rand;
    assign unused_rand = ^{rand_valid_i, rand_i, split_i};
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

  logic [Shares-1:0][DataWidth-1:0] s_data, m_data;  // of the ports
  logic s_valid, s_ready;
  logic accepts;  // beats are accepted, as far as the front ends have room
  logic [KeepWidth-1:0] m_keep;
  user_t s_user;
  assign s_user = {
    Fixed ? LengthField : s_axis_tuser[UserWidth-1:LengthAt],
    s_axis_tuser[LengthAt-1:MoreAt],
    WholeBytes ? 3'd0 : s_axis_tuser[MoreAt-1:BitsAt],
    Fixed ? 8'(FixedFunction) : s_axis_tuser[BitsAt-1:0]
  };

  if (SharedPorts) begin : gen_shared
    assign s_data = s_axis_tdata;
    assign s_valid = s_axis_tvalid && accepts;
    assign s_axis_tready = s_ready && accepts;
    assign m_axis_tdata = m_data;
    assign m_axis_tkeep = {Shares{m_keep}};
    logic unused_port;
    assign unused_port = ^{s_axis_tkeep[PortShares*KeepWidth-1:KeepWidth], split, split_valid};
  end else begin : gen_plain
    // No beat is accepted before there are random bits to split it with.
    assign s_valid = s_axis_tvalid && accepts && split_valid;
    assign s_axis_tready = s_ready && accepts && split_valid;
    always_comb begin
      s_data = {split, s_axis_tdata};
      for (int unsigned i = 1; i < Shares; i++) s_data[0] ^= s_data[i];
      m_axis_tdata = m_data[0];
      for (int unsigned i = 1; i < Shares; i++) m_axis_tdata ^= m_data[i];
    end
    assign m_axis_tkeep = m_keep;
  end

  ////////////////////
  // Front ends     //
  ////////////////////

  logic blk_ready, blk_slot, st_valid, st_slot, started;
  localparam int unsigned Fronts = Two ? Shares : 1;
  logic [Fronts-1:0] front_s_ready, front_m_valid, front_m_last;
  logic [Fronts-1:0][SlotPorts-1:0] front_room;
  logic [Fronts-1:0] blk_valid, blk_first, blk_last, blk_restore, st_ready;
  logic [Fronts-1:0][KeepWidth-1:0] front_keep;
  logic [Fronts-1:0][TidWidth-1:0] front_tid;
  logic [Fronts-1:0][4:0] front_user;
  logic [Shares-1:0][StateWidth-1:0] blk, st, linear;
  logic [Shares-1:0][5*LaneWidth-1:0] parity;

  if (Two) begin : gen_two
    // Blocks are loaded on a fixed schedule, so none is before the engine accepts it.
    logic started_q;
    always_ff @(posedge clk_i) begin
      started_q <= !rst_i && (started_q || (started && rand_valid && split_valid));
    end
    assign accepts = started_q;
    assign s_axis_room = front_room[0] & {SlotPorts{accepts}};

    for (genvar i = 0; i < Shares; i++) begin : gen_front
      hf_keccak_slots #(
          .PortWidth       (64),
          .Slots           (2),
          .TidWidth        (TidLegal ? TidWidth : 1),
          .Packets         (Packets),
          .Pads            (i == 0),
          .Restores        (1'b1),
          .Period          (2 * NumRounds),
          .DataDelay       (3),
          .StatesInBlockRam(StatesInBlockRam)
      ) u_front (
          .clk_i,
          .rst_i        (rst_i || !started_q),
          .s_tvalid_i   (s_valid),
          .s_tready_o   (front_s_ready[i]),
          .s_tdata_i    (64'(s_data[i])),
          .s_tkeep_i    (8'(s_axis_tkeep[KeepWidth-1:0])),
          .s_tlast_i    (s_axis_tlast),
          .s_tid_i      (s_axis_tid),
          .s_tuser_i    (s_user),
          .slot_room_o  (front_room[i]),
          .m_tvalid_o   (front_m_valid[i]),
          .m_tready_i   (m_axis_tready),
          .m_tdata_o    (m_data[i]),
          .m_tkeep_o    (front_keep[i]),
          .m_tlast_o    (front_m_last[i]),
          .m_tid_o      (front_tid[i]),
          .m_tuser_o    (front_user[i]),
          .stop_i       (m_axis_stop),
          .blk_valid_o  (blk_valid[i]),
          .blk_slot_i   (blk_slot),
          .blk_first_o  (blk_first[i]),
          .blk_last_o   (blk_last[i]),
          .blk_restore_o(blk_restore[i]),
          .blk_o        (blk[i]),
          .st_valid_i   (st_valid),
          .st_slot_i    (st_slot),
          .st_i         (st[i])
      );
    end
    assign st_ready = '1;
    // Blocks are offered only in clocks in which the engine is ready.
    logic unused_ready;
    assign unused_ready = ^{blk_ready, parity, linear};
  end else begin : gen_one
    assign accepts = 1'b1;
    assign s_axis_room = {SlotPorts{s_axis_tready}};
    assign blk_restore = '0;
    localparam bit UsesBlockRam = StatesInBlockRam && hf_ecp5_pkg::HasGearRam;
    localparam int unsigned StateBits = StateWidth + (UsesBlockRam ? 5 * LaneWidth : 0);
    logic unused_state;
    assign unused_state = ^{st, linear, parity};
    hf_keccak_sponge #(
        .DataWidth       (WidthLegal ? DataWidth : 64),
        .TidWidth        (TidLegal ? TidWidth : 1),
        .StatesInBlockRam(StatesInBlockRam),
        .Packets         (Packets),
        .Shares          (Shares)
    ) u_front (
        .clk_i,
        .rst_i,
        .s_tvalid_i (s_valid),
        .s_tready_o (front_s_ready[0]),
        .s_tdata_i  (s_data),
        .s_tkeep_i  (s_axis_tkeep[KeepWidth-1:0]),
        .s_tlast_i  (s_axis_tlast),
        .s_tid_i    (s_axis_tid),
        .s_tuser_i  (s_user),
        .m_tvalid_o (front_m_valid[0]),
        .m_tready_i (m_axis_tready),
        .m_tdata_o  (m_data),
        .m_tkeep_o  (front_keep[0]),
        .m_tlast_o  (front_m_last[0]),
        .m_tid_o    (front_tid[0]),
        .m_tuser_o  (front_user[0]),
        .stop_i     (m_axis_stop[0]),
        .blk_valid_o(blk_valid[0]),
        .blk_ready_i(blk_ready),
        .blk_first_o(blk_first[0]),
        .blk_last_o (blk_last[0]),
        .blk_o      (blk),
        .st_valid_i (st_valid),
        .st_ready_o (st_ready[0]),
        .st_i       ((Shares*StateBits)'(UsesBlockRam ? {parity, linear} : {parity, st}))
    );
    logic unused_slot;
    assign unused_slot = ^{blk_slot, st_slot};
    assign front_room = '0;
  end

  assign s_ready = front_s_ready[0];
  assign m_axis_tvalid = front_m_valid[0];
  assign m_keep = front_keep[0];
  assign m_axis_tlast = front_m_last[0];
  assign m_axis_tid = front_tid[0];
  assign m_axis_tuser = front_user[0];
  logic unused_fronts;
  assign unused_fronts = ^{front_s_ready, front_m_valid, front_m_last, front_keep, front_tid,
                           front_user, front_room, blk_valid, blk_first, blk_last, blk_restore,
                           st_ready};

  hf_keccak_masked #(
      .Order (OrderLegal ? Order : 1),
      .Guards(OrderLegal ? Guards : 1'b0),
      .Slots (SlotsLegal ? Slots : 1)
  ) u_engine (
      .clk_i,
      .rst_i,
      .blk_valid_i  (blk_valid[0]),
      .blk_ready_o  (blk_ready),
      .blk_slot_o   (blk_slot),
      .blk_first_i  (blk_first[0]),
      .blk_last_i   (blk_last[0]),
      .blk_restore_i(blk_restore[0]),
      .blk_i        (blk),
      .st_valid_o   (st_valid),
      .st_ready_i   (st_ready[0]),
      .st_slot_o    (st_slot),
      .st_o         (st),
      .parity_o     (parity),
      .linear_o     (linear),
      .started_o    (started),
      .rand_valid_i (rand_valid),
      .rand_ready_o (rand_ready),
      .rand_i       (random)
  );
  assign ready_o = rand_valid && split_valid && started && accepts;

`ifndef HF_NO_PARAMETER_CHECKS
  if (!OrderLegal) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked_axis: Order is 1, 2 or 3, and 1 with Guards, not %0d", Order);
  end
  if (!SlotsLegal) begin : gen_bad_slots
    $fatal(1, "hf_keccak_masked_axis: Slots is 1 or 2, not %0d", Slots);
  end
  if (!WidthLegal) begin : gen_bad_width
    $fatal(1, "hf_keccak_masked_axis: DataWidth is 8, 16, 32 or 64, with two slots 64, not %0d",
           DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_masked_axis: TidWidth is 1 to 16, not %0d", TidWidth);
  end
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_masked_axis: no FixedFunction %0d (docs/integrate/dma.md)",
           FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_masked_axis: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_masked_axis: FixedLength is without FixedFunction");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
