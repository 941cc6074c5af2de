// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A bridge from AXI4-Lite to APB4: one access at a time, reads and writes in turns where both wait.
// The slave's signals are those of the address channel until the access is answered, without a
// register; awuser and aruser become an ID beside the address. Responses are OKAY.

module hf_axil_apb #(
    parameter int unsigned AddrWidth = 12,
    parameter int unsigned IdWidth   = 4    // of awuser, aruser
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 awvalid_i,
    output logic                 awready_o,
    input  logic [AddrWidth-1:0] awaddr_i,
    input  logic [          2:0] awprot_i,
    input  logic [  IdWidth-1:0] awuser_i,
    input  logic                 wvalid_i,
    output logic                 wready_o,
    input  logic [         31:0] wdata_i,
    input  logic [          3:0] wstrb_i,
    output logic                 bvalid_o,
    input  logic                 bready_i,
    input  logic                 arvalid_i,
    output logic                 arready_o,
    input  logic [AddrWidth-1:0] araddr_i,
    input  logic [          2:0] arprot_i,
    input  logic [  IdWidth-1:0] aruser_i,
    output logic                 rvalid_o,
    input  logic                 rready_i,
    output logic [         31:0] rdata_o,    // 0 between two accesses

    output logic                 psel_o,
    output logic                 penable_o,
    output logic                 pwrite_o,
    output logic [          2:0] pprot_o,
    output logic [AddrWidth-1:0] paddr_o,
    output logic [         31:0] pwdata_o,
    output logic [          3:0] pstrb_o,
    output logic [  IdWidth-1:0] id_o,
    input  logic                 pready_i,
    input  logic [         31:0] prdata_i
);

  logic active_q, reads_q;  // reads_q: the access, or the last one, is a read
  logic write_there, answer_waits, starts, reads, done;
  assign write_there = awvalid_i && wvalid_i;
  assign answer_waits = (bvalid_o && !bready_i) || (rvalid_o && !rready_i);
  assign starts = !active_q && !answer_waits && (write_there || arvalid_i);
  assign reads = active_q ? reads_q : arvalid_i && !(write_there && reads_q);
  assign done = active_q && pready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q <= 1'b0;
      reads_q  <= 1'b0;
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
      rdata_o  <= '0;
    end else begin
      active_q <= starts || (active_q && !done);
      if (starts) reads_q <= reads;
      bvalid_o <= (done && !reads_q) || (bvalid_o && !bready_i);
      rvalid_o <= (done && reads_q) || (rvalid_o && !rready_i);
      // Without pready_i, for a short path.
      if (active_q && reads_q) rdata_o <= prdata_i;
      else if (rready_i) rdata_o <= '0;
    end
  end

  assign awready_o = done && !reads_q;
  assign wready_o = done && !reads_q;
  assign arready_o = done && reads_q;

  assign psel_o = active_q || starts;
  assign penable_o = active_q;
  assign pwrite_o = !reads;
  assign pprot_o = reads ? arprot_i : awprot_i;
  assign paddr_o = reads ? araddr_i : awaddr_i;
  assign id_o = reads ? aruser_i : awuser_i;
  assign pwdata_o = wdata_i;
  assign pstrb_o = wstrb_i;

endmodule
