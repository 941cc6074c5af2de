// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Constants of the structures, shared by hf_keccak_dsp_wide and its stream top.

package hf_keccak_dsp_wide_pkg;

  // Values of its parameter Structure.
  parameter int unsigned DspWidePaper = 0;
  parameter int unsigned DspWideSpread = 1;
  parameter int unsigned DspWideChain = 2;
  parameter int unsigned DspWideRunning = 3;

  // Clocks from a block's handshake to its data, and from st_valid_o to the state.
  parameter int unsigned DspWideDataDelay = 3;

  // Registers in the engine's loop, and so its slots.
  function automatic int unsigned dsp_wide_slots(input int unsigned structure,
                                                 input bit registered);
    unique case (structure)
      DspWidePaper:  return 4;
      DspWideSpread: return 6;
      DspWideChain:  return registered ? 4 : 1;
      default:       return registered ? 3 : 1;
    endcase
  endfunction

endpackage
