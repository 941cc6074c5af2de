// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chains of hashes, as SLH-DSA's WOTS+ has them (FIPS 205, algorithm 5): a value is replaced
// `count` times by
//
//   SHAKE256(prefix || address || value, 8 n)      F of FIPS 205, section 11.1
//
// where n is ValueBytes, prefix (PK.seed) and value have n bytes and address (ADRS) has 32. The last
// four bytes of the address, the hash address, are a big-endian number that goes up by one with each
// hash. With Trees also whole Merkle trees: hf_keccak_chain_tree says which hash follows.
//
// A hash takes 26 clocks:
//
//   0        the block goes to its register, with the digest of the hash before out of the state,
//            and the state is cleared
//   1        the block enters the state: the round of a state of zero without iota is zero
//   2..25    24 rounds
//   26       clock 0 of the next hash
//
// An engine of the contract would need two more: it decides a handshake a clock ahead, and a block
// that is offered does not change.
//
// The hash of a list of values (T_len of FIPS 205), which a tree has, is of several blocks. Each of
// them is shifted into the block register, a word a clock, in 37 clocks: out of the memory, where it
// waits two clocks for a word, and through a register. The first one enters as above. The others
// enter in the last round of the block before, which waits for them.
//
// Words are little-endian: bits 7 to 0 of a word are its first byte, as in the block (FIPS 202,
// section B.1). Nothing may be written while `busy_o` is high.

module hf_keccak_chain
  import hf_keccak_pkg::*;
  import hf_keccak_chain_pkg::*;
#(
    parameter int unsigned ValueBytes = 16,  // n: 16, 24 or 32
    parameter bit Trees = 1'b0,  // whole trees are there
    // Not for users: words of a value.
    localparam int unsigned ValueWords = value_words(ValueBytes)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high; acts as clear_i

    // A write to a word; at most one of these is high.
    input logic        write_prefix_i,
    input logic        write_address_i,
    input logic        write_value_i,
    input logic        write_secret_i,   // SK.seed, for trees
    input logic        write_digits_i,   // the next word of the digits, as in hf_keccak_chain_tree
    input logic [ 2:0] word_addr_i,      // writes to words that there are not have no effect
    input logic [31:0] word_i,

    input  logic        start_i,       // with count_i hashes; 0: none
    input  logic [15:0] count_i,
    input  logic        tree_start_i,  // a tree
    input  tree_order_t tree_order_i,
    input  logic        clear_i,       // all ends at once; what was written and the state become 0
    output logic        busy_o,
    output logic        done_o,        // for a clock: value_o is the last hash from the next one on
    output logic [ValueWords-1:0][31:0] value_o,

    // What is kept of a tree for a signature, while busy_o is low: the next word, from the third clock
    // after kept_next_i on; 0 if there is none.
    input  logic        kept_next_i,
    output logic [31:0] kept_o
);

  localparam int unsigned AddressWords = 8;
  localparam int unsigned RateWords = 34;  // SHAKE256: 1,088 bits
  localparam int unsigned HeadWords = ValueWords + AddressWords;
  localparam logic [31:0] Suffix = 32'h0000_001F;  // 1111, and the first 1 of pad10*1
  localparam logic [31:0] LastOne = 32'h8000_0000;  // the last 1 of pad10*1
  localparam logic [4:0] LastClock = 5'(NumRounds);  // the clock of the last round; 0: the block's
  typedef logic [ValueWords-1:0][31:0] value_t;

  value_t prefix_q, value_q, value, secret, left;
  logic [AddressWords-1:0][31:0] address_q, address;
  logic [31:0] hash_address;
  logic [15:0] count_q;  // hashes that have not begun
  logic left_q;  // there are some; registered, for short paths
  logic running_q;  // the state changes, clock_q of a hash
  logic [4:0] clock_q;
  logic final_q;  // the state is that of a digest, in one clock
  // `clear` has precedence over the two that begin: it comes late out of the register block.
  logic chain_begins, begins, clear;
  logic clear_q;  // for the state, whose flip-flops are many
  tree_hash_t tree;

  // Of a list of values:
  logic loads;  // its next block is loaded
  logic loaded;  // in the last clock of that
  logic first_block;  // that block is the first one
  logic more_blocks;  // after the one that is in the state, another one is loaded
  logic joins_q;  // a block enters in the last round of the one before
  logic shift;  // a word is shifted in
  logic [31:0] list_word;

  assign clear = clear_i || rst_i;
  assign chain_begins = left_q && !running_q;
  assign begins = chain_begins ||
      (tree.follows && !tree.list && !running_q && !loads);
  assign hash_address = reversed(reversed(address_q[AddressWords-1]) + 32'd1);

  always_ff @(posedge clk_i) begin
    if (clear) begin
      count_q   <= '0;
      left_q    <= 1'b0;
      running_q <= 1'b0;
      final_q   <= 1'b0;
    end else begin
      if (start_i) count_q <= count_i;
      else count_q <= count_q - 16'(chain_begins);
      if (start_i) left_q <= count_i != '0;
      else if (chain_begins) left_q <= count_q != 16'd1;
      running_q <= begins || loaded || (running_q && (clock_q != LastClock || joins_q) &&
          !(clock_q == LastClock - 1'b1 && more_blocks));
      final_q <= running_q && clock_q == LastClock && !joins_q;
    end
    clear_q <= clear;
    joins_q <= loaded && !first_block;
    if (begins || (loaded && first_block)) clock_q <= '0;
    else if (loaded) clock_q <= LastClock;
    else if (joins_q) clock_q <= 5'd1;
    else clock_q <= clock_q + 1'b1;
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  // The block register is zero but in the clock of a block, and carries iota's constant, as in
  // hf_keccak_iterative_words; theta is written so that a round takes three LUT4 levels.
  localparam lane_t [31:0] Constants = (32 * LaneWidth)'(RoundConstant);  // zero after the last
  state_t state_q, block_q, sum;
  logic [StateWidth-1:0] block, block_bits, shifted;

  assign value = final_q ? state_q[0][ValueWords/2-1:0] : value_q;

  always_comb begin
    address = address_q;
    if (tree.follows) address[AddressWords-1:4] = tree.words;
    block = '0;
    block[32*HeadWords-1:0] = {address, prefix_q};
    block[32*HeadWords+:32*ValueWords] = tree.pair ? left : tree.secret ? secret : value;
    if (tree.pair) begin
      block[32*(HeadWords+ValueWords)+:32*ValueWords] = value;
      block[32*(HeadWords+2*ValueWords)+:32] = Suffix;
    end else begin
      block[32*(HeadWords+ValueWords)+:32] = Suffix;
    end
    block[32*(RateWords-1)+:32] = LastOne;
  end

  always_comb begin
    plane_t p, r;
    p = state_q[0] ^ state_q[1] ^ state_q[2] ^ state_q[3];
    r = theta_effect(state_q[4]);
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        sum[y][x] = ((state_q[y][x] ^ r[x]) ^ p[(x+4)%5]) ^ rotl(p[(x+1)%5], 1);
      end
    end
  end

  localparam int unsigned ShiftBits = 32 * (RateWords - 1);
  assign block_bits = block_q;
  assign shifted = StateWidth'({list_word, ShiftBits'(block_bits >> 32)});

  always_ff @(posedge clk_i) begin
    if (begins) block_q <= state_t'(block);
    else if (shift) block_q <= state_t'(shifted);
    else block_q <= state_t'(Constants[joins_q ? '0 : clock_q]);
    if (begins || (loaded && first_block) || clear_q) state_q <= '0;
    else if (running_q) state_q <= chi(pi(rho(sum))) ^ block_q;
  end

  for (genvar i = 0; i < int'(ValueWords); i++) begin : gen_value
    always_ff @(posedge clk_i) begin
      if (clear) prefix_q[i] <= '0;
      else if (write_prefix_i && word_addr_i == 3'(i)) prefix_q[i] <= word_i;
      if (clear) value_q[i] <= '0;
      else if (final_q) value_q[i] <= value[i];
      else if (write_value_i && word_addr_i == 3'(i)) value_q[i] <= word_i;
    end
  end
  for (genvar i = 0; i < int'(AddressWords); i++) begin : gen_address
    always_ff @(posedge clk_i) begin
      if (clear) address_q[i] <= '0;
      else if (write_address_i && word_addr_i == 3'(i)) address_q[i] <= word_i;
      else if (chain_begins && i == int'(AddressWords) - 1) address_q[i] <= hash_address;
    end
  end

  ////////////////////
  // Trees          //
  ////////////////////

  if (Trees) begin : gen_trees
    localparam int unsigned ListWords = HeadWords + key_chains(ValueWords) * ValueWords;
    localparam int unsigned NumBlocks = ListWords / RateWords + 1;  // a word of padding at least
    localparam int unsigned QuarterBits = quarter_bits(ValueWords);
    localparam logic [5:0] LastLoad = 6'(RateWords + 2);  // from a word's address to its shift: 3
    localparam lane_t LastConstant = RoundConstant[NumRounds-1];

    value_t secret_q;
    logic [31:0] memory_word, head_word, list_word_q;
    logic list_begins, loads_q, first_q, kept_valid;
    logic [5:0] load_clock_q;
    logic [4:0] blocks_q;  // that have not been loaded
    // A word of the list is read from the memory, and is in memory_word.
    logic [QuarterBits+1:0] read_number_q, word_number_q;
    localparam int unsigned NumberBits = QuarterBits + 2;
    logic [15:0][31:0] head;
    logic [31:0] list_pair_q;  // the address's word 5: the key pair

    assign list_begins = tree.list && !running_q && !loads_q;
    assign head = (16 * 32)'({
        64'd0, list_pair_q, reversed(32'(WotsKey)), address_q[3:0], prefix_q});
    assign head_word = head[word_number_q[3:0]];

    always_ff @(posedge clk_i) begin
      if (clear) begin
        loads_q  <= 1'b0;
        blocks_q <= '0;
      end else begin
        loads_q <= list_begins || (loads_q && !loaded) ||
            (running_q && clock_q == LastClock - 1'b1 && more_blocks);
        if (list_begins) blocks_q <= 5'(NumBlocks);
        else if (loaded) blocks_q <= blocks_q - 1'b1;
      end
      load_clock_q <= loads_q ? load_clock_q + 1'b1 : '0;
      if (list_begins) begin
        first_q       <= 1'b1;
        list_pair_q   <= tree.words[1];
        read_number_q <= NumberBits'(0) - NumberBits'(HeadWords);
        word_number_q <= '0;
      end else begin
        if (loaded) first_q <= 1'b0;
        if (loads_q && load_clock_q < 6'(RateWords)) read_number_q <= read_number_q + 1'b1;
        if (loads_q && load_clock_q >= 6'd2 && load_clock_q != LastLoad) begin
          word_number_q <= word_number_q + 1'b1;
        end
      end
      if (word_number_q < NumberBits'(HeadWords)) list_word_q <= head_word;
      else if (word_number_q < NumberBits'(ListWords)) list_word_q <= memory_word;
      else if (word_number_q == NumberBits'(ListWords)) list_word_q <= Suffix;
      else if (word_number_q == NumberBits'(NumBlocks * RateWords - 1)) list_word_q <= LastOne;
      else list_word_q <= '0;
    end

    assign loads = loads_q;
    assign loaded = loads_q && load_clock_q == LastLoad;
    assign first_block = first_q;
    assign more_blocks = blocks_q != '0;
    assign shift = loads_q && load_clock_q >= 6'd3;

    // Iota's constant of the round in which the block enters.
    always_comb begin
      list_word = list_word_q;
      if (!first_q && load_clock_q == 6'd3) list_word = list_word_q ^ LastConstant[31:0];
      if (!first_q && load_clock_q == 6'd4) list_word = list_word_q ^ LastConstant[63:32];
    end

    for (genvar i = 0; i < int'(ValueWords); i++) begin : gen_secret
      always_ff @(posedge clk_i) begin
        if (clear) secret_q[i] <= '0;
        else if (write_secret_i && word_addr_i == 3'(i)) secret_q[i] <= word_i;
      end
    end
    assign secret = secret_q;
    assign kept_o = kept_valid ? memory_word : '0;

    hf_keccak_chain_tree #(
        .ValueBytes(ValueBytes)
    ) u_tree (
        .clk_i,
        .clear_i       (clear),
        .start_i       (tree_start_i),
        .order_i       (tree_order_i),
        .key_pair_i    (address_q[5]),
        .first_leaf_i  (address_q[7]),
        .write_digits_i,
        .digits_i      (word_i),
        .hash_o        (tree),
        .begins_i      (begins || list_begins),
        .final_i       (final_q),
        .value_i       (value_q),
        .load_i        (running_q && clock_q == 5'd1 && !more_blocks),
        .left_o        (left),
        .list_read_i   (loads_q),
        .list_addr_i   (read_number_q[QuarterBits-1:0]),
        .memory_word_o (memory_word),
        .kept_next_i,
        .kept_valid_o  (kept_valid)
    );
  end else begin : gen_no_trees
    logic unused_trees;
    assign unused_trees = ^{
        write_secret_i, write_digits_i, tree_start_i, tree_order_i, kept_next_i};
    assign tree = '0;
    assign {loads, loaded, first_block, more_blocks, shift} = '0;
    assign list_word = '0;
    assign secret = '0;
    assign left = '0;
    assign kept_o = '0;
  end

  assign busy_o  = running_q || final_q || left_q || tree.busy || loads;
  assign done_o  = final_q && !left_q && !tree.busy;
  assign value_o = value_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (ValueBytes != 16 && ValueBytes != 24 && ValueBytes != 32) begin : gen_bad_value
    $fatal(1, "hf_keccak_chain: ValueBytes is 16, 24 or 32, not %0d", ValueBytes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
