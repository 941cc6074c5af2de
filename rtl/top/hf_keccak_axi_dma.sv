// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral with a DMA master on AXI4, and its registers on AXI4-Lite: hf_keccak_dma.
// Its use by software is described in docs/integrate/dma.md.

module hf_keccak_axi_dma #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter int unsigned BurstWords = 16,  // longest burst of a read: a power of two, 16 to 64
    // Words that are read ahead at most: a power of two, twice BurstWords to 128.
    parameter int unsigned BufferWords = 64,
    parameter int unsigned DataWidth = 32,  // of m_axi: 32 or 64
    // Bits of a word of a message inside: 32, or 64 with DataWidth = 64 and keccak-iterative.
    parameter int unsigned WordWidth = 32
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // The registers: the peripheral's in the lower 512 bytes, the DMA master's in the upper ones.
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 9:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 9:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    // Memory: descriptors, messages, digests.
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [ 0:0] m_axi_awid,
    output logic [31:0] m_axi_awaddr,
    output logic [ 7:0] m_axi_awlen,
    output logic [ 2:0] m_axi_awsize,
    output logic [ 1:0] m_axi_awburst,
    output logic [ 3:0] m_axi_awcache,
    output logic [ 2:0] m_axi_awprot,
    output logic        m_axi_wvalid,
    input  logic        m_axi_wready,
    output logic [DataWidth-1:0] m_axi_wdata,
    output logic [DataWidth/8-1:0] m_axi_wstrb,
    output logic        m_axi_wlast,
    input  logic        m_axi_bvalid,
    output logic        m_axi_bready,
    input  logic [ 0:0] m_axi_bid,
    input  logic [ 1:0] m_axi_bresp,
    output logic        m_axi_arvalid,
    input  logic        m_axi_arready,
    output logic [ 0:0] m_axi_arid,
    output logic [31:0] m_axi_araddr,
    output logic [ 7:0] m_axi_arlen,
    output logic [ 2:0] m_axi_arsize,
    output logic [ 1:0] m_axi_arburst,
    output logic [ 3:0] m_axi_arcache,
    output logic [ 2:0] m_axi_arprot,
    input  logic        m_axi_rvalid,
    output logic        m_axi_rready,
    input  logic [ 0:0] m_axi_rid,
    input  logic [DataWidth-1:0] m_axi_rdata,
    input  logic [ 1:0] m_axi_rresp,
    input  logic        m_axi_rlast,

    output logic irq_o
);

  localparam int unsigned LengthWidth = $clog2(BurstWords);
  localparam int unsigned LegalWidth = (WordWidth == 64) ? 64 : 32;

  logic burst_valid, burst_ready, read_valid, read_error, read_last;
  logic write_valid, write_take, write_done, write_error;
  logic [31:2] burst_addr, write_addr;
  logic [LengthWidth-1:0] burst_len;
  logic [LegalWidth-1:0] read_data;
  logic [31:0] write_data;
  logic [3:0] write_len, write_bytes;

  logic valid, write, ready, unused_prot;
  logic [9:0] addr;
  logic [31:0] data, found;
  logic [3:0] bytes;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  hf_axil_access #(
      .AddrWidth(10)
  ) u_access (
      .clk_i,
      .rst_i,
      .awvalid_i(s_axil_awvalid),
      .awready_o(s_axil_awready),
      .awaddr_i(s_axil_awaddr),
      .wvalid_i(s_axil_wvalid),
      .wready_o(s_axil_wready),
      .wdata_i(s_axil_wdata),
      .wstrb_i(s_axil_wstrb),
      .bvalid_o(s_axil_bvalid),
      .bready_i(s_axil_bready),
      .bresp_o(s_axil_bresp),
      .arvalid_i(s_axil_arvalid),
      .arready_o(s_axil_arready),
      .araddr_i(s_axil_araddr),
      .rvalid_o(s_axil_rvalid),
      .rready_i(s_axil_rready),
      .rdata_o(s_axil_rdata),
      .rresp_o(s_axil_rresp),
      .valid_o(valid),
      .write_o(write),
      .addr_o (addr),
      .data_o (data),
      .bytes_o(bytes),
      .ready_i(ready),
      .data_i (found)
  );

  hf_keccak_dma #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Sampler        (Sampler),
      .BurstWords     (BurstWords),
      .BufferWords    (BufferWords),
      .WordWidth      (LegalWidth)
  ) u_dma (
      .clk_i,
      .rst_i,
      .valid_i      (valid),
      .write_i      (write),
      .addr_i       (addr),
      .data_i       (data),
      .bytes_i      (bytes),
      .ready_o      (ready),
      .data_o       (found),
      .irq_o,
      .burst_valid_o(burst_valid),
      .burst_ready_i(burst_ready),
      .burst_addr_o (burst_addr),
      .burst_len_o  (burst_len),
      .read_valid_i (read_valid),
      .read_data_i  (read_data),
      .read_error_i (read_error),
      .read_last_i  (read_last),
      .write_valid_o(write_valid),
      .write_addr_o (write_addr),
      .write_len_o  (write_len),
      .write_bytes_o(write_bytes),
      .write_data_o (write_data),
      .write_take_i (write_take),
      .write_done_i (write_done),
      .write_error_i(write_error)
  );

  hf_keccak_dma_axi #(
      .BurstWords(BurstWords),
      .DataWidth (DataWidth),
      .WordWidth (LegalWidth)
  ) u_master (
      .clk_i,
      .rst_i,
      .burst_valid_i(burst_valid),
      .burst_ready_o(burst_ready),
      .burst_addr_i (burst_addr),
      .burst_len_i  (burst_len),
      .data_valid_o (read_valid),
      .data_o       (read_data),
      .data_error_o (read_error),
      .data_last_o  (read_last),
      .write_valid_i(write_valid),
      .write_addr_i (write_addr),
      .write_len_i  (write_len),
      .write_bytes_i(write_bytes),
      .write_data_i (write_data),
      .write_take_o (write_take),
      .write_done_o (write_done),
      .write_error_o(write_error),
      .awvalid_o(m_axi_awvalid),
      .awready_i(m_axi_awready),
      .awid_o(m_axi_awid),
      .awaddr_o(m_axi_awaddr),
      .awlen_o(m_axi_awlen),
      .awsize_o(m_axi_awsize),
      .awburst_o(m_axi_awburst),
      .awcache_o(m_axi_awcache),
      .awprot_o(m_axi_awprot),
      .wvalid_o(m_axi_wvalid),
      .wready_i(m_axi_wready),
      .wdata_o(m_axi_wdata),
      .wstrb_o(m_axi_wstrb),
      .wlast_o(m_axi_wlast),
      .bvalid_i(m_axi_bvalid),
      .bready_o(m_axi_bready),
      .bid_i(m_axi_bid),
      .bresp_i(m_axi_bresp),
      .arvalid_o(m_axi_arvalid),
      .arready_i(m_axi_arready),
      .arid_o(m_axi_arid),
      .araddr_o(m_axi_araddr),
      .arlen_o(m_axi_arlen),
      .arsize_o(m_axi_arsize),
      .arburst_o(m_axi_arburst),
      .arcache_o(m_axi_arcache),
      .arprot_o(m_axi_arprot),
      .rvalid_i(m_axi_rvalid),
      .rready_o(m_axi_rready),
      .rid_i(m_axi_rid),
      .rdata_i(m_axi_rdata),
      .rresp_i(m_axi_rresp),
      .rlast_i(m_axi_rlast)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (DataWidth != 32 && DataWidth != 64) begin : gen_bad_width
    $fatal(1, "hf_keccak_axi_dma: DataWidth is 32 or 64, not %0d", DataWidth);
  end
  if (WordWidth != 32 && (WordWidth != 64 || DataWidth != 64)) begin : gen_bad_word
    $fatal(1, "hf_keccak_axi_dma: WordWidth is 32, or 64 with DataWidth = 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
