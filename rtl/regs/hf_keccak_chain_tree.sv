// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Which hash of a Merkle tree follows which, and what is kept of them (FIPS 205): trees of XMSS, whose
// leaves are public keys of WOTS+ (algorithms 6 and 9), and trees of FORS (algorithms 14 and 15).
// hf_keccak_chain computes the hashes.
//
// The tree is computed leaf by leaf, from left to right. The hashes of a leaf:
//
//   XMSS   for each of the len chains: PRF, and 15 times F; then T_len of the chains' ends
//   FORS   PRF, and F
//
// A node on the left, at level z, goes to the memory, at place z of the stack. With a node on the
// right H follows, of it and the one on the left. The root counts as one on the left.
//
//   quarter of the memory   words
//   0                       the ends of a leaf's chains, until T_len has read them
//   1                       kept for a signature: a value of each chain of the chosen leaf, which the
//                           chain's digit chooses (algorithm 7), or its secret value in FORS
//   2                       the stack: 16 values
//   3                       kept for a signature: the chosen leaf's authentication path, by level
//
// The memory is not cleared. What it keeps of a tree is read until `clear_i` or the next tree, and no
// word that a tree before has left is.
//
// Timing: `hash_o` is the next hash, until `begins_i`. Its digest is `value_i` from the clock after
// `final_i`, for 26 clocks at least: the memory is written in this time, a word a clock. `load_i`
// comes at least 10 clocks before the end of each hash: the value on the left is read for the hash
// that follows.

module hf_keccak_chain_tree
  import hf_keccak_chain_pkg::*;
#(
    parameter int unsigned ValueBytes = 16,  // n: 16, 24 or 32
    // Not for users: words of a value, and address bits of a quarter of the memory.
    localparam int unsigned ValueWords = value_words(ValueBytes),
    localparam int unsigned QuarterBits = quarter_bits(ValueWords)
) (
    input logic clk_i,
    input logic clear_i, // also the reset: the tree ends at once

    input logic        start_i,  // a tree begins
    input tree_order_t order_i,
    input logic [31:0] key_pair_i,  // the address's words 5 and 7 for a tree of FORS
    input logic [31:0] first_leaf_i,

    input logic        write_digits_i,  // a word of the digits, of the first chain's first
    input logic [31:0] digits_i,

    output tree_hash_t hash_o,
    input  logic       begins_i,  // also a hash of a plain chain, which is none of the tree
    input  logic       final_i,

    input logic [ValueWords-1:0][31:0] value_i,

    input  logic                        load_i,
    output logic [ValueWords-1:0][31:0] left_o,

    // The ends of the chains, for T_len: the word at this address two clocks later.
    input  logic                   list_read_i,
    input  logic [QuarterBits-1:0] list_addr_i,
    output logic [           31:0] memory_word_o,

    // What is kept, while no tree is computed: memory_word_o is its next word, if there is one, from
    // the third clock after `kept_next_i` on.
    input  logic kept_next_i,
    output logic kept_valid_o
);

  localparam int unsigned NumChains = key_chains(ValueWords);
  localparam int unsigned LastStep = 14;  // w is 16: 15 steps
  localparam int unsigned WordBits = $clog2(ValueWords);
  localparam logic [1:0] Ends = 2'd0, Kept = 2'd1, Stack = 2'd2, Path = 2'd3;
  typedef logic [WordBits-1:0] word_index_t;
  localparam word_index_t LastWord = word_index_t'(ValueWords - 1);

  typedef enum logic [2:0] {
    HashSecret,  // PRF
    HashStep,    // F, in a chain
    HashList,    // T_len: a leaf of XMSS
    HashLeaf,    // F: a leaf of FORS
    HashNode     // H
  } hash_e;

  ////////////////////
  // The next hash  //
  ////////////////////

  hash_e hash_q;
  logic busy_q, fors_q;
  logic [1:0] settled_q;  // [1]: the comparisons are those of the first hash
  logic [3:0] height_q, level_q, step_q;
  logic [6:0] chain_q;
  // A leaf and the node above it at the level of the hash: their numbers in the tree, that of the
  // chosen leaf or node there, and the index in the address.
  logic [15:0] leaf_q, node_q, chosen_q, chosen_node_q;
  logic [31:0] leaf_index_q, node_index_q;
  // Comparisons, a clock later: a hash takes longer.
  logic of_chosen_q, of_sibling_q, at_root_q;
  logic begins;  // a hash of the tree
  logic makes_node;  // the digest is a node of the tree
  logic rises;  // H follows
  logic next_leaf;
  assign begins = begins_i && busy_q;
  assign makes_node = hash_q == HashList || hash_q == HashLeaf || hash_q == HashNode;
  assign rises = makes_node && node_q[0];
  assign next_leaf = makes_node && !node_q[0];

  always_ff @(posedge clk_i) begin
    of_chosen_q  <= leaf_q == chosen_q;
    of_sibling_q <= node_q == (chosen_node_q ^ 16'd1);
    at_root_q    <= level_q == height_q;
    settled_q    <= start_i ? '0 : {settled_q[0], 1'b1};
    if (clear_i) begin
      busy_q <= 1'b0;
    end else if (start_i) begin
      busy_q        <= 1'b1;
      fors_q        <= order_i.fors;
      height_q      <= order_i.height;
      chosen_q      <= order_i.chosen;
      hash_q        <= HashSecret;
      level_q       <= '0;
      chain_q       <= '0;
      leaf_q        <= '0;
      node_q        <= '0;
      chosen_node_q <= order_i.chosen;
      leaf_index_q  <= order_i.fors ? reversed(first_leaf_i) : '0;
      node_index_q  <= order_i.fors ? reversed(first_leaf_i) : '0;
    end else if (begins) begin
      unique case (hash_q)
        HashSecret: begin
          hash_q <= fors_q ? HashLeaf : HashStep;
          step_q <= '0;
        end
        HashStep: begin
          step_q <= step_q + 1'b1;
          if (step_q == 4'(LastStep)) begin
            hash_q  <= (chain_q == 7'(NumChains - 1)) ? HashList : HashSecret;
            chain_q <= chain_q + 1'b1;
          end
        end
        default: begin
          if (at_root_q) busy_q <= 1'b0;
          hash_q  <= rises ? HashNode : HashSecret;
          level_q <= rises ? level_q + 1'b1 : '0;
          chain_q <= '0;
        end
      endcase
      if (rises) begin
        node_q        <= node_q >> 1;
        chosen_node_q <= chosen_node_q >> 1;
        node_index_q  <= node_index_q >> 1;
      end
      if (next_leaf) begin
        leaf_q        <= leaf_q + 1'b1;
        node_q        <= leaf_q + 1'b1;
        chosen_node_q <= chosen_q;
        leaf_index_q  <= leaf_index_q + 1'b1;
        node_index_q  <= leaf_index_q + 1'b1;
      end
    end
  end

  always_comb begin
    address_type_e kind;
    logic [31:0] key_pair, chain, index;
    key_pair = fors_q ? key_pair_i : reversed(32'(leaf_q));
    chain = '0;
    index = fors_q ? node_index_q : '0;
    unique case (hash_q)
      HashSecret: begin
        kind = fors_q ? ForsSecret : WotsSecret;
        if (!fors_q) chain = 32'(chain_q);
      end
      HashStep: begin
        kind  = WotsHash;
        chain = 32'(chain_q);
        index = 32'(step_q);
      end
      HashList: kind = WotsKey;
      HashLeaf: kind = ForsTree;
      default: begin
        kind  = fors_q ? ForsTree : TreeNode;
        chain = 32'(level_q);
        index = node_index_q;
        if (!fors_q) key_pair = '0;
      end
    endcase
    hash_o.busy = busy_q;
    hash_o.follows = busy_q && settled_q[1];
    hash_o.secret = hash_o.follows && hash_q == HashSecret;
    hash_o.pair = hash_o.follows && hash_q == HashNode;
    hash_o.list = hash_o.follows && hash_q == HashList;
    hash_o.words = {reversed(index), reversed(chain), key_pair, reversed(32'(kind))};
  end

  ////////////////////
  // Digits         //
  ////////////////////

  // The digit of the next chain is the lowest one: of a byte the higher half comes first.
  logic [ValueWords:0][31:0] digits_q;
  logic [31:0] swapped;
  logic digit_taken;
  for (genvar i = 0; i < 4; i++) begin : gen_swapped
    assign swapped[8*i+:8] = {digits_i[8*i+:4], digits_i[8*i+4+:4]};
  end
  assign digit_taken = begins && hash_q == HashStep && step_q == 4'(LastStep) &&
      of_chosen_q;
  always_ff @(posedge clk_i) begin
    if (write_digits_i) digits_q <= {swapped, digits_q[ValueWords:1]};
    else if (digit_taken) digits_q <= digits_q >> 4;
  end

  ////////////////////
  // What is kept   //
  ////////////////////

  // Of the hash that is computed, and then, while its digest is written, of the one before.
  typedef struct packed {
    logic       to_ends;
    logic       to_kept;
    logic       to_stack;
    logic       to_path;
    logic [3:0] level;
  } places_t;

  places_t places, places_q, written_q;
  always_comb begin
    places = '0;
    places.level = level_q;
    places.to_ends = hash_q == HashStep && step_q == 4'(LastStep);
    places.to_stack = next_leaf;
    places.to_path = makes_node && of_sibling_q;
    if (of_chosen_q) begin
      if (fors_q) places.to_kept = hash_q == HashSecret;
      else if (hash_q == HashSecret) places.to_kept = digits_q[0][3:0] == '0;
      else if (hash_q == HashStep) places.to_kept = digits_q[0][3:0] == step_q + 1'b1;
    end
  end

  logic writing_q, second_q;  // the digest is written: to its first place, and then to its second
  word_index_t word_q;
  logic [QuarterBits-1:0] ends_q, kept_q;  // the words there
  logic write;
  logic [QuarterBits+1:0] write_addr, read_addr, node_addr, path_addr;
  assign write = writing_q && (second_q ? written_q.to_kept || written_q.to_path :
      written_q.to_ends || written_q.to_stack);
  assign node_addr = {Stack, QuarterBits'({written_q.level, word_q})};
  assign path_addr = {Path, QuarterBits'({written_q.level, word_q})};
  always_comb begin
    if (second_q) write_addr = written_q.to_path ? path_addr : {Kept, kept_q};
    else write_addr = written_q.to_stack ? node_addr : {Ends, ends_q};
  end

  always_ff @(posedge clk_i) begin
    if (begins_i) places_q <= begins ? places : '0;
    if (final_i) written_q <= places_q;
    if (clear_i) begin
      writing_q <= 1'b0;
    end else if (final_i) begin
      writing_q <= 1'b1;
      second_q  <= 1'b0;
      word_q    <= '0;
    end else if (writing_q) begin
      word_q <= (word_q == LastWord) ? '0 : word_q + 1'b1;
      if (word_q == LastWord) begin
        second_q  <= 1'b1;
        writing_q <= !second_q;
      end
    end
    if (begins && hash_q == HashSecret && chain_q == '0) ends_q <= '0;
    else if (write && !second_q && written_q.to_ends) ends_q <= ends_q + 1'b1;
    if (start_i) kept_q <= '0;
    else if (write && second_q && written_q.to_kept) kept_q <= kept_q + 1'b1;
  end

  ////////////////////
  // Reading        //
  ////////////////////

  logic loading_q;
  logic [1:0] arrives_q;  // [n]: a word of the value on the left was asked for n + 1 clocks ago
  word_index_t load_word_q, path_word_q;
  logic in_path_q;  // what is read of a signature is in the path
  logic [3:0] path_level_q;
  logic [QuarterBits-1:0] kept_addr_q, kept_next;
  logic readable_q;  // since the last tree began, it was not cleared
  assign kept_next = kept_addr_q + 1'b1;
  assign kept_valid_o = readable_q && (in_path_q ? path_level_q < height_q : kept_q != '0);

  always_comb begin
    if (list_read_i) read_addr = {Ends, list_addr_i};
    else if (loading_q) read_addr = {Stack, QuarterBits'({places_q.level, load_word_q})};
    else if (in_path_q) read_addr = {Path, QuarterBits'({path_level_q, path_word_q})};
    else read_addr = {Kept, kept_addr_q};
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      loading_q   <= 1'b1;
      load_word_q <= '0;
    end else if (loading_q) begin
      loading_q   <= load_word_q != LastWord;
      load_word_q <= load_word_q + 1'b1;
    end
    arrives_q <= {arrives_q[0], loading_q};
    if (arrives_q[1]) left_o <= {memory_word_o, left_o[ValueWords-1:1]};
    if (clear_i) readable_q <= 1'b0;
    else if (start_i) readable_q <= 1'b1;
    if (start_i) begin
      in_path_q    <= 1'b0;
      kept_addr_q  <= '0;
      path_level_q <= '0;
      path_word_q  <= '0;
    end else if (kept_next_i && kept_valid_o && !in_path_q) begin
      kept_addr_q <= kept_next;
      in_path_q   <= kept_next == kept_q;
    end else if (kept_next_i && kept_valid_o) begin
      path_word_q <= (path_word_q == LastWord) ? '0 : path_word_q + 1'b1;
      if (path_word_q == LastWord) path_level_q <= path_level_q + 1'b1;
    end
  end

  hf_ram #(
      .Width(32),
      .Depth(4 << QuarterBits)
  ) u_memory (
      .clk_i,
      .write_i     (write),
      .write_addr_i(write_addr),
      .write_data_i(value_i[word_q]),
      .read_addr_i (read_addr),
      .read_data_o (memory_word_o)
  );

endmodule
