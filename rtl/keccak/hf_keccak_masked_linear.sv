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
    output state_t              linear_o
);

  state_t sum;
  always_comb begin
    sum = products_i[0];
    for (int unsigned j = 1; j < Shares; j++) sum ^= products_i[j];
  end
  assign linear_o = pi(rho(theta(sum)));

endmodule
