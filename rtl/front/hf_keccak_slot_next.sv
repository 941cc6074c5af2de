// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The next state of hf_keccak_slot_slice, for a slot at its port that has room, or has none: the
// former comes late, and chooses. Two LUT levels. Synthesis keeps the module, since mapping gives
// logic among longer paths more levels.

(* keep_hierarchy = "yes" *)
module hf_keccak_slot_next #(
    parameter bit HasRoom = 1'b1
) (
    input logic s_valid_i,
    input logic head_valid_i,
    input logic next_valid_i,
    input logic pause_i,
    input logic get_i,

    output logic       moves_o,       // the beat after the head comes to the port
    output logic       get_o,         // the register on the port
    output logic       head_valid_o,
    output logic       next_valid_o,
    output logic [1:0] hold_o         // by register: it holds a beat
);

  logic takes, after_valid;
  assign takes = HasRoom && head_valid_i && !pause_i;  // the head leaves
  assign after_valid = next_valid_i || s_valid_i;

  assign moves_o = takes || !head_valid_i;
  assign get_o = get_i ^ takes;
  assign head_valid_o = !moves_o || after_valid;
  assign next_valid_o = !moves_o && after_valid;
  always_comb for (int unsigned k = 0; k < 2; k++) begin
    hold_o[k] = (get_o == 1'(k)) ? head_valid_o : next_valid_o;
  end

endmodule
