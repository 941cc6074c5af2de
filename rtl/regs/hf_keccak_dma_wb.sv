// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The bus of the peripheral's DMA master as Wishbone B4: registered-feedback cycles with linear
// incrementing bursts (CTI 010, then 111 with the last word; BTE 00), which a slave of classic
// cycles answers as well. A burst is one cycle, which no wait of the master interrupts; between two
// cycles `cyc` is low for a clock at least, so that an arbiter can give the bus to another master.
// An `err` ends the burst. No output depends on an input in the same clock, except for the
// data of a write, which depend on the buffer.

module hf_keccak_dma_wb #(
    parameter  int unsigned BurstWords  = 16,                 // longest burst of a read: 16 or more
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

    // A write: it stands until done, when its words have been taken, or there was an error.
    input  logic        write_valid_i,
    input  logic [31:2] write_addr_i,
    input  logic [ 3:0] write_len_i,
    input  logic [ 3:0] write_bytes_i,  // of the last word
    input  logic [31:0] write_data_i,
    output logic        write_take_o,
    output logic        write_done_o,
    output logic        write_error_o,

    output logic        cyc_o,
    output logic        stb_o,
    output logic        we_o,
    output logic [29:0] adr_o,    // word address
    output logic [31:0] dat_w_o,
    output logic [ 3:0] sel_o,
    output logic [ 2:0] cti_o,
    output logic [ 1:0] bte_o,
    input  logic        ack_i,
    input  logic        err_i,
    input  logic [31:0] dat_r_i
);

  localparam logic [2:0] Incrementing = 3'b010;
  localparam logic [2:0] EndOfBurst = 3'b111;

  logic cycle_q, write_q, last_q;
  logic [31:2] addr_q;
  logic [LengthWidth-1:0] left_q;  // words after this one
  logic answer, ends;

  assign burst_ready_o = !cycle_q && !write_valid_i;
  assign answer = cycle_q && (ack_i || err_i);
  assign ends = answer && (last_q || err_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) cycle_q <= 1'b0;
    else if (!cycle_q) cycle_q <= write_valid_i || burst_valid_i;
    else cycle_q <= !ends;

    if (!cycle_q) begin
      write_q <= write_valid_i;
      addr_q  <= write_valid_i ? write_addr_i : burst_addr_i;
      left_q  <= write_valid_i ? LengthWidth'(write_len_i) : burst_len_i;
      last_q  <= write_valid_i ? write_len_i == '0 : burst_len_i == '0;
    end else if (answer) begin
      addr_q <= addr_q + 30'd1;
      left_q <= left_q - LengthWidth'(1);
      last_q <= left_q == LengthWidth'(1);
    end
  end

  assign cyc_o = cycle_q;
  assign stb_o = cycle_q;
  assign we_o = write_q;
  assign adr_o = addr_q;
  assign dat_w_o = write_data_i;
  assign sel_o = (write_q && last_q) ? write_bytes_i : 4'hF;
  assign cti_o = last_q ? EndOfBurst : Incrementing;
  assign bte_o = 2'b00;

  assign data_valid_o = answer && !write_q;
  assign data_o = dat_r_i;
  assign data_error_o = err_i;
  assign data_last_o = ends;

  assign write_take_o = answer && write_q;
  assign write_done_o = ends && write_q;
  assign write_error_o = err_i;

endmodule
