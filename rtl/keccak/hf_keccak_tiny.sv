// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] in as few LUTs as possible, as an engine of the word contract
// (docs/reference/word-contract.md, which has the rules of the ports): a datapath of one byte, two
// memories of 256 bytes and a microprogram, in three block RAMs.
//
// The program (hf_keccak_tiny_pkg) is one round: 511 instructions, each with all addresses and
// controls of a clock cycle, so that LUTs are needed for data only. A memory's word comes two
// clock cycles after its address, the program's too.
//
//   u_state    A, the state between rounds. One port: addresses of the program, or op_addr_q
//   u_lanes    B, the lanes after theta, rho and pi; and theta's effect on the lanes x
//   u_program  the round
//
// A round (FIPS 202, section 3.3), by the cycles of the program:
//
//   0 .. 224    A and theta's effect are read, lane by lane: nine bytes for eight, because a byte
//               that is shifted has bits of the one before it. `sum` adds the two, and the sum of
//               registers of which all but one are cleared shifts it: by 0, 2, 4 or 6 bits
//               (by_pairs_q), then by 0 or 1 (even_q, odd_q). Byte shifts and pi are in the
//               addresses. B is written from cycle 7 to 230
//   227 .. 506  B is read, row by row of bytes: seven reads for five bytes. byte_q are three bytes
//               of the row, chi_q is chi and iota. A is written from 233 to 510. All rows with one
//               byte number follow each other; ring_q adds them up and has then the parities of
//               five columns, from which theta's effect goes to u_lanes
//
// The effect on lanes x is C[x - 1] ^ rot(C[x + 1], 1). Its words have nine bits: the bit that the
// rotation moves into the next byte is added when that byte is read, just after this one.
//
//   permute  the program begins at cycle 226, with chi off and A in the place of B: that computes
//            the parities (first_q). 24 rounds follow. 12,554 clock cycles, in which the engine
//            accepts nothing
//   wipe     the same with one round, and all bytes cleared: 798 clock cycles. It is accepted in the
//            one after these
//   add      A's byte takes the way of a byte of B: the operation waits for six clock cycles
//   read     as add; u_state has read the byte by then
//
// Every operation waits for these six clock cycles (wait_q), after which u_state, the registers
// after it and chi_q have followed the ports.

module hf_keccak_tiny
  import hf_keccak_tiny_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 8,  // 8
    // Not for users.
    localparam int unsigned Width = 8,
    localparam int unsigned AddressWidth = word_address_width(Width)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,  // a word_op_e
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [     Width/8-1:0] op_bytes_i,
    input  logic [       Width-1:0] op_word_i,
    output logic [       Width-1:0] word_o
);

  // A word is one byte, and a byte that is added to is named.
  logic unused_bytes;
  assign unused_bytes = ^op_bytes_i;

  ////////////////////
  // Control        //
  ////////////////////

  tiny_counter_t counter_q;  // of the program; 0 is idle, and stays
  tiny_instr_t instr;

  hf_rom #(
      .Width($bits(tiny_instr_t)),
      .Depth(RomDepth),
      .Words(program_by_counter())
  ) u_program (
      .clk_i,
      .addr_i(counter_q),
      .data_o(instr)
  );

  logic [6:1] wait_q;  // [i]: an operation has been offered for i clock cycles
  logic wipe_q;  // the operation is a wipe
  logic first_q;  // idle, or before the first round
  logic [7:0] constant_q;  // the next bits of iota's LFSR
  logic start, done, finish, busy;
  logic [1:0] settling_q;  // instr is still of the time before a reset

  assign start = wait_q[6] && op_i[1];  // permute or wipe
  assign done = !first_q && (wipe_q || rounds_done(constant_q[4:3]));
  assign finish = instr.last && done && settling_q == '0;
  assign busy = instr.busy && settling_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i || finish) counter_q <= '0;
    else counter_q <= next_counter(counter_q, start);

    settling_q <= {settling_q[0], rst_i};

    if (rst_i || busy || wait_q[6]) wait_q <= '0;
    else wait_q <= {wait_q[5:1], op_valid_i};

    // Before it is used, and not by an offer that follows `start` before the program is busy.
    if (wait_q[3]) wipe_q <= op_i == WordWipe;

    if (wait_q[6]) first_q <= 1'b1;
    else if (instr.last) first_q <= done;
  end

  // Registered: a user's paths begin here.
  logic ready_q;
  always_ff @(posedge clk_i) begin
    ready_q <= !rst_i && (wipe_q ? finish : wait_q[5] && !wait_q[6]);
  end
  assign op_ready_o = ready_q;

  ////////////////////
  // iota           //
  ////////////////////

  logic no_constant_q, no_constant_7_q;
  logic [7:0] iota_q;

  always_ff @(posedge clk_i) begin
    if (first_q) constant_q <= FirstConstantBits;
    else if (instr.clear_4) constant_q <= next_constant_bits(constant_q);

    if (first_q) no_constant_q <= 1'b1;
    else no_constant_q <= instr.clear_0;
    if (first_q) no_constant_7_q <= 1'b1;
    else no_constant_7_q <= instr.clear_2;

    if (no_constant_q) iota_q[6:0] <= '0;
    else iota_q[6:0] <= {3'b0, constant_q[2], 1'b0, constant_q[1:0]};
    if (no_constant_7_q) iota_q[7] <= 1'b0;
    else iota_q[7] <= constant_q[3];
  end

  ////////////////////
  // Memories       //
  ////////////////////

  logic [7:0] op_addr_q, op_word_q;  // zero while the program runs
  logic [7:0] copy_addr_q;  // where B would be read
  logic [7:0] state_addr;
  logic state_write_q;  // of the program
  logic state_write;
  logic chi_valid_q;  // chi_q is a byte of A
  logic clear_lane_q;
  logic [7:0] lane_q;  // a byte of A, zero while B is read
  logic [7:0] state_word, chi_q;
  logic [8:0] lanes_word, lanes_write_data;

  always_ff @(posedge clk_i) begin
    if (instr.busy) op_addr_q <= '0;
    else op_addr_q <= op_addr_i;
    if (instr.busy) op_word_q <= '0;
    else op_word_q <= op_word_i;

    copy_addr_q <= instr.lanes_read_addr;
    chi_valid_q <= instr.state_write;
    if (first_q) state_write_q <= 1'b0;
    else state_write_q <= instr.state_write;

    if (first_q) clear_lane_q <= 1'b0;
    else clear_lane_q <= instr.clear_lane;
    if (clear_lane_q) lane_q <= '0;
    else lane_q <= state_word;
  end

  assign state_addr  = op_addr_q | (first_q ? copy_addr_q : instr.state_addr);
  assign state_write = state_write_q || (wait_q[6] && op_i == WordAdd);
  assign word_o      = state_word;

  hf_ram_1 #(
      .Width(8),
      .Depth(256)
  ) u_state (
      .clk_i,
      .write_i(state_write),
      .addr_i(state_addr),
      .write_data_i(chi_q),
      .read_data_o(state_word)
  );

  hf_ram #(
      .Width(9),
      .Depth(256)
  ) u_lanes (
      .clk_i,
      .write_i(instr.lanes_write),
      .write_addr_i(instr.lanes_write_addr),
      .write_data_i(lanes_write_data),
      .read_addr_i(instr.lanes_read_addr),
      .read_data_o(lanes_word)
  );

  ////////////////////
  // theta, chi     //
  ////////////////////

  logic [7:0] sum;
  logic carry_q;  // the ninth bit of the word before
  logic [2:0][7:0] byte_q;  // the last bytes, 0 the newest
  logic [4:0][7:0] ring_q;  // parities of columns; 4 the newest

  assign sum = lane_q ^ (first_q ? '0 : lanes_word[7:0]) ^ op_word_q ^ {7'b0, carry_q};

  always_ff @(posedge clk_i) begin
    if (first_q) carry_q <= 1'b0;
    else carry_q <= lanes_word[8];

    if (wipe_q) byte_q[0] <= '0;
    else byte_q[0] <= sum;
    if (first_q) byte_q[2:1] <= '0;
    else byte_q[2:1] <= byte_q[1:0];

    if (wipe_q) chi_q <= '0;
    else chi_q <= byte_q[2] ^ (~byte_q[1] & byte_q[0]) ^ iota_q;

    if (instr.clear_6) begin
      ring_q[3:0] <= ring_q[4:1];
      ring_q[4] <= (instr.add_feedback ? ring_q[0] : '0) ^ (chi_valid_q ? chi_q : '0);
    end
  end

  ////////////////////
  // rho            //
  ////////////////////

  logic [15:1] window;  // a byte and, below it, the one before
  logic [3:0][8:0] by_pairs_q;  // [i]: shifted by 2i bits; bit 0 is below the byte
  logic [8:0] by_pairs;
  logic [7:0] even_q, odd_q;

  assign window   = {byte_q[0], byte_q[1][7:1]};
  assign by_pairs = by_pairs_q[0] ^ by_pairs_q[1] ^ by_pairs_q[2] ^ by_pairs_q[3];

  always_ff @(posedge clk_i) begin
    if (instr.clear_0) by_pairs_q[0] <= '0;
    else by_pairs_q[0] <= window[15:7];
    if (instr.clear_2) by_pairs_q[1] <= '0;
    else by_pairs_q[1] <= window[13:5];
    if (instr.clear_4) by_pairs_q[2] <= '0;
    else by_pairs_q[2] <= window[11:3];
    if (instr.clear_6) by_pairs_q[3] <= '0;
    else by_pairs_q[3] <= window[9:1];

    if (instr.clear_even) even_q <= '0;
    else even_q <= by_pairs[8:1];
    if (instr.clear_odd) odd_q <= '0;
    else odd_q <= by_pairs[7:0];
  end

  // While B is written the ring is zero; while the effect is, even_q and odd_q are.
  assign lanes_write_data = {1'b0, even_q ^ odd_q ^ ring_q[0]} ^ {ring_q[2], 1'b0};

`ifndef HF_NO_PARAMETER_CHECKS
  if (WordWidth != 8) begin : gen_no_width
    $fatal(1, "hf_keccak_tiny: WordWidth is 8, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
