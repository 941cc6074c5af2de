// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The unit for chains and trees of hashes without its bus: hf_keccak_chain, and what its registers do
// (docs/integrate/chain.md). `regs_i` and `regs_o` connect to a register block that is generated for
// each bus (rtl/regs/generated).

module hf_keccak_chain_regs
  import hf_keccak_chain_csr_pkg::*;
  import hf_keccak_chain_pkg::*;
#(
    parameter int unsigned ValueBytes = 16,  // bytes of a value and of the prefix: 16, 24 or 32
    parameter bit Trees = 1'b0  // whole trees are there
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  hf_keccak_chain_regs__out_t regs_i,
    output hf_keccak_chain_regs__in_t  regs_o,
    // An access to an unmapped address or with an illegal direction.
    input  logic                       bad_access_i,

    output logic irq_o
);

  localparam int unsigned ValueWords = value_words(ValueBytes);

  logic [ValueWords-1:0][31:0] value;
  logic [7:0][31:0] readable;  // words of VALUE by their number; 0 where there is none
  logic busy, done, start, clear, command, refused;
  logic prefix, address, value_write, value_read, secret, digits, tree, kept_read;
  logic tree_start, tree_refused;
  tree_order_t tree_order;
  logic [31:0] kept;
  logic [2:0] kept_read_q;  // [n]: SIGNATURE was read n + 1 clocks ago
  logic kept_busy_q;  // while a tree was computed
  logic [2:0] word_addr;
  logic [31:0] word, bits;
  logic whole;  // all bytes of a word are written
  logic unused_parts;

  // Of the requests one at most comes in a clock, and all have the bus's word.
  assign prefix = regs_i.PREFIX.req && regs_i.PREFIX.req_is_wr;
  assign address = regs_i.ADDRESS.req && regs_i.ADDRESS.req_is_wr;
  assign value_write = regs_i.VALUE.req && regs_i.VALUE.req_is_wr;
  assign value_read = regs_i.VALUE.req && !regs_i.VALUE.req_is_wr;
  assign secret = regs_i.SECRET.req && regs_i.SECRET.req_is_wr;
  assign digits = regs_i.DIGITS.req && regs_i.DIGITS.req_is_wr;
  assign tree = regs_i.TREE.req && regs_i.TREE.req_is_wr;
  assign kept_read = regs_i.SIGNATURE.req && !regs_i.SIGNATURE.req_is_wr;
  assign command = regs_i.COMMAND.req && regs_i.COMMAND.req_is_wr;
  assign word_addr = regs_i.PREFIX.addr[4:2];
  assign word = regs_i.PREFIX.wr_data;
  assign bits = regs_i.PREFIX.wr_biten;
  assign whole = &bits;
  assign unused_parts = ^{
      regs_i.PREFIX.addr[1:0], regs_i.ADDRESS.addr, regs_i.VALUE.addr, regs_i.ADDRESS.wr_data,
      regs_i.VALUE.wr_data, regs_i.ADDRESS.wr_biten, regs_i.VALUE.wr_biten,
      regs_i.COMMAND.wr_data, regs_i.COMMAND.wr_biten, regs_i.SECRET.addr, regs_i.SECRET.wr_data,
      regs_i.SECRET.wr_biten, regs_i.DIGITS.wr_data, regs_i.DIGITS.wr_biten, regs_i.TREE.wr_data,
      regs_i.TREE.wr_biten, word[30:16]};

  assign clear = command && word[31] && bits[31];
  assign start = command && !clear && whole && !busy;
  assign tree_order = {word[8], word[3:0], regs_i.CHOSEN.leaf.value};
  assign tree_start = Trees && tree && whole && !busy && tree_order.height != '0;
  assign tree_refused = tree && whole && tree_order.height == '0;
  // A write without a byte, which a bus-width converter may produce, is ignored.
  assign refused = bad_access_i || ((value_read || kept_read) && busy) || tree_refused ||
      ((regs_i.PREFIX.req || regs_i.ADDRESS.req || regs_i.SECRET.req) && !prefix && !address &&
       !secret) ||
      ((prefix || address || value_write || secret || digits || tree || (command && !clear)) &&
       bits != '0 && (busy || !whole));

  // The word after the one that is read is on its way for three clocks.
  always_ff @(posedge clk_i) begin
    kept_read_q <= rst_i ? '0 : {kept_read_q[1:0], kept_read};
    if (kept_read) kept_busy_q <= busy;
  end

  hf_keccak_chain #(
      .ValueBytes(ValueBytes),
      .Trees     (Trees)
  ) u_chain (
      .clk_i,
      .rst_i,
      .write_prefix_i (prefix && whole && !busy),
      .write_address_i(address && whole && !busy),
      .write_value_i  (value_write && whole && !busy),
      .write_secret_i (secret && whole && !busy),
      .write_digits_i (digits && whole && !busy),
      .word_addr_i    (word_addr),
      .word_i         (word),
      .start_i        (start),
      .count_i        (word[15:0]),
      .tree_start_i   (tree_start),
      .tree_order_i   (tree_order),
      .clear_i        (clear),
      .busy_o         (busy),
      .done_o         (done),
      .value_o        (value),
      .kept_next_i    (kept_read_q[2] && !kept_busy_q),
      .kept_o         (kept)
  );

  assign readable = busy ? '0 : 256'(value);

  always_comb begin
    regs_o.CAPS.value_bytes.next = 8'(4 * ValueWords);
    regs_o.CAPS.trees.next = Trees;
    regs_o.CHOSEN.leaf.swwe = Trees;
    regs_o.STATUS.busy.next = busy;
    regs_o.INTR_STATE.done.hwset = done;
    regs_o.INTR_STATE.error.hwset = refused;
    regs_o.COMMAND.wr_ack = command;
    regs_o.PREFIX.rd_ack = regs_i.PREFIX.req && !prefix;
    regs_o.PREFIX.rd_data = '0;
    regs_o.PREFIX.wr_ack = prefix;
    regs_o.ADDRESS.rd_ack = regs_i.ADDRESS.req && !address;
    regs_o.ADDRESS.rd_data = '0;
    regs_o.ADDRESS.wr_ack = address;
    regs_o.VALUE.rd_ack = value_read;
    regs_o.VALUE.rd_data = readable[word_addr];
    regs_o.VALUE.wr_ack = value_write;
    regs_o.SECRET.rd_ack = regs_i.SECRET.req && !secret;
    regs_o.SECRET.rd_data = '0;
    regs_o.SECRET.wr_ack = secret;
    regs_o.DIGITS.wr_ack = digits;
    regs_o.TREE.wr_ack = tree;
    regs_o.SIGNATURE.rd_ack = kept_read_q[2];
    regs_o.SIGNATURE.rd_data.data = kept_busy_q ? '0 : kept;
  end

  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value);

endmodule
