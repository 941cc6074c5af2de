// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A slave of AXI4-Lite for registers that take one access at a time: `valid_o` and the access stand
// until `ready_i`. A write is taken when its address and its data are there; reads and writes take
// turns while both wait. Every answer is OKAY. No output of the bus depends on an input of it in the
// same clock.

module hf_axil_access #(
    parameter int unsigned AddrWidth = 10
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 awvalid_i,
    output logic                 awready_o,
    input  logic [AddrWidth-1:0] awaddr_i,
    input  logic                 wvalid_i,
    output logic                 wready_o,
    input  logic [         31:0] wdata_i,
    input  logic [          3:0] wstrb_i,
    output logic                 bvalid_o,
    input  logic                 bready_i,
    output logic [          1:0] bresp_o,
    input  logic                 arvalid_i,
    output logic                 arready_o,
    input  logic [AddrWidth-1:0] araddr_i,
    output logic                 rvalid_o,
    input  logic                 rready_i,
    output logic [         31:0] rdata_o,
    output logic [          1:0] rresp_o,

    output logic                 valid_o,
    output logic                 write_o,
    output logic [AddrWidth-1:0] addr_o,
    output logic [         31:0] data_o,
    output logic [          3:0] bytes_o,
    input  logic                 ready_i,
    input  logic [         31:0] data_i
);

  // What has arrived and not begun.
  logic aw_q, w_q, ar_q;
  logic [AddrWidth-1:0] waddr_q, raddr_q;
  // The access, and the answer that stands on the bus.
  logic valid_q, write_q, b_q, r_q;
  logic [31:0] rdata_q;
  logic begin_write, begin_read, busy;

  assign awready_o = !aw_q;
  assign wready_o  = !w_q;
  assign arready_o = !ar_q;

  assign busy = valid_q || b_q || r_q;
  assign begin_write = !busy && aw_q && w_q && !(ar_q && write_q);
  assign begin_read = !busy && ar_q && !begin_write;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      aw_q    <= 1'b0;
      w_q     <= 1'b0;
      ar_q    <= 1'b0;
      valid_q <= 1'b0;
      write_q <= 1'b0;
      b_q     <= 1'b0;
      r_q     <= 1'b0;
    end else begin
      aw_q    <= aw_q ? !(valid_q && write_q && ready_i) : awvalid_i;
      w_q     <= w_q ? !(valid_q && write_q && ready_i) : wvalid_i;
      ar_q    <= ar_q ? !(valid_q && !write_q && ready_i) : arvalid_i;
      valid_q <= begin_write || begin_read || (valid_q && !ready_i);
      if (begin_write || begin_read) write_q <= begin_write;
      b_q <= (valid_q && write_q && ready_i) || (b_q && !bready_i);
      r_q <= (valid_q && !write_q && ready_i) || (r_q && !rready_i);
    end
    if (awready_o) waddr_q <= awaddr_i;
    if (wready_o) begin
      data_o  <= wdata_i;
      bytes_o <= wstrb_i;
    end
    if (arready_o) raddr_q <= araddr_i;
    if (valid_q && ready_i) rdata_q <= data_i;
  end

  assign valid_o = valid_q;
  assign write_o = write_q;
  assign addr_o = write_q ? waddr_q : raddr_q;
  assign bvalid_o = b_q;
  assign bresp_o = 2'b00;
  assign rvalid_o = r_q;
  assign rdata_o = rdata_q;
  assign rresp_o = 2'b00;

endmodule
