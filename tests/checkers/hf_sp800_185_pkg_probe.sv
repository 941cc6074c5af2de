// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The encodings of hf_sp800_185_pkg on ports, for tests/rtl/front/encodings_bench.py.

module hf_sp800_185_pkg_probe
  import hf_sp800_185_pkg::*;
(
    input  logic [NumberWidth-1:0] number_i,
    output logic [            2:0] digits_o,
    output logic [           63:0] left_o,
    output logic [           63:0] right_o
);

  assign digits_o = digits(number_i);
  assign left_o   = encoded(number_i, 1'b1);
  assign right_o  = encoded(number_i, 1'b0);

endmodule
