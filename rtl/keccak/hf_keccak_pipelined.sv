// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3), or its last twelve rounds (TurboSHAKE, RFC 9861, section
// 2), as a ring of pipeline registers with one message in each.
// `Rounds` rounds stand in a row; each has a register at its end and those inside it that the
// parameter Registers selects. The ring has Depth registers and Depth slots. A slot passes the
// ring SlotCycles = RoundCount / Rounds times a block, so a block takes SlotCycles * Depth clocks
// and Depth blocks are in flight: RoundCount / Rounds clocks a block. States are returned
// (docs/reference/contract.md, rule 11).
//
//   registers inside a round  stages of the round                            LUT4 levels
//   Parity, Effect, Theta     column parity | theta's effect | theta | chi   1 each
//   Parity, Theta             column parity | theta | chi                    1 each
//   Theta                     theta | chi                                    2 and 1
//   none                      all of the round                               3
//   Theta, Rho, Pi            theta | rho | pi | chi                         sharma-clockgated (b)
//
// RegisterReturn adds a register between the last round and the first, and with it a slot: a number
// of slots that has no common divisor with SlotCycles lets a front end load each slot in turn.
//
// HalfChoice, with twelve rounds: the bit above the block selects the rounds that follow it, the
// last twelve if it is high, otherwise the first (docs/reference/contract.md, rule 14). It is read
// with the block. So a block of 24 rounds takes two of twelve, the second of which is zero.
//
// Without the register of the block, chi takes it from blk_i, which must be zero in all clocks but
// its own (docs/reference/contract.md, rule 12). Then clock 4 and all later clocks below, and
// st_valid_o, come a clock earlier.
//
// Schedule of a slot. Clock 0 is the clock in which it is shown on blk_slot_o. The content of each
// register moves on in every clock.
//
//   0        the block's handshake, or none
//   2        st_valid_o: the state that is complete in clock 5 leaves (data delay 3)
//   3        blk_i is read; theta of the last round gives zero if the block is `first`
//   4        chi of the last round: the block is its fourth input
//   5        the state is on st_o, or mixed with the block, or the block only
//   Depth    the slot is shown again: it accepts a block only if it is empty (with two slots, only
//            if it was already empty in clock 0)
//   Depth * SlotCycles
//            the next block is due. If it is offered, no clock is lost. If not, or if this block
//            was the last, the state leaves
//
// The pure state is visible only when no block is mixed in. So a slot that ends a message accepts
// the next `first` block a slot cycle later, not in the same slot cycle.
//
// For speed (measurements in docs/engines/keccak-pipelined.md), the datapath has no enable and no
// multiplexer. A state is cleared by an AND in theta's own LUT, or, where that LUT is full, by the
// synchronous reset of the flip-flops after it. The block register is zero (by such a reset) except
// in one clock a block, and it carries iota's constant. Controls that reach 1600 bits come from
// copies of a register.
//
// Gate (hf_clock_gate's Style): stages whose slot is empty are not clocked. Paper sharma-clockgated
// (c).

module hf_keccak_pipelined
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_keccak_pipelined_pkg::*;
#(
    parameter  int unsigned Rounds = 1,  // unrolled: 1, 2, 3, 4, 6, 8, 12 or 24; divides RoundCount
    parameter  int unsigned RoundCount = NumRounds,  // 24; 12: the last rounds of Keccak-f
    parameter  bit          HalfChoice = 1'b0,  // RoundCount = 12: each block selects its rounds
    parameter  int unsigned Registers = RegistersDefault,  // bits: hf_keccak_pipelined_pkg
    parameter  int unsigned Gate = 0,  // 0: none; 1, 2: Style of hf_clock_gate
    localparam int unsigned Depth = ring_slots(whole_rounds(Rounds), Registers),
    localparam int unsigned Stages = ring_slots(1, Registers & ~RegisterReturn),
    localparam int unsigned BlockWidth = StateWidth + 32'(HalfChoice),
    localparam int unsigned SlotWidth = (Depth > 1) ? $clog2(Depth) : 1
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    // 3 clocks after the handshake; HalfChoice: bit 1600 selects the last rounds.
    input  logic [BlockWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // unused: states are returned (rule 11)
    output logic [ SlotWidth-1:0] st_slot_o,
    output logic [StateWidth-1:0] st_o         // 3 clocks after st_valid_o
);

  localparam int unsigned Unrolled = whole_rounds(Rounds);
  // A legal value in place of an illegal one: the module elaborates, and the check below fails.
  localparam int unsigned Skipped = (RoundCount == NumRounds / 2 && Unrolled <= NumRounds / 2) ?
      NumRounds / 2 : 0;  // rounds of Keccak-f before the first
  localparam int unsigned SlotCycles = (NumRounds - Skipped) / Unrolled;
  localparam bit Chooses = HalfChoice && Skipped != 0;
  localparam int unsigned Halves = Chooses ? 2 : 1;
  // The round of Keccak-f that begins where `turn` is 0.
  localparam int unsigned FirstRound = Chooses ? 0 : Skipped;
  localparam bit HasParity = (Registers & RegisterParity) != 0;
  localparam bit HasEffect = (Registers & RegisterEffect) != 0;
  localparam bit HasTheta = (Registers & RegisterTheta) != 0;
  localparam bit HasRho = (Registers & RegisterRho) != 0;
  localparam bit HasPi = (Registers & RegisterPi) != 0;
  localparam bit HasBlock = (Registers & RegisterBlock) != 0;
  localparam int unsigned First = ((Registers & RegisterReturn) != 0) ? 1 : 0;  // stage of round 0
  localparam int unsigned NumCopies = 64;  // copies of a control that reaches the whole state
  localparam int unsigned NumTrunks = 8;
  localparam int unsigned Slices = LaneWidth / NumCopies;  // z-slices for each copy

  // Clocks from the handshake: to the read of blk_i, to chi of the last round, and to the zero in
  // theta of that round.
  localparam int unsigned DataDelay = PipelinedDataDelay;
  localparam int unsigned ChiDelay = DataDelay + 32'(HasBlock);
  localparam int unsigned ZeroDelay = ChiDelay - 32'(HasTheta) - 32'(HasRho) - 32'(HasPi);
  // Cleared by the reset of theta's register instead of in its LUT. With a register for the parity
  // and none for the effect, that LUT already has four inputs (so for one round; engines of more
  // rounds stay as they were measured). Without a block register, the reset saves a LUT level.
  localparam bit ZeroByReset = HasTheta &&
      (!HasBlock || (HasParity && !HasEffect && Rounds == 1));

  typedef logic [SlotWidth-1:0] slot_t;
  typedef round_t turn_t;

  ////////////////////
  // Control        //
  ////////////////////

  // The control of a slot moves with its content. ctl_q[i] belongs to the slot that was shown i
  // clocks ago; ctl_q[0] to the slot shown now. A handshake changes it on the way from ctl_q[1] to
  // ctl_q[2].
  typedef struct packed {
    logic  live;  // a message's state, also while it leaves
    logic  busy;  // a block was accepted and is not complete yet
    logic  last;  // its state must leave
    logic  due;   // valid from ctl_q[2] on: the block is complete when the slot is shown
    // Two slots only: it has just left, so that st_valid_o comes a slot cycle later at least.
    logic  rest;
    // Slot cycles since the handshake, mod SlotCycles; incremented on the way into ctl_q[0]. With
    // HalfChoice, SlotCycles more in the last rounds, from the fourth clock after the handshake on.
    turn_t turn;
  } ctl_t;

  function automatic turn_t after(input turn_t turn);
    if (Chooses && turn == turn_t'(2 * SlotCycles - 1)) return turn_t'(SlotCycles);
    return (turn == turn_t'(SlotCycles - 1)) ? '0 : turn + turn_t'(1);
  endfunction

  ctl_t ctl_q[Depth];
  ctl_t handed_d;
  // Of the slot shown: its block is complete; it accepts a block; it accepts only a block of zeros.
  logic due_q, ready_q, zeros_q;
  slot_t slot_q;
  logic take, first;

  assign blk_ready_o = ready_q && !(zeros_q && blk_first_i);
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign first = take && blk_first_i;

  // These registers are a clock late, and first_q[2] is two clocks late.
  localparam int unsigned UntakenBits = Chooses ? DataDelay : 1;
  logic [UntakenBits-1:0] untaken_q;  // [n]: no block was accepted n + 1 clocks ago
  logic last_q, last_due_q, due1_q;
  logic [2:1] first_q;
  slot_t slot1_q;

  // With HalfChoice, a block's choice changes the control of its slot on the way to here.
  localparam int unsigned ChoiceAt = (DataDelay + 1) % Depth;

  // A handshake changes ctl_q from ctl_q[2] on only, so that each register is one LUT level away.
  ctl_t ctl_d[Depth];
  always_comb begin
    handed_d = ctl_q[1];
    handed_d.live = !untaken_q[0] || ctl_q[1].busy;
    handed_d.rest = Depth == 2 && due1_q && untaken_q[0];
    if (due1_q) handed_d.busy = 1'b0;
    if (!untaken_q[0]) begin
      handed_d.busy = 1'b1;
      handed_d.last = last_q;
      handed_d.turn = '0;
    end
    handed_d.due = handed_d.busy && handed_d.turn == turn_t'(SlotCycles - 1);
    if (Chooses && handed_d.turn == turn_t'(2 * SlotCycles - 1)) handed_d.due = handed_d.busy;
  end
  always_comb begin
    ctl_d[1] = ctl_q[0];
    for (int unsigned i = 2; i < Depth; i++) ctl_d[i] = (i == 2) ? handed_d : ctl_q[i-1];
    ctl_d[0] = (Depth == 2) ? handed_d : ctl_q[Depth-1];
    if (Chooses && !untaken_q[UntakenBits-1] && blk_i[BlockWidth-1]) begin
      ctl_d[ChoiceAt].turn = turn_t'(SlotCycles);
    end
    ctl_d[0].turn = after(ctl_d[0].turn);
  end

  always_ff @(posedge clk_i) begin
    ctl_q   <= ctl_d;
    due_q   <= ctl_d[0].due;
    ready_q <= ctl_d[0].due || !(ctl_d[0].busy || ctl_d[0].rest);
    zeros_q <= ctl_d[0].due && ctl_d[0].last;
    slot_q  <= (slot_q == slot_t'(Depth - 1)) ? '0 : slot_q + slot_t'(1);
    if (rst_i) begin
      for (int unsigned i = 0; i < Depth; i++) begin
        ctl_q[i].live <= 1'b0;
        ctl_q[i].busy <= 1'b0;
        ctl_q[i].rest <= 1'b0;
        ctl_q[i].due  <= 1'b0;
      end
      slot_q  <= '0;
      due_q   <= 1'b0;
      ready_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    untaken_q  <= UntakenBits'({untaken_q, !take || rst_i});
    last_q     <= blk_last_i;
    first_q    <= {first_q[1], first};
    due1_q     <= due_q && !rst_i;
    last_due_q <= zeros_q && due_q && !rst_i;
    slot1_q    <= slot_q;
    if (HasBlock) begin
      st_valid_o <= (last_due_q || (due1_q && untaken_q[0])) && !rst_i;
      st_slot_o  <= slot1_q;
    end else begin
      st_valid_o <= due_q && (zeros_q || !take) && !rst_i;
      st_slot_o  <= slot_q;
    end
  end

  // The copies are for slices and not for lanes, because theta and chi work within slices, which
  // sets the placement of a state. A few trunk copies, a clock earlier, drive the others.
  logic [NumCopies-1:0] unread, zero;
  logic [NumTrunks-1:0] unread_trunk, zero_trunk;
  logic zero_trunk_d;
  if (ZeroDelay > 2) begin : gen_zero_late
    assign zero_trunk_d = first_q[ZeroDelay-2];
  end else if (!HasBlock) begin : gen_zero_from_port
    logic begins_q;  // the slot shown accepts a first block: one LUT4 from the port
    always_ff @(posedge clk_i) begin
      begins_q <= !rst_i && (ctl_d[0].due ? !ctl_d[0].last : !(ctl_d[0].busy || ctl_d[0].rest));
    end
    assign zero_trunk_d = blk_valid_i && blk_first_i && begins_q;
  end else begin : gen_zero_soon
    assign zero_trunk_d = first;
  end

  for (genvar i = 0; i < NumTrunks; i++) begin : gen_trunks
    hf_copy u_unread (
        .clk_i,
        .d_i(untaken_q[0]),
        .q_o(unread_trunk[i])
    );
    hf_copy u_zero (
        .clk_i,
        .d_i(zero_trunk_d),
        .q_o(zero_trunk[i])
    );
  end
  for (genvar i = 0; i < NumCopies; i++) begin : gen_copies
    hf_copy u_unread (
        .clk_i,
        .d_i(unread_trunk[i*NumTrunks/NumCopies]),
        .q_o(unread[i])
    );
    hf_copy u_zero (
        .clk_i,
        .d_i((ZeroDelay == 1) ? first : zero_trunk[i*NumTrunks/NumCopies]),
        .q_o(zero[i])
    );
  end

  // iota's constant of round `round`. The slot cycle is given by `turn`, read `since` slot cycles
  // later.
  function automatic lane_t constant(input turn_t turn, input int unsigned round,
                                     input int unsigned since);
    lane_t value;
    value = '0;
    for (int unsigned i = 0; i < Halves * SlotCycles; i++) begin
      value |= RoundConstant[FirstRound+i*Rounds+round] &
          {LaneWidth{turn == turn_t'(i / SlotCycles * SlotCycles + (i + since) % SlotCycles)}};
    end
    return value;
  endfunction

  // Registered twice, so that each register is one LUT4 level away. A block register carries the
  // last round's constant; the other constants are inputs of chi.
  lane_t round_constant[Unrolled];
  for (genvar r = 0; r < Unrolled; r++) begin : gen_iota
    // The clock of the schedule that needs the constant. The slot cycle is read two clocks earlier.
    localparam int unsigned When = (r == Unrolled - 1) ? Depth + DataDelay :
        ChiDelay + 1 + First + r * Stages + Stages - 1;
    localparam int unsigned Look = When - 2;
    turn_t turn;
    logic high_q, none;
    lane_t low_half_q, high_half_q, iota_q;
    assign turn = ctl_q[Look%Depth].turn;
    assign none = (r == Unrolled - 1) && first_q[2];
    always_ff @(posedge clk_i) begin
      high_q      <= turn[4];
      low_half_q  <= constant({1'b0, turn[3:0]}, r, Look / Depth);
      high_half_q <= constant({1'b1, turn[3:0]}, r, Look / Depth);
      iota_q      <= (low_half_q & {LaneWidth{!high_q && !none}}) |
          (high_half_q & {LaneWidth{high_q && !none}});
    end
    assign round_constant[r] = iota_q;
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  // Stage p is loaded with the content of stage p - 1. Stage 0 holds the state between slot cycles.
  logic [Depth-1:0] clk, en, live;
  for (genvar i = 0; i < Depth; i++) begin : gen_live
    assign live[i] = ctl_q[i].live || (i == 1 && !untaken_q[0]);
  end
  for (genvar p = 0; p < Depth; p++) begin : gen_gate
    hf_clock_gate #(
        .Style((Gate > 2) ? 0 : Gate)
    ) u_gate (
        .clk_i,
        .en_i (live[(ChiDelay+p)%Depth]),
        .clk_o(clk[p]),
        .en_o (en[p])
    );
  end

  logic clk_block, en_block;
  hf_clock_gate #(
      .Style((Gate > 2) ? 0 : Gate)
  ) u_gate_block (
      .clk_i,
      .en_i (live[DataDelay%Depth]),
      .clk_o(clk_block),
      .en_o (en_block)
  );

  state_t block_q;
  for (genvar z = 0; z < LaneWidth; z++) begin : gen_block
    localparam int unsigned Copy = z / Slices;
    logic constant_bit;
    assign constant_bit = round_constant[Unrolled-1][z];
    if (HasBlock) begin : gen_register
      always_ff @(posedge clk_block) begin
        if (en_block) begin
          for (int unsigned i = 0; i < 25; i++) begin
            if (unread[Copy]) block_q[i/5][i%5][z] <= (i == 0) ? constant_bit : 1'b0;
            else block_q[i/5][i%5][z] <= blk_i[LaneWidth*i+z] ^ ((i == 0) ? constant_bit : 1'b0);
          end
        end
      end
    end else begin : gen_none
      for (genvar i = 0; i < 25; i++) begin : gen_lane
        assign block_q[i/5][i%5][z] = blk_i[LaneWidth*i+z] ^ ((i == 0) ? constant_bit : 1'b0);
      end
    end
  end

  if (!HasBlock) begin : gen_sooner
    logic unused_later;
    assign unused_later = ^{last_due_q, slot1_q, unread, unread_trunk, clk_block, en_block};
  end

  state_t state[Unrolled+1];  // before each round, and after the last
  if (First == 1) begin : gen_return
    state_t a_q;
    always_ff @(posedge clk[1]) if (en[1]) a_q <= st_o;
    assign state[0] = a_q;
  end else begin : gen_no_return
    assign state[0] = st_o;
  end

  for (genvar r = 0; r < Unrolled; r++) begin : gen_round
    localparam int unsigned Base = First + r * Stages;
    localparam int unsigned AtTheta = Base + 32'(HasParity) + 32'(HasEffect) + 1;
    localparam int unsigned AtRho = AtTheta + 32'(HasTheta);
    localparam int unsigned AtPi = AtRho + 32'(HasRho);
    localparam bit IsLast = r == Unrolled - 1;

    // theta in parts (theta_split): the parity of planes 0 to 3, and with plane 4 its effect on
    // each column. If the parity has a register and the effect has none, plane 4's share is
    // computed in the parity's stage, so that each register is one LUT4 level away.
    state_t a_parity, a_effect;
    plane_t parity_d, parity, effect;
    assign parity_d = state[r][0] ^ state[r][1] ^ state[r][2] ^ state[r][3];

    if (HasParity) begin : gen_parity
      state_t a_q;
      plane_t parity_q;
      always_ff @(posedge clk[Base+1]) begin
        if (en[Base+1]) begin
          a_q      <= state[r];
          parity_q <= parity_d;
        end
      end
      assign a_parity = a_q;
      assign parity   = parity_q;
    end else begin : gen_no_parity
      assign a_parity = state[r];
      assign parity   = parity_d;
    end

    if (HasEffect) begin : gen_effect
      state_t a_q;
      plane_t effect_q;
      always_ff @(posedge clk[Base+2]) begin
        if (en[Base+2]) begin
          a_q      <= a_parity;
          effect_q <= theta_effect(parity ^ a_parity[4]);
        end
      end
      assign a_effect = a_q;
      assign effect   = effect_q;
    end else if (HasParity) begin : gen_share
      plane_t share_q;
      always_ff @(posedge clk[Base+1]) if (en[Base+1]) share_q <= theta_effect(state[r][4]);
      assign a_effect = a_parity;
      assign effect   = theta_effect(parity) ^ share_q;
    end else begin : gen_no_effect
      assign a_effect = a_parity;
      assign effect   = theta_effect(parity) ^ theta_effect(a_parity[4]);
    end

    state_t a_theta, b_theta, b_rho, b_pi, b_chi;
    always_comb begin
      for (int unsigned i = 0; i < 25; i++) begin
        a_theta[i/5][i%5] = a_effect[i/5][i%5] ^ effect[i%5];
        for (int unsigned z = 0; z < LaneWidth; z++) begin
          if (IsLast && !ZeroByReset) a_theta[i/5][i%5][z] &= !zero[z/Slices];
        end
      end
    end

    if (HasTheta) begin : gen_theta
      state_t a_q;
      if (IsLast && ZeroByReset) begin : gen_zero
        for (genvar z = 0; z < LaneWidth; z++) begin : gen_slice
          always_ff @(posedge clk[AtTheta]) begin
            if (en[AtTheta]) begin
              for (int unsigned i = 0; i < 25; i++) begin
                if (zero[z/Slices]) a_q[i/5][i%5][z] <= 1'b0;
                else a_q[i/5][i%5][z] <= a_theta[i/5][i%5][z];
              end
            end
          end
        end
      end else begin : gen_plain
        always_ff @(posedge clk[AtTheta]) if (en[AtTheta]) a_q <= a_theta;
      end
      assign b_theta = a_q;
    end else begin : gen_no_theta
      assign b_theta = a_theta;
    end

    if (HasRho) begin : gen_rho
      state_t a_q;
      always_ff @(posedge clk[AtRho]) if (en[AtRho]) a_q <= rho(b_theta);
      assign b_rho = a_q;
    end else begin : gen_no_rho
      assign b_rho = rho(b_theta);
    end

    if (HasPi) begin : gen_pi
      state_t a_q;
      always_ff @(posedge clk[AtPi]) if (en[AtPi]) a_q <= pi(b_rho);
      assign b_pi = a_q;
    end else begin : gen_no_pi
      assign b_pi = pi(b_rho);
    end

    always_comb begin
      b_chi = chi(b_pi);
      if (IsLast) b_chi ^= block_q;
      else b_chi[0][0] ^= round_constant[r];
    end

    localparam int unsigned Next = (Base + Stages) % Depth;
    state_t a_q;
    always_ff @(posedge clk[Next]) if (en[Next]) a_q <= b_chi;
    assign state[r+1] = a_q;
  end

  assign st_o = state[Unrolled];

  logic unused_ready;
  assign unused_ready = st_ready_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Rounds == 0 || NumRounds % Rounds != 0) begin : gen_bad_rounds
    $fatal(1, "hf_keccak_pipelined: Rounds divides 24, %0d does not", Rounds);
  end
  if (RoundCount != NumRounds && RoundCount != NumRounds / 2) begin : gen_bad_count
    $fatal(1, "hf_keccak_pipelined: RoundCount is 24 or 12, not %0d", RoundCount);
  end
  if (Rounds != 0 && NumRounds % Rounds == 0 && RoundCount % Rounds != 0) begin : gen_bad_share
    $fatal(1, "hf_keccak_pipelined: Rounds divides RoundCount, %0d does not", Rounds);
  end
  if (Depth < 2) begin : gen_bad_depth
    $fatal(1, "hf_keccak_pipelined: Rounds and Registers give 2 slots or more, not %0d", Depth);
  end
  if (Registers >= 2 * RegisterReturn) begin : gen_bad_registers
    $fatal(1, "hf_keccak_pipelined: Registers has seven bits, %0d has more", Registers);
  end
  if (HasEffect && !HasParity) begin : gen_bad_effect
    $fatal(1, "hf_keccak_pipelined: Registers needs RegisterParity with RegisterEffect");
  end
  if (ZeroDelay == 0) begin : gen_bad_block
    $fatal(1, "hf_keccak_pipelined: Registers needs RegisterBlock with those of rho and pi");
  end
  if (HalfChoice && RoundCount != NumRounds / 2) begin : gen_bad_half_count
    $fatal(1, "hf_keccak_pipelined: HalfChoice needs RoundCount = 12, not %0d", RoundCount);
  end
  if (HalfChoice && (!HasBlock || Depth < 4 || Stages < 2)) begin : gen_bad_half_registers
    $fatal(1, "hf_keccak_pipelined: HalfChoice needs RegisterBlock, 4 slots, 2 stages a round");
  end
  if (Gate > 2) begin : gen_bad_gate
    $fatal(1, "hf_keccak_pipelined: Gate is 0, 1 or 2, not %0d", Gate);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
