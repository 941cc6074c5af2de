// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// chi (FIPS 202, section 3.2.4) on Boolean shares, by domain-oriented masking with independent
// randomness (Gross, Mangard, Korak: "Domain-Oriented Masking", 2016; Gross, Schaffenrath, Mangard:
// "Higher-Order Side-Channel Protected Implementations of KECCAK", 2017). A value is the XOR of
// Order + 1 shares, and share i is in domain i.
//
//   clock 0   a_i, random_i and add_i are valid, enable_i is high
//   clock 1   b_o is chi(a) ^ add, in shares; it stays until the next enable
//
// With clear_own_i the products of a share's own bits are zero in the next clock, and what is added
// with them; with clear_cross_i those of two shares, and the random bits.
//
// The product in chi, (~a[x+1]) & a[x+2], becomes a product for each pair of domains. The product
// of domains i and j gets a fresh random bit, the same one for (i, j) and (j, i), and all products
// go to registers before those of a domain are added. So the logic in front of a register of a
// product depends, with all glitches, on one share of each of two different bits and on that random bit;
// what is added after the registers is of one domain, apart from products that are masked.
//
// The inverted share is share 0's. Random bits must come directly from registers.

module hf_keccak_masked_chi #(
    parameter  int unsigned Order = 1,  // 1, 2 or 3: shares less one
    parameter  int unsigned Width = 64,  // rows side by side
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned Pairs = Order * (Order + 1) / 2
) (
    input logic clk_i,

    input  logic                                  enable_i,
    input  logic                                  clear_own_i,
    input  logic                                  clear_cross_i,
    input  logic [Shares-1:0][4:0][Width-1:0] a_i,       // [share][x]
    input  logic [ Pairs-1:0][4:0][Width-1:0] random_i,  // pair (i, j), i < j: j (j - 1) / 2 + i
    input  logic [Shares-1:0][4:0][Width-1:0] add_i,     // added to the result, share by share
    output logic [Shares-1:0][4:0][Width-1:0] b_o,
    // [i]: what b_o[i] is the sum of, from registers.
    output logic [Shares-1:0][Shares-1:0][4:0][Width-1:0] products_o
);

  typedef logic [4:0][Width-1:0] rows_t;

  // Synthesis may neither move logic over these registers nor merge them.
  (* keep = "true", dont_touch = "true" *) rows_t [Shares-1:0][Shares-1:0] product_q;  // [i][j]

  for (genvar i = 0; i < Shares; i++) begin : gen_domain
    for (genvar j = 0; j < Shares; j++) begin : gen_other
      localparam int unsigned Low = (i < j) ? i : j;
      localparam int unsigned High = (i < j) ? j : i;
      rows_t product;
      always_comb begin
        for (int unsigned x = 0; x < 5; x++) begin
          product[x] = ((i == 0) ? ~a_i[i][(x+1)%5] : a_i[i][(x+1)%5]) & a_i[j][(x+2)%5];
        end
      end
      if (i == j) begin : gen_own
        always_ff @(posedge clk_i) begin
          if (clear_own_i) product_q[i][j] <= '0;
          else if (enable_i) product_q[i][j] <= product ^ a_i[i] ^ add_i[i];
        end
      end else begin : gen_cross
        always_ff @(posedge clk_i) begin
          if (clear_cross_i) product_q[i][j] <= '0;
          else if (enable_i) product_q[i][j] <= product ^ random_i[High*(High-1)/2+Low];
        end
      end
    end

    assign products_o[i] = product_q[i];
    always_comb begin
      b_o[i] = product_q[i][0];
      for (int unsigned j = 1; j < Shares; j++) b_o[i] ^= product_q[i][j];
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Order < 1 || Order > 3) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked_chi: Order is 1, 2 or 3, not %0d", Order);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
