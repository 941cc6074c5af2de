// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The registers of hf_sparc_iu: 8 windows and the globals, 136 of 256 words. Two ports to read,
// data a clock behind the address; a word that is written in the clock of the address is read as
// it was before (the integer unit forwards it). Made to become block RAM, one for each port.

module hf_sparc_regfile
  import hf_sparc_pkg::*;
(
    input logic clk_i,

    input logic        write_i,
    input place_t      write_place_i,
    input logic [31:0] write_data_i,

    input  place_t      place_1_i,
    output logic [31:0] data_1_o,
    input  place_t      place_2_i,
    output logic [31:0] data_2_o
);

  (* no_rw_check *) logic [31:0] bank_1[256];
  (* no_rw_check *) logic [31:0] bank_2[256];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      bank_1[write_place_i] <= write_data_i;
      bank_2[write_place_i] <= write_data_i;
    end
    data_1_o <= bank_1[place_1_i];
    data_2_o <= bank_2[place_2_i];
  end

endmodule
