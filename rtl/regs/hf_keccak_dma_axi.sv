// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The bus of the peripheral's DMA master as AXI4 (ARM IHI 0022): 32 bits, bursts of type INCR that
// their requesters keep inside of 4 KiB, all with ID 0, so they are answered in order. Reads are
// requested ahead of their answers, as far as the buffer has room; one write at a time. No output
// depends on an input in the same clock.

module hf_keccak_dma_axi #(
    parameter  int unsigned BurstWords  = 16,                 // longest burst of a read
    localparam int unsigned LengthWidth = $clog2(BurstWords)
) (
    input logic clk_i,
    input logic rst_i,

    // Reads: hf_keccak_dma_read.
    input  logic                   burst_valid_i,
    output logic                   burst_ready_o,
    input  logic [           31:2] burst_addr_i,
    input  logic [LengthWidth-1:0] burst_len_i,
    output logic                   data_valid_o,
    output logic [           31:0] data_o,
    output logic                   data_error_o,
    output logic                   data_last_o,

    // A write: it stands until done, when its words have been taken.
    input  logic        write_valid_i,
    input  logic [31:2] write_addr_i,
    input  logic [ 3:0] write_len_i,
    input  logic [ 3:0] write_bytes_i,  // of the last word
    input  logic [31:0] write_data_i,
    output logic        write_take_o,
    output logic        write_done_o,
    output logic        write_error_o,

    output logic        awvalid_o,
    input  logic        awready_i,
    output logic [ 0:0] awid_o,
    output logic [31:0] awaddr_o,
    output logic [ 7:0] awlen_o,
    output logic [ 2:0] awsize_o,
    output logic [ 1:0] awburst_o,
    output logic [ 3:0] awcache_o,
    output logic [ 2:0] awprot_o,
    output logic        wvalid_o,
    input  logic        wready_i,
    output logic [31:0] wdata_o,
    output logic [ 3:0] wstrb_o,
    output logic        wlast_o,
    input  logic        bvalid_i,
    output logic        bready_o,
    input  logic [ 0:0] bid_i,
    input  logic [ 1:0] bresp_i,
    output logic        arvalid_o,
    input  logic        arready_i,
    output logic [ 0:0] arid_o,
    output logic [31:0] araddr_o,
    output logic [ 7:0] arlen_o,
    output logic [ 2:0] arsize_o,
    output logic [ 1:0] arburst_o,
    output logic [ 3:0] arcache_o,
    output logic [ 2:0] arprot_o,
    input  logic        rvalid_i,
    output logic        rready_o,
    input  logic [ 0:0] rid_i,
    input  logic [31:0] rdata_i,
    input  logic [ 1:0] rresp_i,
    input  logic        rlast_i
);

  localparam logic [2:0] SizeWord = 3'd2;
  localparam logic [1:0] BurstIncr = 2'd1;
  localparam logic [3:0] Normal = 4'b0011;  // normal memory, non-cacheable, bufferable
  localparam logic [2:0] Data = 3'b000;  // unprivileged, secure, data

  ////////////////////
  // Reads          //
  ////////////////////

  logic ar_valid_q;
  logic [31:2] ar_addr_q;
  logic [LengthWidth-1:0] ar_len_q;

  assign burst_ready_o = !ar_valid_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) ar_valid_q <= 1'b0;
    else ar_valid_q <= ar_valid_q ? !arready_i : burst_valid_i;
    if (burst_valid_i && burst_ready_o) begin
      ar_addr_q <= burst_addr_i;
      ar_len_q  <= burst_len_i;
    end
  end

  assign arvalid_o = ar_valid_q;
  assign arid_o    = 1'b0;
  assign araddr_o  = {ar_addr_q, 2'b00};
  assign arlen_o   = 8'(ar_len_q);
  assign arsize_o  = SizeWord;
  assign arburst_o = BurstIncr;
  assign arcache_o = Normal;
  assign arprot_o  = Data;

  // The buffer has room for all that is requested.
  assign rready_o  = 1'b1;
  assign data_valid_o  = rvalid_i;
  assign data_o        = rdata_i;
  assign data_error_o  = rresp_i[1];
  assign data_last_o   = rlast_i;

  ////////////////////
  // Writes         //
  ////////////////////

  logic writing_q;  // since the clock after its begin
  logic aw_valid_q, w_valid_q;
  logic [3:0] w_left_q;  // words after this one
  logic unused_resp;
  assign unused_resp = ^{rid_i, rresp_i[0], bid_i, bresp_i[0]};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      writing_q  <= 1'b0;
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
    end else if (!writing_q) begin
      writing_q  <= write_valid_i;
      aw_valid_q <= write_valid_i;
      w_valid_q  <= write_valid_i;
    end else begin
      writing_q  <= !write_done_o;
      aw_valid_q <= aw_valid_q && !awready_i;
      w_valid_q  <= w_valid_q && !(wready_i && wlast_o);
    end
    if (!writing_q) w_left_q <= write_len_i;
    else if (write_take_o) w_left_q <= w_left_q - 4'd1;
  end

  assign awvalid_o = aw_valid_q;
  assign awid_o    = 1'b0;
  assign awaddr_o  = {write_addr_i, 2'b00};
  assign awlen_o   = {4'd0, write_len_i};
  assign awsize_o  = SizeWord;
  assign awburst_o = BurstIncr;
  assign awcache_o = Normal;
  assign awprot_o  = Data;
  assign wvalid_o  = w_valid_q;
  assign wdata_o   = write_data_i;
  assign wlast_o   = w_left_q == '0;
  assign wstrb_o   = wlast_o ? write_bytes_i : 4'hF;
  assign bready_o  = writing_q && !aw_valid_q && !w_valid_q;

  assign write_take_o  = wvalid_o && wready_i;
  assign write_done_o  = bvalid_i && bready_o;
  assign write_error_o = bresp_i[1];

endmodule
