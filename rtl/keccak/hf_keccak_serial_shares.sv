// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], some slices a clock, plain or on Boolean shares: what hf_keccak_serial and
// hf_keccak_masked_serial have in common. A slice is the 25 bits of a state with the same z (FIPS
// 202, section 3.1.1). Each lane has a small memory with a word of `Slices` bits for each group of
// slices; a pass reads the groups one after the other, applies a round, and writes them back.
//
// The round is turned around, so that one pass is enough: it begins with pi, chi and iota of the
// round before and ends with theta and rho. At rest, the memories hold the state before pi, chi and
// iota of the permutation's last round. So a pass is
//
//   memory -> pi, chi, iota, block -> r1 -> parity c -> theta -> r3 -> rho -> memory
//
// The block is added where the state is as the standard has it, in the first pass of a
// permutation. Until then it is in a memory of its own, one for each lane as well: it is loaded
// while the block before is permuted. A word is read where the block is added, with all other
// planes cleared, so that the parity of a column is the word's lane.
//
// rho moves a lane's bit z to z + n: its group moves by n / Slices, and the bit within the group by
// n mod Slices, a fixed shift over two groups. A group's move costs no second memory: it is written
// where its lane's pass has just read, and the lane's base address changes instead, by n / Slices
// from pass to pass. Lanes with the same n / Slices share an address.
//
// Group k is read in step k - 4 of a pass and written in step k. The last group is read twice,
// first in step -5: theta of slice 0 takes the parity of slice 63, and rho needs the group before.
// With G = 64 / Slices groups, a pass takes G + 5 clocks and a permutation 24 (G + 5). An add or a
// read takes one pass at most for each lane, when no permutation runs; a wipe takes one pass.
//
// With more Shares every value is their XOR, each with memories and linear steps of its own. Products
// of chi are registered before those of a share are added (hf_keccak_masked_chi), in place of r1. A
// pass has a step -6, in which it waits for random bits, and takes G + 6 clocks. The clocks between
// the last group of a pass and the first of the next read zeros. A wipe leaves masks in all shares,
// which add up to zero.
//
// With two shares the products are masked by share 0 of the row three slices before it, in the same
// plane: `guards`. Slice 0 of a plane takes slice 61 of the plane below it, and the first row of all
// four fresh bits and a bit of the last row of the round before (docs/engines/keccak-masked.md). So
// the last group needs the group before it too, which is read in step -6. After a reset, passes of a
// wipe with fresh bits make the shares uniform, before the first operation is accepted (started_o).
// With three or four shares each product of two shares has a fresh bit, in each clock.

module hf_keccak_serial_shares
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    parameter int unsigned Slices = 4,  // 1, 2, 4, 8 or 16, and less than WordWidth
    parameter int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter bit BlockRam = 1'b0,  // memories in block RAM: see hf_lane_ram
    parameter int unsigned BlockLanes = 25,  // words are added to lanes below this one only
    parameter int unsigned Shares = 1,  // 1: plain; 2 to 4: masked, with 4, 8 or 16 slices
    parameter int unsigned FirstPasses = 0,  // of a wipe, after a reset; with two shares
    // Legal values in place of illegal parameters: the module elaborates, and the check below
    // fails.
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam bit SlicesLegal = $countones(Slices) == 1 && Slices <= 16 && Slices < Width,
    localparam int unsigned GroupBits = SlicesLegal ? Slices : 4,
    localparam bit LanesLegal = BlockLanes >= 1 && BlockLanes <= 25,
    localparam int unsigned AddLanes = LanesLegal ? BlockLanes : 25,
    localparam int unsigned AddrWidth = word_address_width(Width),
    localparam int unsigned KeepWidth = Width / 8,
    localparam int unsigned Pairs = Shares * (Shares - 1) / 2,
    localparam int unsigned RandWidth = (Shares > 2) ? 25 * GroupBits * Pairs : 4
) (
    input logic clk_i,
    input logic rst_i,  // synchronous, active high

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,       // a word_op_e
    input  logic [   AddrWidth-1:0] op_addr_i,
    input  logic [   KeepWidth-1:0] op_bytes_i,
    input  logic [Shares*Width-1:0] op_word_i,  // share i in bits Width * i and up
    output logic [Shares*Width-1:0] word_o,

    // With two shares or more. A pass that needs rand_i waits for rand_valid_i in its first step.
    // With two it takes four bits there. With more it takes new ones in each clock with a group of
    // slices, and does not wait for these: rand_valid_i stays high once it is.
    output logic                 started_o,
    input  logic                 rand_valid_i,
    output logic                 rand_ready_o,
    input  logic [RandWidth-1:0] rand_i         // more than two: bits of [pair][y][x], Slices each
);

  localparam int unsigned Groups = LaneWidth / GroupBits;
  localparam int unsigned GroupWidth = $clog2(Groups);
  localparam int unsigned StepWidth = (GroupWidth < 3) ? 4 : GroupWidth + 1;
  localparam int unsigned LaneWords = LaneWidth / Width;
  localparam int unsigned LaneAddrAt = $clog2(LaneWords);  // the lane's lowest bit in an address
  localparam int unsigned WordGroups = Width / GroupBits;
  localparam int unsigned IndexWidth = $clog2(WordGroups);
  localparam int unsigned NumLanes = 25;

  typedef logic [GroupBits-1:0] group_t;  // of one lane
  typedef logic [StepWidth-1:0] step_t;  // two's complement
  typedef logic [GroupWidth-1:0] group_addr_t;

  localparam bit Masked = Shares > 1;
  localparam bit Fresh = Shares > 2;  // a random bit for each product
  localparam int unsigned StepsBefore = Masked ? 6 : 5;  // before step 0
  localparam step_t FirstStep = step_t'(0) - step_t'(StepsBefore);
  localparam step_t LastStep = step_t'(Groups - 1);

  // Bits 2^j - 1 of a round constant, j = 0 .. 6, and one more: rc(t) to rc(t + 7) of FIPS 202,
  // algorithm 5, with t = 7i for round i.
  typedef logic [7:0] constants_t;
  function automatic constants_t constants(input int unsigned round);
    for (int unsigned j = 0; j < 8; j++) begin
      constants[j] = RoundConstant[round+j/7][(1<<(j%7))-1];
    end
  endfunction

  localparam constants_t FirstConstants = constants(0);
  localparam constants_t FinalConstants = constants(NumRounds - 2);

  constants_t constants_q;

  // Bit i of a sum, as gates: synthesis would infer a carry chain, which takes more LUTs.
  function automatic logic sum_bit(input step_t a, input step_t b, input int unsigned i);
    logic carry;
    carry = 1'b0;
    for (int unsigned j = 0; j < i; j++) carry = (a[j] & b[j]) | (carry & (a[j] ^ b[j]));
    return a[i] ^ b[i] ^ carry;
  endfunction

  ////////////////////
  // Passes         //
  ////////////////////

  typedef enum logic [1:0] {
    PassNone,
    PassAccess,  // words of one lane are read or added to
    PassWipe,
    PassRound
  } pass_e;

  pass_e pass_d, pass_q;
  step_t step_q, next_step;
  logic negative, first_step;  // step_q is below 0; is FirstStep
  logic ending;  // step_q is one of the last four
  logic before_last_q, last_q;  // step_q is LastStep - 1; is LastStep
  logic first_round_q, final_round_q;  // in a permutation's first pass, which adds the block; last
  logic decide, begin_q, wiped_q, word_done;

  assign negative = step_q[StepWidth-1];
  assign first_step = negative && !step_q[2];  // or the one after it, where a pass has step -6
  assign decide = pass_q == PassNone || (last_q && !(pass_q == PassRound && !final_round_q));

  for (genvar i = 0; i < StepWidth; i++) begin : gen_step
    assign next_step[i] = sum_bit(step_q, step_t'(1), i);
  end

  // Passes of a wipe after a reset that are still to come.
  localparam int unsigned StartWidth = (FirstPasses == 0) ? 1 : $clog2(FirstPasses + 1);
  logic [StartWidth-1:0] starting_q;
  logic starting, first_start;
  assign starting = Masked && FirstPasses != 0 && starting_q != '0;
  assign first_start = starting && starting_q == StartWidth'(FirstPasses);
  assign started_o = !starting;
  always_ff @(posedge clk_i) begin
    if (rst_i) starting_q <= StartWidth'(FirstPasses);
    else if (starting && last_q) starting_q <= starting_q - StartWidth'(1);
  end

  // A pass waits for random bits in step -6. The first one after a reset clears what was there, and
  // takes none.
  logic at_random, hold;
  assign at_random = Masked && step_q == FirstStep && !first_start &&
      (pass_q == PassRound || pass_q == PassWipe);
  assign hold = at_random && !rand_valid_i;
  if (!Fresh) begin : gen_take_once
    assign rand_ready_o = at_random && rand_valid_i;
  end

  always_comb begin
    pass_d = pass_q;
    if (decide) begin
      pass_d = PassNone;
      if (starting) begin
        if (!(last_q && starting_q == StartWidth'(1))) pass_d = PassWipe;
      end else if (op_valid_i) begin
        unique case (op_i)
          WordPermute: if (begin_q) pass_d = PassRound;
          WordWipe:    if (!wiped_q) pass_d = PassWipe;
          default:     if (!word_done) pass_d = PassAccess;
        endcase
      end
    end
  end

  // Only registers, for a short path. A permutation begins at the end of a pass, or a clock after
  // it is offered: an operation that has been offered stays. Then the block is written as well.
  assign op_ready_o = word_done || begin_q || wiped_q;
  always_ff @(posedge clk_i) begin
    begin_q <= !rst_i && !starting && op_valid_i && op_i == WordPermute && !begin_q &&
        (pass_q == PassNone || ((before_last_q || last_q) && pass_q != PassWipe &&
                                !(pass_q == PassRound && !final_round_q)));
    wiped_q <= !rst_i && !starting && pass_q == PassWipe && before_last_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      pass_q        <= PassNone;
      step_q        <= FirstStep;
      before_last_q <= 1'b0;
      last_q        <= 1'b0;
      first_round_q <= 1'b0;
      final_round_q <= 1'b0;
    end else begin
      pass_q <= pass_d;
      if (last_q) step_q <= FirstStep;
      else if (pass_q != PassNone && !hold) step_q <= next_step;
      before_last_q <= step_q == LastStep - step_t'(2);
      last_q <= before_last_q;
      if (first_step) final_round_q <= pass_q == PassRound && constants_q == FinalConstants;
      if (begin_q) first_round_q <= 1'b1;
      else if (last_q) first_round_q <= 1'b0;
    end
  end

  ////////////////////
  // Words          //
  ////////////////////

  // The lane that is accessed, and whether its words are added to. In an access they are those of
  // the whole pass, else of the clock before. An operation joins a pass in its word's first group,
  // and is accepted in the last. It is compared with the lane a clock after it joins.
  logic [4:0] op_lane, lane_q;
  logic op_add, add_q;
  logic [4:0] column, plane;  // x and y of lane_q, one-hot
  // In an access, all others. They clear registers without a LUT.
  logic [4:0] not_column_q, not_plane_q;
  logic match_q, allowed, here, take, taking_q, taken_q, index_first, index_last;
  logic index_next_last;

  assign op_lane = op_addr_i[AddrWidth-1:LaneAddrAt];
  assign op_add  = op_i == WordAdd;

  always_ff @(posedge clk_i) begin
    if (pass_q != PassAccess || last_q) begin
      lane_q <= op_lane;
      add_q  <= op_add;
    end
    if (pass_q != PassAccess) begin
      not_column_q <= '0;
      not_plane_q  <= '0;
    end else begin
      not_column_q <= ~column;
      not_plane_q  <= ~plane;
    end
  end
  always_comb begin
    column = '0;
    plane  = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      column[l%5] |= lane_q == 5'(l);
      plane[l/5] |= lane_q == 5'(l);
    end
  end

  if (LaneWords == 1) begin : gen_lane_word
    assign here = !negative;
  end else begin : gen_part_word
    assign here = !negative && step_q[GroupWidth-1:IndexWidth] == op_addr_i[LaneAddrAt-1:0];
  end
  assign index_first = step_q[IndexWidth-1:0] == '0;
  assign index_last = &step_q[IndexWidth-1:0];
  // taken_q is high in a word's last group.
  assign index_next_last = step_q[IndexWidth-1:0] == IndexWidth'(WordGroups - 2);

  assign allowed = pass_q == PassAccess || (pass_q == PassRound && !first_round_q && op_add);
  assign take = op_valid_i && (op_add || op_i == WordRead) && allowed && here &&
      (index_first || (taking_q && match_q));
  assign word_done = taken_q && match_q;
  always_ff @(posedge clk_i) begin
    taking_q <= take && !index_last && !rst_i;
    taken_q  <= take && index_next_last && !rst_i;
    match_q  <= (op_lane == lane_q && op_add == add_q);
  end

  ////////////////////
  // Memories       //
  ////////////////////

  // Groups of the state and of the block, a clock after the address.
  group_t [Shares-1:0][NumLanes-1:0] r0, x0;
  group_t [Shares-1:0][NumLanes-1:0] r0_kept;  // of the state, where r0 is cleared too
  group_t [Shares-1:0][NumLanes-1:0] moved;  // groups after rho
  logic write_q, zero_state, zero_block, no_group, advance, stay_q, back_q;

  assign zero_state = pass_q == PassWipe || (pass_q == PassAccess && add_q);
  assign zero_block = !(pass_q == PassAccess || first_round_q);
  // With shares nothing is read where there is no group: after the last one the addresses are
  // those of memories in which old and new groups are mixed, and masks would be too. The group of
  // step -6 only masks.
  assign no_group = Masked && (pass_q == PassNone || ending);
  // In the steps of an access up to Groups - 6 the address passes over all groups. It stays from
  // then on, and continues in passes that write. With step -6 it is one too far at the end.
  assign advance = back_q || (pass_q != PassNone && !(pass_q == PassAccess && stay_q) && !hold);
  always_ff @(posedge clk_i) begin
    back_q  <= Masked && pass_q == PassAccess && before_last_q && !rst_i;
    stay_q  <= !last_q && (stay_q || step_q == step_t'(Groups) - step_t'(6));
    write_q <= (pass_q == PassRound || pass_q == PassWipe) && !last_q && (!negative || &step_q);
  end

  // Lanes whose group moves by `groups` places in rho: their number, and the one numbered `index`.
  function automatic int unsigned moved_lanes(input int unsigned groups);
    moved_lanes = 0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (RhoOffset[l] / GroupBits == groups) moved_lanes++;
    end
  endfunction
  function automatic int unsigned moved_lane(input int unsigned groups, input int unsigned index);
    int unsigned seen;
    moved_lane = 0;
    seen = 0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (RhoOffset[l] / GroupBits == groups) begin
        if (seen == index) moved_lane = l;
        seen++;
      end
    end
  endfunction

  // The address of lanes that move by m groups: a pass of G + 4 steps (G + 5 with step -6) and the
  // one below changes it by -m. Its bit b depends on m mod 2^(b + 1) only, so lanes share bits:
  // address_q[b] has one for each remainder.
  logic [GroupWidth-1:0][Groups-1:0] address_q;

  for (genvar m = 0; m < Groups; m++) begin : gen_address
    group_addr_t read;
    for (genvar b = 0; b < GroupWidth; b++) begin : gen_bit
      assign read[b] = address_q[b][m%(2<<b)];
      if (m < (2 << b)) begin : gen_sum
        localparam group_addr_t LastMove = group_addr_t'(2 * Groups - m - StepsBefore + 1);
        step_t move;
        always_comb begin
          move = last_q ? step_t'(LastMove) : step_t'(1);
          if (Masked && back_q) move = '1;
        end
        always_ff @(posedge clk_i) begin
          if (rst_i) address_q[b][m] <= 1'b0;
          else if (advance) address_q[b][m] <= sum_bit(step_t'(read), move, b);
        end
      end else begin : gen_unused
        assign address_q[b][m] = 1'b0;
      end
    end
  end

  // The last four steps read no group.
  assign ending = !negative && (step_q[GroupWidth-1:0] | group_addr_t'(3)) == '1;

  // A group is written four clocks after it is read, at the same address: in a pass that writes,
  // the address does not stay. The two lowest bits are the same then.
  logic [3:0][GroupWidth-1:0][Groups-1:0] address_before_q;
  always_ff @(posedge clk_i) address_before_q <= {address_before_q[2:0], address_q};

  for (genvar m = 0; m < Groups; m++) begin : gen_move
    localparam int unsigned Lanes = moved_lanes(m);
    if (Lanes != 0) begin : gen_lanes
      group_addr_t read_addr, write_addr;
      for (genvar b = 0; b < GroupWidth; b++) begin : gen_bit
        assign read_addr[b]  = address_q[b][m%(2<<b)];
        assign write_addr[b] = (b < 2) ? read_addr[b] : address_before_q[3][b][m%(2<<b)];
      end
      for (genvar s = 0; s < Shares; s++) begin : gen_share
        group_t [Lanes-1:0] data, state, kept;
        hf_lane_ram #(
            .Lanes   (Lanes),
            .Width   (GroupBits),
            .Depth   (Groups),
            .BlockRam(BlockRam)
        ) u_state (
            .clk_i,
            .write_i     ({Lanes{write_q}}),
            .write_addr_i(write_addr),
            .write_data_i(data),
            .read_addr_i (read_addr),
            .zero_i      (zero_state || no_group || (Masked && step_q == FirstStep)),
            .zero_kept_i (no_group),
            .read_data_o (state),
            .kept_data_o (kept)
        );
        for (genvar i = 0; i < Lanes; i++) begin : gen_lane
          localparam int unsigned Lane = moved_lane(m, i);
          assign data[i] = moved[s][Lane];
          assign r0[s][Lane] = state[i];
          assign r0_kept[s][Lane] = kept[i];
        end
      end
    end
  end

  // The block: written by bytes, or by groups where these are smaller.
  localparam int unsigned UnitWidth = (GroupBits < 8) ? GroupBits : 8;
  localparam int unsigned Units = GroupBits / UnitWidth;
  logic [AddLanes-1:0][Units-1:0] block_write_q;
  logic [3:0][Units-1:0] eight_write;  // of lanes 8i to 8i + 7
  group_t [Shares-1:0] word_group;
  group_addr_t group_addr_q, block_addr_q;
  logic [Units-1:0] op_units, units_q;
  logic clear_q, take_add_q;

  logic [IndexWidth-1:0] index;
  logic [WordGroups-1:0][Units-1:0] op_masks;
  assign index = step_q[IndexWidth-1:0];
  for (genvar i = 0; i < WordGroups; i++) begin : gen_mask
    assign op_masks[i] = op_bytes_i[i*GroupBits/8+:Units];
  end
  assign op_units = op_masks[index];

  // A group is written two clocks after the step that it belongs to.
  always_ff @(posedge clk_i) begin
    clear_q       <= (pass_q == PassWipe || first_round_q) && !negative;
    take_add_q    <= take && op_add && !rst_i;
    units_q       <= op_units;
    group_addr_q  <= step_q[GroupWidth-1:0] - group_addr_t'(4);
    block_addr_q  <= group_addr_q;
    for (int unsigned l = 0; l < AddLanes; l++) begin
      if (clear_q) block_write_q[l] <= '1;
      else block_write_q[l] <= eight_write[l/8] & {Units{lane_q[2:0] == 3'(l)}};
    end
  end
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      eight_write[i] = units_q & {Units{take_add_q && match_q && lane_q[4:3] == 2'(i)}};
    end
  end

  for (genvar s = 0; s < Shares; s++) begin : gen_block
    group_t [WordGroups-1:0] op_groups;
    group_t block_group_q, block_data_q;
    logic [Units-1:0][UnitWidth-1:0] block_units;
    group_t [AddLanes-1:0] unused_kept;
    assign op_groups = op_word_i[Width*s+:Width];
    always_ff @(posedge clk_i) begin
      block_group_q <= op_groups[index] ^ word_group[s];
      block_data_q  <= clear_q ? '0 : block_group_q;
    end
    assign block_units = block_data_q;
    hf_lane_ram #(
        .Lanes   (AddLanes * Units),
        .Width   (UnitWidth),
        .Depth   (Groups),
        .BlockRam(BlockRam)
    ) u_block (
        .clk_i,
        .write_i     (block_write_q),
        .write_addr_i(block_addr_q),
        .write_data_i({AddLanes{block_units}}),
        .read_addr_i (step_q[GroupWidth-1:0]),
        .zero_i      (zero_block),
        .zero_kept_i (1'b1),
        .read_data_o (x0[s][AddLanes-1:0]),
        .kept_data_o (unused_kept)
    );
    for (genvar l = AddLanes; l < NumLanes; l++) begin : gen_no_block
      assign x0[s][l] = '0;
    end
  end

  ////////////////////
  // A round        //
  ////////////////////

  // iota of the round before, for pi, chi and iota at the beginning of a pass. The constants move
  // by seven places in a round, by one after each group with a bit that is not zero: bit Slices - 1
  // is always at the same place then. An access turns the seven bits of a round instead, and so
  // ends with those that it began with.
  localparam int unsigned FirstBits = $clog2(GroupBits) + 1;  // in group 0

  logic constant_group;  // the group that is read has bits of the constant
  logic move_constants;
  logic zero_q;  // the state is zero, and not the output of a permutation: no iota
  group_addr_t read_group;
  group_t iota_group, iota_q;

  assign read_group = step_q[GroupWidth-1:0] + group_addr_t'(4);
  assign constant_group = (read_group & (read_group + group_addr_t'(1))) == '0;
  assign move_constants = !first_step &&
      (ending ? 4'(step_q[1:0]) + 4'(FirstBits) > 4'd4 : constant_group);

  always_comb begin
    iota_group = '0;
    if (negative && step_q[1:0] == 2'b00) begin
      for (int unsigned j = 0; j + 1 < FirstBits; j++) iota_group[(1<<j)-1] = constants_q[j];
    end
    if (constant_group) begin
      iota_group[GroupBits-1] = first_step ? constants_q[6] : constants_q[FirstBits-1];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i || (first_round_q && last_q)) begin
      constants_q <= FirstConstants;
    end else if (pass_q[0] && move_constants) begin
      constants_q <= constants_q >> 1;
      if (pass_q == PassAccess) constants_q[7:6] <= {constants_q[7], constants_q[0]};
      else constants_q[7] <= ^{constants_q[6:4], constants_q[0]};
    end
    if (zero_state || zero_q) iota_q <= '0;
    else iota_q <= iota_group;
    if (pass_q == PassWipe) zero_q <= 1'b1;
    else if (first_round_q && last_q) zero_q <= 1'b0;
  end

  typedef group_t [4:0] groups_t;  // of a plane
  typedef groups_t [4:0] planes_t;  // [y][x]

  planes_t [Shares-1:0] before_chi;  // after pi: lane (x, y) is lane (x + 3y, x)
  planes_t [Shares-1:0] r1;
  for (genvar s = 0; s < Shares; s++) begin : gen_chi_input
    for (genvar y = 0; y < 5; y++) begin : gen_plane
      for (genvar x = 0; x < 5; x++) begin : gen_lane
        assign before_chi[s][y][x] = r0[s][5*x+(x+3*y)%5];
      end
    end
  end

  if (Masked && !Fresh) begin : gen_masked
    // A row of slice z is masked with share 0 of the row of slice z - 3. The registers are those of
    // the last three slices of the group before.
    localparam int unsigned Distance = 3;
    typedef logic [Distance-1:0][4:0][4:0] slices_t;  // [z][y][x]
    (* keep = "true", dont_touch = "true" *) slices_t guards_before_q;
    // What is multiplied and what masks come directly from registers, which stay what they are: the
    // second ones are not cleared.
    (* keep = "true", dont_touch = "true" *) planes_t [1:0] multiplied_q;
    (* keep = "true", dont_touch = "true" *) planes_t masking_q;
    (* keep = "true", dont_touch = "true" *) group_t [1:0][NumLanes-1:0] block_q;
    slices_t slices_last;  // of this group
    logic kept_q;  // a bit of the chain's last row, in the round before
    logic [3:0] fresh_q;
    logic last_group;  // the last group is in r0 for the first time: the next one is group 0
    logic [4:0] not_plane_guards_q;

    assign last_group = negative && step_q[1:0] == 2'b00;
    assign multiplied_q = before_chi;
    assign block_q = x0;
    always_comb begin
      for (int unsigned y = 0; y < 5; y++) begin
        for (int unsigned x = 0; x < 5; x++) begin
          masking_q[y][x] = r0_kept[0][5*x+(x+3*y)%5];
          for (int unsigned z = 0; z < Distance; z++) begin
            slices_last[z][y][x] = masking_q[y][x][GroupBits-Distance+z];
          end
        end
      end
    end
    always_ff @(posedge clk_i) begin
      guards_before_q <= slices_last;
      // Slice 61 of each plane is for slice 0 of the next.
      if (last_group) guards_before_q[0] <= {slices_last[0][3:0], kept_q, fresh_q};
      if (rand_ready_o) fresh_q <= rand_i;
      if (rst_i || first_start) kept_q <= 1'b0;
      else if (last_group && pass_q != PassAccess) kept_q <= slices_last[0][4][4];
      // No masks for a block's words, and none of a memory that was not written yet.
      if (pass_q == PassAccess) not_plane_guards_q <= add_q ? '1 : ~plane;
      else not_plane_guards_q <= first_start ? '1 : '0;
    end
    logic unused_kept;
    assign unused_kept = ^r0_kept[1];

    for (genvar y = 0; y < 5; y++) begin : gen_plane
      groups_t guards;
      groups_t [1:0] a, add, b;
      groups_t [1:0][1:0] products;
      always_comb begin
        for (int unsigned x = 0; x < 5; x++) begin
          for (int unsigned i = 0; i < GroupBits; i++) begin
            guards[x][i] = (i < Distance) ? guards_before_q[i%Distance][y][x] :
                masking_q[y][x][(i+GroupBits-Distance)%GroupBits];
          end
        end
      end
      for (genvar s = 0; s < 2; s++) begin : gen_share
        assign a[s] = multiplied_q[s][y];
        for (genvar x = 0; x < 5; x++) begin : gen_added
          assign add[s][x] = block_q[s][5*y+x] ^ ((s == 0 && x == 0 && y == 0) ? iota_q : '0);
        end
        assign r1[s][y] = b[s];
      end
      hf_keccak_masked_chi #(
          .Order(1),
          .Width(GroupBits)
      ) u_chi (
          .clk_i,
          .enable_i     (1'b1),
          .clear_own_i  (not_plane_q[y]),
          .clear_cross_i(not_plane_guards_q[y]),
          .a_i          (a),
          .random_i     (guards),
          .add_i        (add),
          .b_o          (b),
          .products_o   (products)
      );
      logic unused_products;
      assign unused_products = ^products;
    end
  end else if (Fresh) begin : gen_fresh
    // What is multiplied comes directly from registers, which stay what they are.
    (* keep = "true", dont_touch = "true" *) planes_t [Shares-1:0] multiplied_q;
    (* keep = "true", dont_touch = "true" *) group_t [Shares-1:0][NumLanes-1:0] block_q;
    planes_t [Pairs-1:0] masks;  // of the products of each pair of shares
    // A group is read that is masked: all but a block's words. In the other clocks products stay
    // zero; with a mask there, which is in the next clock the same still, a register would change
    // from the mask to the mask and a product.
    logic masked, masked_q;
    logic [4:0] not_plane_masks_q;

    assign multiplied_q = before_chi;
    assign block_q = x0;
    assign masked = !no_group && step_q != FirstStep && !(pass_q == PassAccess && add_q);
    assign rand_ready_o = masked_q && rand_valid_i;
    assign masks = rand_i;
    always_ff @(posedge clk_i) begin
      masked_q <= masked && !rst_i;
      if (!masked) not_plane_masks_q <= '1;
      else not_plane_masks_q <= (pass_q == PassAccess) ? ~plane : '0;
    end
    logic unused_kept;
    assign unused_kept = ^{r0_kept, first_start};

    for (genvar y = 0; y < 5; y++) begin : gen_plane
      groups_t [Shares-1:0] a, add, b;
      groups_t [Pairs-1:0] random;
      groups_t [Shares-1:0][Shares-1:0] products;
      for (genvar p = 0; p < Pairs; p++) begin : gen_pair
        assign random[p] = masks[p][y];
      end
      for (genvar s = 0; s < Shares; s++) begin : gen_share
        assign a[s] = multiplied_q[s][y];
        assign r1[s][y] = b[s];
      end
      always_comb begin
        for (int unsigned s = 0; s < Shares; s++) add[s] = block_q[s][5*y+:5];
        if (y == 0) add[0][0] ^= iota_q;
      end
      hf_keccak_masked_chi #(
          .Order(Shares - 1),
          .Width(GroupBits)
      ) u_chi (
          .clk_i,
          .enable_i     (1'b1),
          .clear_own_i  (not_plane_q[y]),
          .clear_cross_i(not_plane_masks_q[y]),
          .a_i          (a),
          .random_i     (random),
          .add_i        (add),
          .b_o          (b),
          .products_o   (products)
      );
      logic unused_products;
      assign unused_products = ^products;
    end
  end else begin : gen_plain
    planes_t r1_q, added;  // the block, and iota's constant
    for (genvar y = 0; y < 5; y++) begin : gen_plane
      for (genvar x = 0; x < 5; x++) begin : gen_lane
        assign added[y][x] = (x == 0 && y == 0) ? iota_q ^ x0[0][0] : x0[0][5*y+x];
        always_ff @(posedge clk_i) begin
          if (not_plane_q[y]) r1_q[y][x] <= '0;
          else begin
            r1_q[y][x] <= before_chi[0][y][x] ^
                (~before_chi[0][y][(x+1)%5] & before_chi[0][y][(x+2)%5]) ^ added[y][x];
          end
        end
      end
    end
    assign r1[0] = r1_q;
    logic unused_random;
    assign unused_random = ^{rand_i, r0_kept, back_q, first_start};
  end

  for (genvar s = 0; s < Shares; s++) begin : gen_share
    planes_t r2_q, r3_q;
    groups_t parity_q, parity_before_q;

    for (genvar x = 0; x < 5; x++) begin : gen_column
      always_ff @(posedge clk_i) begin
        if (not_column_q[x]) parity_q[x] <= '0;
        else parity_q[x] <= r1[s][0][x] ^ r1[s][1][x] ^ r1[s][2][x] ^ r1[s][3][x] ^ r1[s][4][x];
        parity_before_q[x] <= parity_q[x];
      end

      // theta, with the parity of the slices z and z - 1.
      group_t left, right, right_before;
      assign left = parity_q[(x+4)%5];
      assign right = parity_q[(x+1)%5];
      assign right_before = parity_before_q[(x+1)%5];
      for (genvar y = 0; y < 5; y++) begin : gen_lane
        always_ff @(posedge clk_i) begin
          r2_q[y][x] <= r1[s][y][x];
          for (int unsigned i = 0; i < GroupBits; i++) begin
            r3_q[y][x][i] <= r2_q[y][x][i] ^ left[i] ^
                ((i == 0) ? right_before[GroupBits-1] : right[(i+GroupBits-1)%GroupBits]);
          end
        end

        // rho within the group.
        localparam int unsigned Shift = RhoOffset[5*y+x] % GroupBits;
        if (Shift == 0) begin : gen_straight
          assign moved[s][5*y+x] = r3_q[y][x];
        end else begin : gen_shifted
          logic [Shift-1:0] carry_q;  // of the group before
          always_ff @(posedge clk_i) carry_q <= r3_q[y][x][GroupBits-1-:Shift];
          assign moved[s][5*y+x] = {r3_q[y][x][GroupBits-Shift-1:0], carry_q};
        end
      end
    end

    // In an access, the other planes of r1 are zero, and the other columns of the parity: it is the
    // lane. Zeros in all other passes, where a block's groups are not added to what was there.
    logic [Width-1:0] word_q;
    always_ff @(posedge clk_i) begin
      if (pass_q != PassAccess) word_q <= '0;
      else begin
        word_q <= {
          parity_q[0] | parity_q[1] | parity_q[2] | parity_q[3] | parity_q[4],
          word_q[Width-1:GroupBits]
        };
      end
    end
    assign word_group[s] = word_q[Width-1-:GroupBits];
    assign word_o[Width*s+:Width] = word_q;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_serial_shares: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
  if (!SlicesLegal) begin : gen_bad_slices
    $fatal(1, "hf_keccak_serial_shares: Slices is 1, 2, 4, 8, 16, less than WordWidth, not %0d",
           Slices);
  end
  if (!LanesLegal) begin : gen_bad_lanes
    $fatal(1, "hf_keccak_serial_shares: BlockLanes is 1 to 25, not %0d", BlockLanes);
  end
  if (Shares < 1 || Shares > 4 || (Masked && (GroupBits < 4 || BlockRam))) begin : gen_bad_shares
    $fatal(1, "hf_keccak_serial_shares: Shares is 1, or 2 to 4 with 4 Slices or more, no BlockRam");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
