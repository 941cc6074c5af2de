// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The function of the Keccak peripheral: what follows from the codes in CONFIG, and the list of the
// codes that are known, which is the register FUNCTIONS.
//
// Timing: it follows CONFIG by a clock; commands that use it come later. So does the code for the
// sponge: yosys looks tables up before the register of their address.

module hf_keccak_regs_function
  import hf_keccak_pkg::*;
  import hf_keccak_regs_pkg::*;
  import hf_sampler_pkg::*;
(
    input logic clk_i,

    input  logic             [              7:0] function_code_i,  // of CONFIG
    input  logic             [SamplingWidth-1:0] sampling_i,
    output function_fields_t                     function_o,
    output logic             [FunctionWidth-1:0] function_code_o,  // for the sponge
    output logic             [             31:0] known_codes_o     // a constant: FUNCTIONS.mask
);

  function_info_t info;
  logic unused_info;
  assign info = function_info(FunctionWidth'(function_code_i));
  assign unused_info = ^{info.suffix, info.suffix_len};

  for (genvar i = 0; i < 32; i++) begin : gen_known
    assign known_codes_o[i] = function_known(8'(i));
  end

  always_ff @(posedge clk_i) begin
    function_code_o <= FunctionWidth'(function_code_i);
    function_o.known <= function_known(function_code_i) && sampling_known(sampling_i);
    function_o.own_length <= info.digest_words != '0;
    function_o.rate_lanes <= info.rate_lanes;
    function_o.digest_words <= info.digest_words;
  end

endmodule
