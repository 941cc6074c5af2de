// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Codes of the samplings that hf_sampler computes from the output of SHAKE: those of ML-KEM
// (FIPS 203, section 4.2.2) and of ML-DSA (FIPS 204, section 7.3). The driver uses the same codes.

package hf_sampler_pkg;

  localparam int unsigned SamplingWidth = 3;

  typedef enum logic [SamplingWidth-1:0] {
    SamplingNone   = 3'd0,
    SampleNtt      = 3'd1,  // SampleNTT (FIPS 203, algorithm 7), out of SHAKE128
    SampleCbd2     = 3'd2,  // SamplePolyCBD (algorithm 8) with eta = 2, out of SHAKE256
    SampleCbd3     = 3'd3,  // the same with eta = 3
    RejNttPoly     = 3'd4,  // RejNTTPoly (FIPS 204, algorithm 30), out of SHAKE128
    RejBoundedEta2 = 3'd5,  // RejBoundedPoly (algorithm 31) with eta = 2, out of SHAKE256
    RejBoundedEta4 = 3'd6   // the same with eta = 4
  } sampling_e;

  function automatic logic sampling_known(input logic [SamplingWidth-1:0] code);
    return code <= RejBoundedEta4;
  endfunction

  // Polynomials of ML-DSA have a word for each coefficient, those of ML-KEM half a word.
  function automatic logic sampling_of_words(input sampling_e sampling);
    return sampling == RejNttPoly || sampling == RejBoundedEta2 || sampling == RejBoundedEta4;
  endfunction

  // Units of four bits that a step takes from the output of SHAKE.
  function automatic logic [2:0] sampling_units(input sampling_e sampling);
    unique case (sampling)
      SampleNtt, RejNttPoly: return 3'd6;
      SampleCbd3: return 3'd3;
      SampleCbd2: return 3'd2;
      default: return 3'd1;
    endcase
  endfunction

endpackage
