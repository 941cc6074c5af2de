// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Which primitives of ECP5 a module may instantiate. The macro HF_ECP5 is tested here and in the
// primitives; a module that has a form with a primitive and one without chooses by these constants.

package hf_ecp5_pkg;

`ifdef HF_ECP5
  localparam bit HasGearRam = 1'b1;  // hf_ecp5_gear_ram
`else
  localparam bit HasGearRam = 1'b0;
`endif  // HF_ECP5

endpackage
