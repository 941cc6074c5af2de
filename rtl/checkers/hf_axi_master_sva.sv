// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of AXI4 (ARM IHI 0022) for a master of 32 or 64 bits whose bursts are of type
// INCR, as assertions; hf_axis_sva checks that valid and payload stand on each of its channels.
// Bound by hf_binds.sv.
//
//   A3.4.1: a burst does not cross 4 KiB          AxiReadInPage, AxiWriteInPage
//           its length, size and type             AxiReadBurst, AxiWriteBurst
//   A3.2.2: wlast with a burst's last word        AxiWriteLast
//   no word of a write without its address        AxiDataHasAddress (this master's own)
//   the buffer has room for all that is requested AxiReadyForAll (this master's own): a word of
//                                                 WordWidth bits a clock

module hf_axi_master_sva #(
    parameter int unsigned ReadWords   = 16,  // longest burst of a read
    parameter int unsigned WriteWords  = 16,
    parameter int unsigned BufferWords = 64,  // words that are requested and not answered at most
    parameter int unsigned DataWidth   = 32,  // of the bus: 32 or 64
    parameter int unsigned WordWidth   = 32   // of what is read: 32 or DataWidth
) (
    input logic clk_i,
    input logic rst_i,

    input logic        m_axi_awvalid,
    input logic        m_axi_awready,
    input logic [ 0:0] m_axi_awid,
    input logic [31:0] m_axi_awaddr,
    input logic [ 7:0] m_axi_awlen,
    input logic [ 2:0] m_axi_awsize,
    input logic [ 1:0] m_axi_awburst,
    input logic [ 3:0] m_axi_awcache,
    input logic [ 2:0] m_axi_awprot,
    input logic        m_axi_wvalid,
    input logic        m_axi_wready,
    input logic [DataWidth-1:0] m_axi_wdata,
    input logic [DataWidth/8-1:0] m_axi_wstrb,
    input logic        m_axi_wlast,
    input logic        m_axi_bvalid,
    input logic        m_axi_bready,
    input logic        m_axi_arvalid,
    input logic        m_axi_arready,
    input logic [ 0:0] m_axi_arid,
    input logic [31:0] m_axi_araddr,
    input logic [ 7:0] m_axi_arlen,
    input logic [ 2:0] m_axi_arsize,
    input logic [ 1:0] m_axi_arburst,
    input logic [ 3:0] m_axi_arcache,
    input logic [ 2:0] m_axi_arprot,
    input logic        m_axi_rvalid,
    input logic        m_axi_rready
);

  localparam int unsigned BeatBytes = DataWidth / 8;
  localparam int unsigned BeatWords = BeatBytes / 4;
  localparam int unsigned PageBytes = 4096;
  localparam logic [2:0] Size = 3'($clog2(BeatBytes));
  localparam bit Whole = WordWidth == DataWidth;  // beats are read as they are
  // A burst of words of 32 bits that begins in the middle of a beat has one more.
  localparam int unsigned MostWrite = WriteWords / BeatWords + BeatWords - 1;
  localparam int unsigned MostOwed = BufferWords / BeatWords + (Whole ? 0 : 8);
  localparam logic [1:0] BurstIncr = 2'd1;

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  hf_axis_sva #(
      .Width(53)
  ) u_read (
      .clk_i,
      .rst_i,
      .valid_i(m_axi_arvalid),
      .ready_i(m_axi_arready),
      .payload_i({
        m_axi_arid,
        m_axi_araddr,
        m_axi_arlen,
        m_axi_arsize,
        m_axi_arburst,
        m_axi_arcache,
        m_axi_arprot
      })
  );
  hf_axis_sva #(
      .Width(53)
  ) u_write (
      .clk_i,
      .rst_i,
      .valid_i(m_axi_awvalid),
      .ready_i(m_axi_awready),
      .payload_i({
        m_axi_awid,
        m_axi_awaddr,
        m_axi_awlen,
        m_axi_awsize,
        m_axi_awburst,
        m_axi_awcache,
        m_axi_awprot
      })
  );
  hf_axis_sva #(
      .Width(DataWidth + BeatBytes + 1)
  ) u_data (
      .clk_i,
      .rst_i,
      .valid_i(m_axi_wvalid),
      .ready_i(m_axi_wready),
      .payload_i({m_axi_wdata, m_axi_wstrb, m_axi_wlast})
  );

  function automatic logic in_page(input logic [31:0] addr, input logic [7:0] len);
    return 32'(addr[11:0]) + BeatBytes * 32'(len) < PageBytes;
  endfunction

  AxiReadInPage: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_arvalid || in_page(m_axi_araddr, m_axi_arlen));
  AxiWriteInPage: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_awvalid || in_page(m_axi_awaddr, m_axi_awlen));
  AxiReadBurst: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_arvalid || (32'(m_axi_arlen) < ReadWords / BeatWords && m_axi_arsize == Size &&
                         m_axi_arburst == BurstIncr && m_axi_araddr % BeatBytes == '0));
  AxiWriteBurst: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_awvalid || (32'(m_axi_awlen) < MostWrite && m_axi_awsize == Size &&
                         m_axi_awburst == BurstIncr && m_axi_awaddr % BeatBytes == '0));

  int unsigned owed_q;  // beats that are requested and not answered
  logic waits_q;  // a beat was not accepted in the clock before, since it has two words
  always_ff @(posedge clk_i) begin
    waits_q <= Whole || !m_axi_rready;
    if (rst_i) owed_q <= 0;
    else begin
      owed_q <= owed_q + ((m_axi_arvalid && m_axi_arready) ? 32'(m_axi_arlen) + 1 : 0) -
          32'(m_axi_rvalid && m_axi_rready);
    end
  end
  AxiReadyForAll: assert property (@(posedge clk_i) disable iff (off)
      owed_q == 0 || ((m_axi_rready || !waits_q) && owed_q <= MostOwed));

  // One write at a time: its address is accepted before its last word is, or stands.
  logic [7:0] write_len_q;
  logic write_open_q;  // from its address on to its answer
  logic [8:0] sent_q;
  logic [7:0] write_len;
  assign write_len = write_open_q ? write_len_q : m_axi_awlen;
  always_ff @(posedge clk_i) begin
    if (rst_i || (m_axi_bvalid && m_axi_bready)) begin
      write_open_q <= 1'b0;
      sent_q       <= '0;
    end else begin
      if (m_axi_awvalid && !write_open_q) write_len_q <= m_axi_awlen;
      write_open_q <= write_open_q || m_axi_awvalid;
      if (m_axi_wvalid && m_axi_wready) sent_q <= sent_q + 9'd1;
    end
  end
  AxiWriteLast: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_wvalid || m_axi_wlast == (sent_q == 9'(write_len)));
  AxiDataHasAddress: assert property (@(posedge clk_i) disable iff (off)
      !m_axi_wvalid || ((write_open_q || m_axi_awvalid) && sent_q <= 9'(write_len)));

endmodule
