// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The two forms of Groestl's S-box, which tests/formal/test_formal.py proves equal.

module hf_groestl_s_box_table
  import hf_groestl_pkg::*;
(
    input  byte_t a_i,
    output byte_t b_o
);
  assign b_o = SBox[a_i];
endmodule

module hf_groestl_s_box_composite
  import hf_groestl_pkg::*;
(
    input  byte_t a_i,
    output byte_t b_o
);
  assign b_o = s_box_composite(a_i);
endmodule
