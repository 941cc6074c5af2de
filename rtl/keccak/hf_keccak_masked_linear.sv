// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The linear steps of one share in hf_keccak_masked: the sum of its products, theta, rho and pi
// (FIPS 202, sections 3.2.1 to 3.2.3). A module of its own for synthesis: a bit then takes one LUT4
// and its share of the columns' parities, and not another one for the sum, which the state's output
// requires as well.

(* keep_hierarchy = "yes" *)
module hf_keccak_masked_linear
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Shares = 2  // 2, 3 or 4: products of a share
) (
    input  state_t [Shares-1:0] products_i,
    output state_t              linear_o,
    output plane_t              parity_o     // of the sum's columns
);

  // Written so that three LUT4s make a column's parity of two products a bit, and one a bit of the
  // result: planes are added in pairs, and the two parities each by itself, since their sum would
  // take a LUT of its own.
  state_t sum, effect;
  plane_t pair_a, pair_b, parity;
  always_comb begin
    sum = products_i[0];
    for (int unsigned j = 1; j < Shares; j++) sum ^= products_i[j];
    pair_a = sum[0] ^ sum[1];
    pair_b = sum[2] ^ sum[3];
    parity = (pair_a ^ pair_b) ^ sum[4];
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        effect[y][x] = (sum[y][x] ^ parity[(x+4)%5]) ^ rotl(parity[(x+1)%5], 1);
      end
    end
  end
  assign linear_o = pi(rho(effect));
  assign parity_o = parity;

endmodule
