// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) in DSP48E2 slices, all 1600 bits of a round at once.
// theta, chi, iota and the addition of the block are slices; rho and pi are wires. The registers
// are those inside the slices. The loop has Depth of them, so Depth messages are in flight, a slot
// each. A block takes 24 * Depth clocks, and with all slots in use 24 clocks a block. States are
// returned (docs/reference/contract.md, rule 11).
//
// Terms: a is the state after pi, n = ~a[x+1] & a[x+2], e the state after iota, m the block, r1() a
// rotation by one, p the column parity of e. Every term is an operand of one slice, and "<<" is the
// cascade, PCOUT to PCIN:
//
//   Paper    e_y = a_y ^ m_y << n_y                          34 + 34   paper arshad-dsp
//            p = e_4 << e_2 ^ e_3 << e_0 ^ e_1               21 (ParityTree: 28, no cascade)
//            d_x = r1(p_(x+1)) << p_(x-1)                    7
//            t_y = e_y ^ d                                   34        sum 130 (137)
//   Spread   as Paper, but
//            p = e_2 ^ e_3 << e_0 ^ e_1 << e_4               14        sum 123
//   Chain    as Spread, but no d:
//            t_0 = e_0 ^ r1(p_(x+1)) << p_(x-1)
//            t_y = e_y ^ e_(y-1) << t_(y-1)                  35        sum 117
//   Running  s_y = a_y ^ (n_y ^ m_y) << s_(y-1)              34 + 35   s_(-1) is n_0, in place of
//            t_0 = s_0 ^ r1(s_4,(x+1)) << s_4,(x-1)                    which C has m_0
//            t_1 = s_1 << t_0
//            t_y = s_y ^ s_(y-2) << t_(y-1)                  35        sum 104
//
// In Running the parity accumulates while the planes are made (s_4 = p), so it needs no slice. But
// no operand is left for planes 1 to 4 of the block, and e_y = s_y ^ s_(y-1) is not computed by a
// slice: both take 1280 LUTs each. In the other structures m_y is C of a slice, e is P, and the
// datapath has no LUT except iota's seven.
//
// Registers of the loop, in the order in which a state passes them; between two of them are slices:
//
//   Paper                 e | parity 3 (tree: 3) | d 1 | t 1 | n, e 2                   Depth 4
//   Spread                e | parity 2 | d 1 | t 1 | inputs of n | n 1 | e 1            Depth 6
//   Chain, Registered     e | parity 2 | t 5, inputs of n | n 1 | e 1                   Depth 4
//   Chain                 e | parity 2, t 5, n and e 2                                  Depth 1
//   Running, Registered   inputs of n | n 1 | LUT, s 5 | t 5                            Depth 3
//   Running               inputs of n | n 1, LUT, s 4, t 5                              Depth 1
//
// Schedule of a slot, a line a clock (in brackets: Running, where s is a clock earlier than e):
//
//   0          the slot is shown on blk_slot_o; its block's handshake, or none
//   2 [1]      st_valid_o: the state that is complete in clock 5 [4] leaves
//   3          blk_i is read
//   4 [3]      e [s]: the last round's result with the block; only the block if it is `first`
//   5 [4]      the state is on st_o, pure where no block was added
//   Depth      the slot is shown again: takes a block only if it is empty
//   24 Depth   the next block is due. If it is there, no clock is lost; if not, or if this was the
//              last, the state leaves
//
// A slot that ends a message accepts the next `first` block a slot cycle later, because the pure
// state is visible only when no block is mixed in. With one slot, it is accepted once the state has
// left.
//
// The operation of the slices (OPMODE) decides whether a block is added and whether it is `first`,
// so the datapath has no multiplexer and no reset. In Running the block's gate also reaches 1280
// LUTs, so it comes from copies of a register.

module hf_keccak_dsp_wide
  import hf_dsp48_pkg::*;
  import hf_keccak_pkg::*;
  import hf_keccak_dsp_wide_pkg::*;
#(
    parameter  int unsigned Structure = 3,      // DspWidePaper, -Spread, -Chain, -Running
    parameter  bit          ParityTree = 1'b0,  // Paper only: the column parity through the fabric
    // Chain and Running only: more registers in the loop.
    parameter  bit          Registered = 1'b1,
    localparam int unsigned Depth = dsp_wide_slots(Structure, Registered),
    localparam int unsigned SlotWidth = (Depth > 1) ? $clog2(Depth) : 1
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,        // 3 clocks after the handshake

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // unused: states are returned (rule 11)
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [StateWidth-1:0] st_o         // 3 clocks after st_valid_o
);

  localparam bit IsRunning = Structure == DspWideRunning;
  localparam int unsigned DataDelay = DspWideDataDelay;
  // Clocks from a handshake to the clock of chi's last slice, and to st_valid_o.
  localparam int unsigned WorkDelay = IsRunning ? DataDelay : DataDelay + 1;
  localparam int unsigned StateDelay = WorkDelay + 1 - DataDelay;

  typedef logic [SlotWidth-1:0] slot_t;

  ////////////////////
  // Control        //
  ////////////////////

  // The control of a slot moves with its content; ctl_q[0] belongs to the slot shown.
  typedef struct packed {
    logic   busy;   // a block was accepted and is not complete yet
    logic   due;    // all rounds are complete when the slot is shown
    logic   last;   // its state must leave
    round_t round;  // rounds begun when the slot is shown, less one
  } ctl_t;

  ctl_t ctl_q[Depth];
  ctl_t shown, handed;
  slot_t slot_q;
  logic take, first, leave;
  logic resting;  // one slot only: its state is about to leave
  logic [WorkDelay-1:1] take_q, first_q;  // [i]: i clocks ago
  logic [StateDelay:1] leave_q;
  slot_t [StateDelay:1] leave_slot_q;

  assign shown = ctl_q[0];
  assign resting = Depth == 1 && |leave_q;
  assign blk_ready_o = shown.busy ? shown.due && !(shown.last && blk_first_i) : !resting;
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign first = take && blk_first_i;
  assign leave = shown.due && (shown.last || !take);

  always_comb begin
    handed = shown;
    handed.round = shown.round + round_t'(1);
    handed.due = shown.busy && !shown.due && shown.round == round_t'(NumRounds - 2);
    if (shown.due) handed.busy = 1'b0;
    if (take) begin
      handed.busy = 1'b1;
      handed.last = blk_last_i;
      handed.round = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Depth; i++) ctl_q[i] <= (i == Depth - 1) ? handed : ctl_q[i+1];
    slot_q <= (slot_q == slot_t'(Depth - 1)) ? '0 : slot_q + slot_t'(1);
    take_q <= {take_q[WorkDelay-2:1], take};
    first_q <= {first_q[WorkDelay-2:1], first};
    leave_q[1] <= leave;
    leave_slot_q[1] <= slot_q;
    for (int unsigned i = 2; i <= StateDelay; i++) begin
      leave_q[i] <= leave_q[i-1];
      leave_slot_q[i] <= leave_slot_q[i-1];
    end
    if (rst_i) begin
      for (int unsigned i = 0; i < Depth; i++) begin
        ctl_q[i].busy <= 1'b0;
        ctl_q[i].due  <= 1'b0;
      end
      slot_q  <= '0;
      leave_q <= '0;
    end
  end

  assign st_valid_o = leave_q[StateDelay];
  assign st_slot_o  = leave_slot_q[StateDelay];

  logic unused_ready;
  assign unused_ready = st_ready_i;

  // iota's constant of the round that ends while the slot is shown, for chi's last slice. A `first`
  // block gets none.
  function automatic logic [6:0] constant_bits(input round_t round);
    logic [6:0] bits;
    for (int unsigned j = 0; j < 7; j++) begin
      logic [NumRounds-1:0] of_round;
      for (int unsigned i = 0; i < NumRounds; i++) of_round[i] = RoundConstant[i][(1<<j)-1];
      bits[j] = of_round[round];
    end
    return bits;
  endfunction

  round_t round_q;
  logic [WorkDelay:2][6:0] constant_q;
  lane_t constant;

  always_ff @(posedge clk_i) begin
    round_q <= shown.round;
    constant_q[2] <= first_q[1] ? '0 : constant_bits(round_q);
    for (int unsigned i = 3; i <= WorkDelay; i++) constant_q[i] <= constant_q[i-1];
  end
  always_comb begin
    constant = '0;
    for (int unsigned j = 0; j < 7; j++) constant[(1<<j)-1] = constant_q[WorkDelay][j];
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  typedef lane_t [19:0] most_t;  // four planes
  typedef word_t [6:0] plane_words_t;
  typedef word_t [26:0] most_words_t;
  typedef word_t [33:0] state_words_t;

  // Registers at the inputs of n, and after n.
  localparam int unsigned AtN = (Structure == DspWideSpread || IsRunning ||
      (Structure == DspWideChain && Registered)) ? 1 : 0;
  localparam int unsigned BehindN = (Registered || Structure == DspWideSpread) ? AtN : 0;
  localparam int unsigned AbOfA = AtN + BehindN;  // registers at A:B of `a`, which must meet n

  state_t block, theta_out, a, n_ab, n_c;
  assign block = state_t'(blk_i);
  assign a = pi(rho(theta_out));
  always_comb begin
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        n_ab[y][x] = a[y][(x+2)%5];
        n_c[y][x]  = a[y][(x+1)%5];
      end
    end
  end

  // A plane whose lane x is lane x + 1: theta's slices follow the parity of the sheet to the left.
  function automatic plane_t left(input plane_t p);
    return {p[0], p[4:1]};
  endfunction
  function automatic plane_t right(input plane_t p);
    return {p[3:0], p[4]};
  endfunction
  // rotl(lane x + 2, 1) as lane x: the other parity that theta adds there.
  function automatic plane_t other(input plane_t p);
    plane_t q;
    for (int unsigned x = 0; x < 5; x++) q[x] = rotl(p[(x+2)%5], 1);
    return q;
  endfunction

  if (IsRunning) begin : gen_running

    localparam int unsigned NumCopies = 32;
    localparam int unsigned Bits = LaneWidth / NumCopies;  // bits of each lane for each copy

    logic [NumCopies-1:0] gate;
    state_t gated;  // the block, or zero
    for (genvar i = 0; i < NumCopies; i++) begin : gen_copies
      hf_copy u_gate (
          .clk_i,
          .d_i(take_q[2]),
          .q_o(gate[i])
      );
    end
    for (genvar z = 0; z < LaneWidth; z++) begin : gen_gated
      for (genvar i = 0; i < 25; i++) begin : gen_lane
        assign gated[i/5][i%5][z] = block[i/5][i%5][z] && gate[z/Bits];
      end
    end

    // A `first` block: n is zero, and a is left out. An operation is given a clock earlier.
    logic first_at_n;
    dsp48_op_t op_n, op_s, op_s0;
    assign first_at_n = (BehindN == 1) ? first_q[1] : first_q[2];
    assign op_n = first_at_n ? OpZero : OpAndAbNotC;
    assign op_s = first_q[2] ? OpXorCPcin : OpXorAbCPcin;
    assign op_s0 = take_q[2] ? op_s : OpXorAbPcin;

    plane_t n0_unused;
    plane_t [4:1] n;
    plane_words_t n0_words;
    most_words_t n_unused;

    hf_keccak_dsp_lanes #(
        .Lanes(5), .AbRegisters(1), .CRegister(1), .OpRegister(1), .PRegister(BehindN)
    ) u_n0 (
        .clk_i, .op_i(op_n), .op_zero_i(op_n), .en_c_i(1'b1),
        .ab_i(n_ab[0]), .c_i(n_c[0]), .pcin_i('0), .p_o(n0_unused), .pcout_o(n0_words)
    );
    hf_keccak_dsp_lanes #(
        .Lanes(20), .AbRegisters(1), .CRegister(1), .OpRegister(1), .PRegister(BehindN)
    ) u_n (
        .clk_i, .op_i(op_n), .op_zero_i(op_n), .en_c_i(1'b1),
        .ab_i(most_t'(n_ab[4:1])), .c_i(most_t'(n_c[4:1])), .pcin_i('0),
        .p_o(n), .pcout_o(n_unused)
    );

    plane_t block0;  // block plane for the slices with lane 0; the others gate it themselves
    always_comb begin
      block0 = block[0];
      block0[0] = gated[0][0] ^ constant;
      for (int unsigned x = 1; x < 3; x++) block0[x][15:0] = gated[0][x][15:0];
    end

    plane_t c[5];
    assign c[0] = block0;
    for (genvar y = 1; y < 5; y++) begin : gen_c
      assign c[y] = n[y] ^ gated[y];
    end

    state_t s;
    plane_words_t s_words[5];
    for (genvar y = 0; y < 5; y++) begin : gen_s
      hf_keccak_dsp_lanes #(
          .Lanes(5), .AbRegisters(AbOfA), .OpRegister(1), .PRegister((Registered && y == 4) ? 1 : 0)
      ) u_s (
          .clk_i,
          .op_i((y == 0) ? op_s0 : op_s),
          .op_zero_i(op_s),
          .en_c_i(1'b1),
          .ab_i(a[y]),
          .c_i(c[y]),
          .pcin_i((y == 0) ? n0_words : s_words[(y+4)%5]),
          .p_o(s[y]),
          .pcout_o(s_words[y])
      );
    end

    // If s_4 has a register, the other planes have theirs at the inputs of t.
    plane_words_t t_words[5];
    for (genvar y = 0; y < 5; y++) begin : gen_t
      plane_t t;
      hf_keccak_dsp_lanes #(
          .Lanes(5),
          .AbRegisters((Registered && y != 4) ? 1 : 0),
          .CRegister((Registered && y > 1) ? 1 : 0)
      ) u_t (
          .clk_i,
          .op_i((y == 1) ? OpXorAbPcin : OpXorAbCPcin),
          .op_zero_i((y == 1) ? OpXorAbPcin : OpXorAbCPcin),
          .en_c_i(1'b1),
          .ab_i(left(s[y])),
          .c_i((y == 0) ? other(s[4]) : (y == 1) ? '0 : left(s[(y+3)%5])),
          .pcin_i((y == 0) ? s_words[4] : t_words[(y+4)%5]),
          .p_o(t),
          .pcout_o(t_words[y])
      );
      assign theta_out[y] = right(t);
    end

    // The state, from the running parity.
    state_t state_q;
    plane_t below_q;
    always_ff @(posedge clk_i) begin
      state_q[0] <= s[0];
      for (int unsigned y = 1; y < 5; y++) state_q[y] <= s[y] ^ s[y-1];
      below_q <= s[3];
    end
    assign st_o[StateWidth-1:4*5*LaneWidth] = Registered ? s[4] ^ below_q : state_q[4];
    assign st_o[4*5*LaneWidth-1:0] = state_q[3:0];

  end else begin : gen_explicit

    ////////////////////
    // chi            //
    ////////////////////

    // The block has a register in C. The slices with lane 0 add iota's constant in every round, so
    // their block register is in the fabric, and is cleared without a block.
    plane_t block0_q, c0;
    always_ff @(posedge clk_i) begin
      if (take_q[3]) block0_q <= block[0];
      else block0_q <= '0;
    end
    always_comb begin
      c0 = block[0];
      c0[0] = block0_q[0] ^ constant;
      for (int unsigned x = 1; x < 3; x++) c0[x][15:0] = block0_q[x][15:0];
    end

    state_t c, n_unused, e;
    assign c = {block[4:1], c0};

    // Without a block, C is not added, except in the slices with iota's constant.
    dsp48_op_t op_e, op_e_zero;
    assign op_e_zero = first_q[3] ? OpC : OpXorAbCPcin;
    assign op_e = take_q[3] ? op_e_zero : OpXorAbPcin;

    plane_words_t e4_words;  // input of the parity's cascade

    if (Structure == DspWidePaper) begin : gen_all
      state_words_t n_words, e_unused;
      hf_keccak_dsp_lanes #(
          .Lanes(25)
      ) u_n (
          .clk_i, .op_i(OpAndAbNotC), .op_zero_i(OpAndAbNotC), .en_c_i(1'b1),
          .ab_i(n_ab), .c_i(n_c), .pcin_i('0), .p_o(n_unused), .pcout_o(n_words)
      );
      hf_keccak_dsp_lanes #(
          .Lanes(25), .CRegister(1), .CRegisterZero(0), .OpRegister(1), .PRegister(1)
      ) u_e (
          .clk_i, .op_i(op_e), .op_zero_i(op_e_zero), .en_c_i(take_q[3]),
          .ab_i(a), .c_i(c), .pcin_i(n_words), .p_o(e), .pcout_o(e_unused)
      );
      assign e4_words = '0;  // the parity starts its own cascade
    end else begin : gen_parts
      // Plane 4 is separate, because its slices begin the parity's cascade.
      most_words_t n_words, e_unused;
      plane_words_t n4_words;
      hf_keccak_dsp_lanes #(
          .Lanes(20), .AbRegisters(AtN), .CRegister(AtN), .PRegister(BehindN)
      ) u_n (
          .clk_i, .op_i(OpAndAbNotC), .op_zero_i(OpAndAbNotC), .en_c_i(1'b1),
          .ab_i(most_t'(n_ab[3:0])), .c_i(most_t'(n_c[3:0])), .pcin_i('0),
          .p_o(n_unused[3:0]), .pcout_o(n_words)
      );
      hf_keccak_dsp_lanes #(
          .Lanes(20), .AbRegisters(AbOfA), .CRegister(1), .CRegisterZero(0), .OpRegister(1),
          .PRegister(1)
      ) u_e (
          .clk_i, .op_i(op_e), .op_zero_i(op_e_zero), .en_c_i(take_q[3]),
          .ab_i(most_t'(a[3:0])), .c_i(most_t'(c[3:0])), .pcin_i(n_words),
          .p_o(e[3:0]), .pcout_o(e_unused)
      );
      hf_keccak_dsp_lanes #(
          .Lanes(5), .AbRegisters(AtN), .CRegister(AtN), .PRegister(BehindN)
      ) u_n4 (
          .clk_i, .op_i(OpAndAbNotC), .op_zero_i(OpAndAbNotC), .en_c_i(1'b1),
          .ab_i(n_ab[4]), .c_i(n_c[4]), .pcin_i('0), .p_o(n_unused[4]), .pcout_o(n4_words)
      );
      hf_keccak_dsp_lanes #(
          .Lanes(5), .AbRegisters(AbOfA), .CRegister(1), .OpRegister(1), .PRegister(1)
      ) u_e4 (
          .clk_i, .op_i(op_e), .op_zero_i(op_e), .en_c_i(take_q[3]),
          .ab_i(a[4]), .c_i(c[4]), .pcin_i(n4_words), .p_o(e[4]), .pcout_o(e4_words)
      );
    end

    assign st_o = e;

    ////////////////////
    // theta          //
    ////////////////////

    localparam int unsigned ParityRegister = (Structure != DspWideChain || Registered) ? 1 : 0;
    plane_t parity;
    plane_words_t parity_words;

    if (ParityTree) begin : gen_tree
      // As in the paper's figure: two operands a slice, and the fabric between them.
      plane_t low, high, four;
      plane_words_t low_unused, high_unused, four_unused;
      hf_keccak_dsp_lanes u_low (
          .clk_i, .op_i(OpXorAbC), .op_zero_i(OpXorAbC), .en_c_i(1'b1),
          .ab_i(e[0]), .c_i(e[1]), .pcin_i('0), .p_o(low), .pcout_o(low_unused)
      );
      hf_keccak_dsp_lanes u_high (
          .clk_i, .op_i(OpXorAbC), .op_zero_i(OpXorAbC), .en_c_i(1'b1),
          .ab_i(e[2]), .c_i(e[3]), .pcin_i('0), .p_o(high), .pcout_o(high_unused)
      );
      hf_keccak_dsp_lanes u_four (
          .clk_i, .op_i(OpXorAbC), .op_zero_i(OpXorAbC), .en_c_i(1'b1),
          .ab_i(low), .c_i(high), .pcin_i('0), .p_o(four), .pcout_o(four_unused)
      );
      hf_keccak_dsp_lanes #(
          .PRegister(1)
      ) u_parity (
          .clk_i, .op_i(OpXorAbC), .op_zero_i(OpXorAbC), .en_c_i(1'b1),
          .ab_i(e[4]), .c_i(four), .pcin_i('0), .p_o(parity), .pcout_o(parity_words)
      );
      plane_words_t unused_e4;
      assign unused_e4 = e4_words;
    end else begin : gen_cascade
      // Plane 4 comes from its own slices over the cascade; in Paper it is added last.
      localparam bit IsPaper = Structure == DspWidePaper;
      plane_t half_unused, more_unused;
      plane_words_t half_words, more_words;
      hf_keccak_dsp_lanes u_half (
          .clk_i,
          .op_i(IsPaper ? OpXorAbC : OpXorAbCPcin),
          .op_zero_i(IsPaper ? OpXorAbC : OpXorAbCPcin),
          .en_c_i(1'b1),
          .ab_i(e[0]), .c_i(e[1]), .pcin_i(e4_words), .p_o(half_unused), .pcout_o(half_words)
      );
      if (IsPaper) begin : gen_more
        hf_keccak_dsp_lanes u_more (
            .clk_i, .op_i(OpXorAbCPcin), .op_zero_i(OpXorAbCPcin), .en_c_i(1'b1),
            .ab_i(e[2]), .c_i(e[3]), .pcin_i(half_words), .p_o(more_unused), .pcout_o(more_words)
        );
      end else begin : gen_no_more
        assign more_unused = '0;
        assign more_words  = half_words;
      end
      hf_keccak_dsp_lanes #(
          .PRegister(ParityRegister)
      ) u_parity (
          .clk_i,
          .op_i(IsPaper ? OpXorAbPcin : OpXorAbCPcin),
          .op_zero_i(IsPaper ? OpXorAbPcin : OpXorAbCPcin),
          .en_c_i(1'b1),
          .ab_i(IsPaper ? e[4] : e[2]), .c_i(IsPaper ? '0 : e[3]), .pcin_i(more_words),
          .p_o(parity), .pcout_o(parity_words)
      );
    end

    if (Structure == DspWideChain) begin : gen_chain
      plane_words_t t_words[5];
      for (genvar y = 0; y < 5; y++) begin : gen_t
        plane_t t;
        hf_keccak_dsp_lanes #(
            .AbRegisters(Registered ? 1 : 0), .CRegister((Registered && y != 0) ? 1 : 0)
        ) u_t (
            .clk_i, .op_i(OpXorAbCPcin), .op_zero_i(OpXorAbCPcin), .en_c_i(1'b1),
            .ab_i(left(e[y])),
            .c_i((y == 0) ? other(parity) : left(e[(y+4)%5])),
            .pcin_i((y == 0) ? parity_words : t_words[(y+4)%5]),
            .p_o(t),
            .pcout_o(t_words[y])
        );
        assign theta_out[y] = right(t);
      end
    end else begin : gen_effect
      plane_t d, d_left;
      state_t d_all;
      plane_words_t d_unused;
      state_words_t t_unused;
      hf_keccak_dsp_lanes #(
          .PRegister(1)
      ) u_d (
          .clk_i, .op_i(OpXorAbPcin), .op_zero_i(OpXorAbPcin), .en_c_i(1'b1),
          .ab_i(other(parity)), .c_i('0), .pcin_i(parity_words), .p_o(d_left), .pcout_o(d_unused)
      );
      assign d = right(d_left);
      assign d_all = {d, d, d, d, d};
      hf_keccak_dsp_lanes #(
          .Lanes(25), .AbRegisters(2), .PRegister(1)
      ) u_t (
          .clk_i, .op_i(OpXorAbC), .op_zero_i(OpXorAbC), .en_c_i(1'b1),
          .ab_i(e), .c_i(d_all), .pcin_i('0), .p_o(theta_out), .pcout_o(t_unused)
      );
    end

  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Structure > DspWideRunning) begin : gen_bad_structure
    $fatal(1, "hf_keccak_dsp_wide: Structure is 0 to 3, not %0d", Structure);
  end
  if (ParityTree && Structure != DspWidePaper) begin : gen_bad_tree
    $fatal(1, "hf_keccak_dsp_wide: ParityTree is 0, not 1, with Structure %0d", Structure);
  end
  if (!Registered && Structure < DspWideChain) begin : gen_bad_registered
    $fatal(1, "hf_keccak_dsp_wide: Registered is 1, not 0, with Structure %0d", Structure);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
