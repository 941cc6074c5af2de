// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral with a DMA master on Wishbone B4, and its registers on Wishbone too (classic
// cycles): hf_keccak_dma. Its use by software is described in docs/integrate/dma.md.

module hf_keccak_wb_dma #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter int unsigned BurstWords = 16,  // longest burst of a read: a power of two, 16 to 64
    // Words that are read ahead at most: a power of two, twice BurstWords to 128.
    parameter int unsigned BufferWords = 32
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // The registers: the peripheral's in the lower 512 bytes, the DMA master's in the upper ones.
    input  logic        wb_cyc,
    input  logic        wb_stb,
    input  logic        wb_we,
    input  logic [ 7:0] wb_adr,    // word address
    input  logic [31:0] wb_dat_w,
    input  logic [ 3:0] wb_sel,
    output logic        wb_ack,
    output logic        wb_err,
    output logic [31:0] wb_dat_r,

    // Memory: descriptors, messages, digests.
    output logic        m_wb_cyc,
    output logic        m_wb_stb,
    output logic        m_wb_we,
    output logic [29:0] m_wb_adr,    // word address
    output logic [31:0] m_wb_dat_w,
    output logic [ 3:0] m_wb_sel,
    output logic [ 2:0] m_wb_cti,
    output logic [ 1:0] m_wb_bte,
    input  logic        m_wb_ack,
    input  logic        m_wb_err,
    input  logic [31:0] m_wb_dat_r,

    output logic irq_o
);

  localparam int unsigned LengthWidth = $clog2(BurstWords);

  logic burst_valid, burst_ready, read_valid, read_error, read_last;
  logic write_valid, write_take, write_done, write_error;
  logic [31:2] burst_addr, write_addr;
  logic [LengthWidth-1:0] burst_len;
  logic [31:0] read_data, write_data;
  logic [3:0] write_len, write_bytes;

  assign wb_err = 1'b0;

  hf_keccak_dma #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Sampler        (Sampler),
      .BurstWords     (BurstWords),
      .BufferWords    (BufferWords)
  ) u_dma (
      .clk_i,
      .rst_i,
      .valid_i      (wb_cyc && wb_stb),
      .write_i      (wb_we),
      .addr_i       ({wb_adr, 2'b00}),
      .data_i       (wb_dat_w),
      .bytes_i      (wb_sel),
      .ready_o      (wb_ack),
      .data_o       (wb_dat_r),
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

  hf_keccak_dma_wb #(
      .BurstWords(BurstWords)
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
      .cyc_o(m_wb_cyc),
      .stb_o(m_wb_stb),
      .we_o(m_wb_we),
      .adr_o(m_wb_adr),
      .dat_w_o(m_wb_dat_w),
      .sel_o(m_wb_sel),
      .cti_o(m_wb_cti),
      .bte_o(m_wb_bte),
      .ack_i(m_wb_ack),
      .err_i(m_wb_err),
      .dat_r_i(m_wb_dat_r)
  );

endmodule
