// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The unit for chains of hashes without its bus: hf_keccak_chain, and what its registers do
// (docs/integrate/chain.md). `regs_i` and `regs_o` connect to a register block that is generated for
// each bus (rtl/regs/generated).

module hf_keccak_chain_regs
  import hf_keccak_chain_csr_pkg::*;
#(
    parameter int unsigned ValueBytes = 16  // bytes of a value and of the prefix: 16, 24 or 32
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  hf_keccak_chain_regs__out_t regs_i,
    output hf_keccak_chain_regs__in_t  regs_o,
    // An access to an unmapped address or with an illegal direction.
    input  logic                       bad_access_i,

    output logic irq_o
);

  localparam int unsigned ValueWords = (ValueBytes == 24 || ValueBytes == 32) ? ValueBytes / 4 : 4;

  logic [ValueWords-1:0][31:0] value;
  logic [7:0][31:0] readable;  // words of VALUE by their number; 0 where there is none
  logic busy, done, start, clear, command, refused;
  logic prefix, address, value_write, value_read;
  logic [2:0] word_addr;
  logic [31:0] word, bits;
  logic whole;  // all bytes of a word are written
  logic unused_parts;

  // Of the requests one at most comes in a clock, and all have the bus's word.
  assign prefix = regs_i.PREFIX.req && regs_i.PREFIX.req_is_wr;
  assign address = regs_i.ADDRESS.req && regs_i.ADDRESS.req_is_wr;
  assign value_write = regs_i.VALUE.req && regs_i.VALUE.req_is_wr;
  assign value_read = regs_i.VALUE.req && !regs_i.VALUE.req_is_wr;
  assign command = regs_i.COMMAND.req && regs_i.COMMAND.req_is_wr;
  assign word_addr = regs_i.PREFIX.addr[4:2];
  assign word = regs_i.PREFIX.wr_data;
  assign bits = regs_i.PREFIX.wr_biten;
  assign whole = &bits;
  assign unused_parts = ^{
      regs_i.PREFIX.addr[1:0], regs_i.ADDRESS.addr, regs_i.VALUE.addr, regs_i.ADDRESS.wr_data,
      regs_i.VALUE.wr_data, regs_i.ADDRESS.wr_biten, regs_i.VALUE.wr_biten,
      regs_i.COMMAND.wr_data, regs_i.COMMAND.wr_biten, word[30:16]};

  assign clear = command && word[31] && bits[31];
  assign start = command && !clear && whole && !busy;
  // A write without a byte, which a bus-width converter may produce, is ignored.
  assign refused = bad_access_i || (value_read && busy) ||
      ((regs_i.PREFIX.req || regs_i.ADDRESS.req) && !prefix && !address) ||
      ((prefix || address || value_write || (command && !clear)) && bits != '0 &&
       (busy || !whole));

  hf_keccak_chain #(
      .ValueBytes(ValueBytes)
  ) u_chain (
      .clk_i,
      .rst_i,
      .write_prefix_i (prefix && whole && !busy),
      .write_address_i(address && whole && !busy),
      .write_value_i  (value_write && whole && !busy),
      .word_addr_i    (word_addr),
      .word_i         (word),
      .start_i        (start),
      .count_i        (word[15:0]),
      .clear_i        (clear),
      .busy_o         (busy),
      .done_o         (done),
      .value_o        (value)
  );

  assign readable = busy ? '0 : 256'(value);

  always_comb begin
    regs_o.CAPS.value_bytes.next = 8'(4 * ValueWords);
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
  end

  assign irq_o = (regs_i.INTR_STATE.done.value && regs_i.INTR_ENABLE.done.value) ||
      (regs_i.INTR_STATE.error.value && regs_i.INTR_ENABLE.error.value);

endmodule
