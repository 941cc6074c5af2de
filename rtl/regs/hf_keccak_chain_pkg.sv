// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What hf_keccak_chain and hf_keccak_chain_tree exchange.

package hf_keccak_chain_pkg;

  // Types of addresses (FIPS 205, section 4.2).
  typedef enum logic [2:0] {
    WotsHash   = 3'd0,
    WotsKey    = 3'd1,
    TreeNode   = 3'd2,
    ForsTree   = 3'd3,
    WotsSecret = 3'd5,
    ForsSecret = 3'd6
  } address_type_e;

  // The hash that is computed next, of a tree (FIPS 205, section 11.1).
  typedef struct packed {
    logic             busy;     // from the start of a tree until its last hash begins
    logic             follows;  // there is one; otherwise the next three are 0
    logic             secret;   // PRF: the value is SK.seed
    logic             pair;     // H: the value on the left out of the memory, and the last digest
    logic             list;     // T_len: the ends of all chains, out of the memory
    logic [3:0][31:0] words;    // the address's words 4 to 7, the first byte lowest
  } tree_hash_t;

  // A tree to be computed.
  typedef struct packed {
    logic        fors;    // of FORS; otherwise of keys of WOTS+ (XMSS)
    logic [3:0]  height;  // levels above the leaves, from 1
    logic [15:0] chosen;  // the leaf whose part of a signature is kept; none if it is not there
  } tree_order_t;

  // A number as FIPS 205 has it in an address: the highest byte first.
  function automatic logic [31:0] reversed(input logic [31:0] word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  // 32-bit words of a value; 4 if ValueBytes is not legal.
  function automatic int unsigned value_words(input int unsigned value_bytes);
    return (value_bytes == 24 || value_bytes == 32) ? value_bytes / 4 : 4;
  endfunction

  // len of FIPS 205, with w = 16: chains of a key of WOTS+.
  function automatic int unsigned key_chains(input int unsigned words);
    return 8 * words + 3;
  endfunction

  // Address bits of a quarter of the memory of trees: it holds the ends of a key's chains.
  function automatic int unsigned quarter_bits(input int unsigned words);
    return $clog2(key_chains(words) * words);
  endfunction

endpackage
