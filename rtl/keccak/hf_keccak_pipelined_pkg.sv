// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The registers of hf_keccak_pipelined: bits of its parameter Registers, and so of its tops'.

package hf_keccak_pipelined_pkg;

  // Inside each round, after each of these.
  parameter int unsigned RegisterParity = 'h01;  // of the columns
  parameter int unsigned RegisterEffect = 'h02;  // of theta; needs that of the parity
  parameter int unsigned RegisterTheta = 'h04;
  parameter int unsigned RegisterRho = 'h08;
  parameter int unsigned RegisterPi = 'h10;
  // Of the block, before chi.
  parameter int unsigned RegisterBlock = 'h20;
  // Of the state, between the last round and the first: a slot more.
  parameter int unsigned RegisterReturn = 'h40;

  parameter int unsigned RegistersDefault = RegisterParity | RegisterEffect | RegisterTheta |
      RegisterBlock;

  // Slots of a ring of `rounds` rounds with these registers.
  function automatic int unsigned ring_slots(input int unsigned rounds,
                                             input int unsigned registers);
    return hf_keccak_pkg::pipelined_slots(rounds, 5'(registers)) +
        $countones(registers & RegisterReturn);
  endfunction

endpackage
