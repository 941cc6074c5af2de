// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on AXI4-Lite with detection of faults: hf_keccak_axil twice, in lockstep. Its
// use by software is described in docs/integrate/regs.md, and which faults are found in
// docs/engines/keccak-checked.md.
//
// alarm_o rises at most two clocks after a wrong output, and stays until a reset. While it is high,
// every access is answered by SLVERR and zeros, not by a copy, and irq_o is high. An answer
// that waits for its ready signal then becomes such a one, the one departure from AXI4-Lite.

module hf_keccak_axil_checked #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0  // the state after a prefix may be kept in a copy
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 8:0] s_axil_awaddr,
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
    input  logic [ 8:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o,
    output logic alarm_o  // a fault was found
);

  // A peripheral's inputs and outputs, [0] the first one's; of the outputs, zero where they are not
  // valid.
  typedef struct packed {
    logic reset;
    logic awvalid;
    logic [8:0] awaddr;
    logic [2:0] awprot;
    logic wvalid;
    logic [31:0] wdata;
    logic [3:0] wstrb;
    logic bready;
    logic arvalid;
    logic [8:0] araddr;
    logic [2:0] arprot;
    logic rready;
    logic s_tvalid;
    logic [31:0] s_tdata;
    logic [3:0] s_tkeep;
    logic s_tlast;
  } inputs_t;
  typedef struct packed {
    logic awready;
    logic wready;
    logic bvalid;
    logic [1:0] bresp;
    logic arready;
    logic rvalid;
    logic [31:0] rdata;
    logic [1:0] rresp;
    logic s_tready, irq;
  } outputs_t;
  inputs_t given;
  inputs_t [1:0] inputs;
  outputs_t [1:0] outputs, compared;
  logic unused_differs;

  // Accepted at the port, and not answered yet: addresses and data of writes, and reads. A
  // peripheral accepts one of each at most, and answers none that there is not, without a fault.
  logic [1:0] write_addresses_q, write_words_q, reads_q;
  logic write_waits, read_waits, written, read;  // an answer is due; it leaves
  assign write_waits = write_addresses_q != '0 && write_words_q != '0;
  assign read_waits = reads_q != '0;
  assign written = write_waits && s_axil_bvalid && s_axil_bready;
  assign read = read_waits && s_axil_rvalid && s_axil_rready;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_addresses_q <= '0;
      write_words_q     <= '0;
      reads_q           <= '0;
    end else begin
      write_addresses_q <= write_addresses_q + 2'(s_axil_awvalid && s_axil_awready) - 2'(written);
      write_words_q     <= write_words_q + 2'(s_axil_wvalid && s_axil_wready) - 2'(written);
      reads_q           <= reads_q + 2'(s_axil_arvalid && s_axil_arready) - 2'(read);
    end
  end

  always_comb begin
    given.reset = rst_i;
    given.awvalid = s_axil_awvalid;
    given.awaddr = s_axil_awaddr;
    given.awprot = s_axil_awprot;
    given.wvalid = s_axil_wvalid;
    given.wdata = s_axil_wdata;
    given.wstrb = s_axil_wstrb;
    given.bready = s_axil_bready;
    given.arvalid = s_axil_arvalid;
    given.araddr = s_axil_araddr;
    given.arprot = s_axil_arprot;
    given.rready = s_axil_rready;
    given.s_tvalid = s_axis_tvalid;
    given.s_tdata = s_axis_tdata;
    given.s_tkeep = s_axis_tkeep;
    given.s_tlast = s_axis_tlast;

    inputs[0] = given;
    inputs[0].s_tvalid = s_axis_tvalid && !alarm_o;

    compared = outputs;
    for (int unsigned i = 0; i < 2; i++) begin
      if (!outputs[i].bvalid) compared[i].bresp = '0;
      if (!outputs[i].rvalid) begin
        compared[i].rdata = '0;
        compared[i].rresp = '0;
      end
    end
  end

  hf_kept_wires #(
      .Width($bits(inputs_t))
  ) u_second (
      .wires_i(given),
      .wires_o(inputs[1])
  );

  for (genvar i = 0; i < 2; i++) begin : gen_peripheral
    hf_keccak_axil #(
        .Engine         (Engine),
        .StateInBlockRam(StateInBlockRam),
        .MessageWords   (MessageWords),
        .DigestWords    (DigestWords),
        .Stream         (Stream),
        .Run            (Run),
        .Sampler        (Sampler),
        .Prefix         (Prefix)
    ) u_axil (
        .clk_i,
        .rst_i         (inputs[i].reset),
        .s_axil_awvalid(inputs[i].awvalid),
        .s_axil_awready(outputs[i].awready),
        .s_axil_awaddr (inputs[i].awaddr),
        .s_axil_awprot (inputs[i].awprot),
        .s_axil_wvalid (inputs[i].wvalid),
        .s_axil_wready (outputs[i].wready),
        .s_axil_wdata  (inputs[i].wdata),
        .s_axil_wstrb  (inputs[i].wstrb),
        .s_axil_bvalid (outputs[i].bvalid),
        .s_axil_bready (inputs[i].bready),
        .s_axil_bresp  (outputs[i].bresp),
        .s_axil_arvalid(inputs[i].arvalid),
        .s_axil_arready(outputs[i].arready),
        .s_axil_araddr (inputs[i].araddr),
        .s_axil_arprot (inputs[i].arprot),
        .s_axil_rvalid (outputs[i].rvalid),
        .s_axil_rready (inputs[i].rready),
        .s_axil_rdata  (outputs[i].rdata),
        .s_axil_rresp  (outputs[i].rresp),
        .s_axis_tvalid (inputs[i].s_tvalid),
        .s_axis_tready (outputs[i].s_tready),
        .s_axis_tdata  (inputs[i].s_tdata),
        .s_axis_tkeep  (inputs[i].s_tkeep),
        .s_axis_tlast  (inputs[i].s_tlast),
        .irq_o         (outputs[i].irq)
    );
  end

  hf_alarm #(
      .Width($bits(outputs_t))
  ) u_alarm (
      .clk_i,
      .rst_i,
      .first_i (compared[0]),
      .second_i(compared[1]),
      .fault_i (1'b0),
      .differs_o(unused_differs),
      .alarm_o
  );

  assign s_axil_awready = alarm_o ? !write_addresses_q[1] : outputs[0].awready;
  assign s_axil_wready  = alarm_o ? !write_words_q[1] : outputs[0].wready;
  assign s_axil_bvalid  = alarm_o ? write_waits : outputs[0].bvalid;
  assign s_axil_bresp   = alarm_o ? 2'b10 : outputs[0].bresp;
  assign s_axil_arready = alarm_o ? !reads_q[1] : outputs[0].arready;
  assign s_axil_rvalid  = alarm_o ? read_waits : outputs[0].rvalid;
  assign s_axil_rdata   = outputs[0].rdata & {32{!alarm_o}};
  assign s_axil_rresp   = alarm_o ? 2'b10 : outputs[0].rresp;
  assign s_axis_tready  = outputs[0].s_tready && !alarm_o;
  assign irq_o          = outputs[0].irq || alarm_o;

endmodule
