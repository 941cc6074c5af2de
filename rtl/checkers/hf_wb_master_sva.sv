// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of Wishbone B4's registered-feedback cycles (sections 3 and 4) for a master of linear
// bursts, as assertions. Bound by hf_binds.sv.
//
//   3.1.3, 3.25: a request stands until it is answered   WbStands, WbCycleIsOne
//   4.3.3: a burst's addresses rise by one word          WbRises
//          it is one of reads or of writes               WbOneDirection
//          cti 111 with its last word, and only then     WbEnds
//   this master's own: `cyc` is low between two bursts   WbReleases
//          at most BurstWords words in one               WbLength

module hf_wb_master_sva #(
    parameter int unsigned BurstWords = 16  // the longest burst
) (
    input logic clk_i,
    input logic rst_i,

    input logic        m_wb_cyc,
    input logic        m_wb_stb,
    input logic        m_wb_we,
    input logic [29:0] m_wb_adr,
    input logic [31:0] m_wb_dat_w,
    input logic [ 3:0] m_wb_sel,
    input logic [ 2:0] m_wb_cti,
    input logic [ 1:0] m_wb_bte,
    input logic        m_wb_ack,
    input logic        m_wb_err
);

  localparam logic [2:0] Incrementing = 3'b010;
  localparam logic [2:0] EndOfBurst = 3'b111;

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  logic request, answered;
  assign request  = m_wb_cyc && m_wb_stb;
  assign answered = request && (m_wb_ack || m_wb_err);

  // Of the clock before.
  logic waits_q, goes_on_q, ended_q;
  logic we_q;
  logic [29:0] adr_q;
  logic [3:0] sel_q;
  logic [2:0] cti_q;
  logic [31:0] dat_q;
  int unsigned words_q;  // of the burst that have been answered
  always_ff @(posedge clk_i) begin
    waits_q   <= request && !answered && !rst_i;
    goes_on_q <= answered && !m_wb_err && m_wb_cti == Incrementing && !rst_i;
    ended_q   <= answered && (m_wb_err || m_wb_cti == EndOfBurst) && !rst_i;
    we_q      <= m_wb_we;
    adr_q     <= m_wb_adr;
    sel_q     <= m_wb_sel;
    cti_q     <= m_wb_cti;
    dat_q     <= m_wb_dat_w;
    words_q   <= (rst_i || !m_wb_cyc) ? 0 : words_q + 32'(answered);
  end

  WbCycleIsOne: assert property (@(posedge clk_i) disable iff (off)
      m_wb_cyc == m_wb_stb && (!(waits_q || goes_on_q) || m_wb_cyc));
  WbStands: assert property (@(posedge clk_i) disable iff (off)
      !waits_q || (m_wb_we == we_q && m_wb_adr == adr_q && m_wb_sel == sel_q && m_wb_cti == cti_q &&
                   (!we_q || m_wb_dat_w == dat_q)));
  WbRises: assert property (@(posedge clk_i) disable iff (off)
      !goes_on_q || m_wb_adr == adr_q + 30'd1);
  WbOneDirection: assert property (@(posedge clk_i) disable iff (off)
      !goes_on_q || m_wb_we == we_q);
  WbEnds: assert property (@(posedge clk_i) disable iff (off)
      !request || (m_wb_bte == '0 && (m_wb_cti == Incrementing || m_wb_cti == EndOfBurst)));
  WbReleases: assert property (@(posedge clk_i) disable iff (off) !ended_q || !m_wb_cyc);
  WbLength: assert property (@(posedge clk_i) disable iff (off)
      !request || words_q < BurstWords);

endmodule
