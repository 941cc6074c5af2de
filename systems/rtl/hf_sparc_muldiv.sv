// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Multiplication and division in the execute stage. They pass it as 5 and 35 slots, the clocks that
// they take on a LEON3. The operands are valid in each of them. For swap and ldstub, of ten slots,
// the unit only counts. `ends_o`: DE, two stages before, has the last slot.
//
//   multiplication  four products of 17 x 17 bits, one a clock, summed a clock later; `product_o`
//                   has the low word in the last clock, and all 64 bits in the clock after it (ME)
//   division        of {Y, rs1} by rs2, a bit a clock, between removing and restoring the signs;
//                   `quotient_o` is valid in the last clock. A quotient that overflows is the
//                   largest possible one. A divisor of zero is not detected here.
//
// All stop at once when the running instruction leaves the stage (a trap).

module hf_sparc_muldiv (
    input logic clk_i,
    input logic multiply_i,  // one of the three is in the stage
    input logic divide_i,
    input logic atomic_i,    // swap, ldstub
    input logic is_signed_i,

    input logic [31:0] y_i,
    input logic [31:0] op1_i,
    input logic [31:0] op2_i,

    output logic        ends_o,
    output logic [63:0] product_o,
    output logic [31:0] quotient_o,
    output logic        overflow_o,
    output logic        zero_o      // the quotient is zero
);

  localparam logic [5:0] MultiplySlots = 6'd5;
  localparam logic [5:0] DivideSlots = 6'd35;
  localparam logic [5:0] AtomicSlots = 6'd10;

  logic [5:0] step_q, slots;
  assign slots = multiply_i ? MultiplySlots : divide_i ? DivideSlots : AtomicSlots;
  always_ff @(posedge clk_i) begin
    if ((multiply_i || divide_i || atomic_i) && step_q != slots - 6'd1) step_q <= step_q + 6'd1;
    else step_q <= '0;
    ends_o <= step_q == slots - 6'd4;  // belongs to step slots - 3, which is the next clock
  end

  ////////////////////
  // Multiplication //
  ////////////////////

  logic signed [16:0] half_1, half_2;
  logic signed [33:0] part_q;
  logic [63:0] sum_q;
  logic [47:0] addend, sum;

  // Low halves first; the signs are those of the high halves.
  always_comb begin
    half_1 = {1'b0, op1_i[15:0]};
    half_2 = {1'b0, op2_i[15:0]};
    if (step_q[0]) half_1 = {is_signed_i && op1_i[31], op1_i[31:16]};
    if (step_q[1]) half_2 = {is_signed_i && op2_i[31], op2_i[31:16]};
  end

  // The product of the clock before: in step 1 the low one, in 2 and 3 the middle ones, in 4 the
  // high one.
  assign addend = step_q[2] ? {part_q[31:0], 16'b0} : {{14{part_q[33]}}, part_q};
  assign sum = sum_q[63:16] + addend;
  always_ff @(posedge clk_i) begin
    part_q <= half_1 * half_2;
    if (multiply_i) begin
      if (step_q[2:0] == 3'd1) sum_q <= {32'b0, part_q[31:0]};
      else sum_q <= {sum, sum_q[15:0]};
    end
  end
  assign product_o = sum_q;

  ////////////////////
  // Division       //
  ////////////////////

  localparam int unsigned DivideFirst = 2;  // step that computes the first bit
  localparam int unsigned DivideLast = 34;

  logic [31:0] rest_q, low_q, divisor_q;
  logic [32:0] shifted, difference;
  logic negative_q, divisor_negative_q, too_large_q;

  assign shifted = {rest_q, low_q[31]};
  assign difference = shifted - {1'b0, divisor_q};
  // 32 bits of quotient are one too many for a signed quotient, except for -2**31.
  assign overflow_o = too_large_q || (is_signed_i && low_q[31] &&
      !(negative_q && low_q[30:0] == '0));

  always_ff @(posedge clk_i) begin
    if (step_q == '0) begin
      {rest_q, low_q} <= {y_i, op1_i};
      divisor_q <= op2_i;
      negative_q <= is_signed_i && (y_i[31] ^ op2_i[31]);
      divisor_negative_q <= is_signed_i && op2_i[31];
    end else if (step_q == 6'd1) begin
      if (negative_q ^ divisor_negative_q) {rest_q, low_q} <= -{rest_q, low_q};
      if (divisor_negative_q) divisor_q <= -divisor_q;
    end else if (step_q != 6'(DivideLast)) begin
      if (step_q == 6'(DivideFirst)) too_large_q <= rest_q >= divisor_q;
      rest_q <= difference[32] ? shifted[31:0] : difference[31:0];
      low_q  <= {low_q[30:0], !difference[32]};
    end
  end

  always_comb begin
    quotient_o = negative_q ? -low_q : low_q;
    if (overflow_o) quotient_o = is_signed_i ? {negative_q, {31{!negative_q}}} : '1;
  end
  assign zero_o = low_q == '0 && !overflow_o;

endmodule
