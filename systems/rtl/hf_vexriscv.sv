// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program on a processor: VexRiscv (RV32IM, five stages, caches of 4 KiB; its variant with a port
// for custom function units) and its memory, with the ports of every system
// (docs/integrate/riscv.md):
//
//   rst_i   high: the processor is stopped and the host has the memory, to load a program and its
//           input and to read its result: host_rdata_o is the word at host_addr_i of the clock
//           before. Low: the processor runs from address 0.
//   mail    a word that the program stores at an address with bit 31 set and bit 30 clear, in that
//           clock only.
//   trap_o  high from a store at an address with both bits set until reset: by the trap handler.
//
// Both caches share the memory, data first: a word takes two clocks to read and one to write.

module hf_vexriscv #(
    parameter  int unsigned MemWords  = 4096,             // a power of two
    localparam int unsigned AddrWidth = (MemWords > 1) ? $clog2(MemWords) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 host_write_i,
    input  logic [AddrWidth-1:0] host_addr_i,
    input  logic [         31:0] host_wdata_i,
    output logic [         31:0] host_rdata_o,

    output logic        mail_valid_o,
    output logic [31:0] mail_data_o,
    output logic        trap_o,

    output logic        unit_valid_o,
    output logic [ 9:0] unit_function_o,
    output logic [31:0] unit_rs1_o,
    output logic [31:0] unit_rs2_o,
    input  logic        unit_known_i,
    input  logic        unit_ready_i,
    input  logic [31:0] unit_rd_i
);

  logic cmd_valid, cmd_ready, rsp_valid, rsp_ready;
  logic [9:0] cmd_function;
  logic [31:0] rsp_output;

  logic code_strobe, code_ack, code_asked_q;
  logic data_strobe, data_ack, data_asked_q, data_write;
  logic [29:0] code_addr, data_addr;
  logic [3:0] data_select;
  logic [31:0] data_wdata, mem_rdata;
  logic [49:0] unused_cpu;

  VexRiscv u_cpu (
      .clk                                  (clk_i),
      .reset                                (rst_i),
      .externalResetVector                  ('0),
      .timerInterrupt                       (1'b0),
      .softwareInterrupt                    (1'b0),
      .externalInterruptArray               ('0),
      .CfuPlugin_bus_cmd_valid              (cmd_valid),
      .CfuPlugin_bus_cmd_ready              (cmd_ready),
      .CfuPlugin_bus_cmd_payload_function_id(cmd_function),
      .CfuPlugin_bus_cmd_payload_inputs_0   (unit_rs1_o),
      .CfuPlugin_bus_cmd_payload_inputs_1   (unit_rs2_o),
      .CfuPlugin_bus_rsp_valid              (rsp_valid),
      .CfuPlugin_bus_rsp_ready              (rsp_ready),
      .CfuPlugin_bus_rsp_payload_outputs_0  (rsp_output),
      .iBusWishbone_CYC                     (unused_cpu[0]),
      .iBusWishbone_STB                     (code_strobe),
      .iBusWishbone_ACK                     (code_ack),
      .iBusWishbone_WE                      (unused_cpu[1]),
      .iBusWishbone_ADR                     (code_addr),
      .iBusWishbone_DAT_MISO                (mem_rdata),
      .iBusWishbone_DAT_MOSI                (unused_cpu[33:2]),
      .iBusWishbone_SEL                     (unused_cpu[37:34]),
      .iBusWishbone_ERR                     (1'b0),
      .iBusWishbone_CTI                     (unused_cpu[40:38]),
      .iBusWishbone_BTE                     (unused_cpu[42:41]),
      .dBusWishbone_CYC                     (unused_cpu[43]),
      .dBusWishbone_STB                     (data_strobe),
      .dBusWishbone_ACK                     (data_ack),
      .dBusWishbone_WE                      (data_write),
      .dBusWishbone_ADR                     (data_addr),
      .dBusWishbone_DAT_MISO                (mem_rdata),
      .dBusWishbone_DAT_MOSI                (data_wdata),
      .dBusWishbone_SEL                     (data_select),
      .dBusWishbone_ERR                     (1'b0),
      .dBusWishbone_CTI                     (unused_cpu[46:44]),
      .dBusWishbone_BTE                     (unused_cpu[48:47])
  );
  assign unused_cpu[49] = 1'b0;

  hf_unit_cfu u_adapter (
      .clk_i,
      .rst_i,
      .cmd_valid_i   (cmd_valid),
      .cmd_ready_o   (cmd_ready),
      .cmd_function_i(cmd_function),
      .rsp_valid_o   (rsp_valid),
      .rsp_ready_i   (rsp_ready),
      .rsp_output_o  (rsp_output),
      .unit_valid_o,
      .unit_function_o,
      .unit_known_i,
      .unit_ready_i,
      .unit_rd_i
  );

  // A word is read in the clock after its request.
  assign data_ack = data_strobe && (data_write || data_asked_q);
  assign code_ack = code_strobe && code_asked_q;
  always_ff @(posedge clk_i) begin
    data_asked_q <= !rst_i && data_strobe && !data_write && !data_asked_q;
    code_asked_q <= !rst_i && code_strobe && !data_strobe && !code_asked_q;
  end

  logic store;
  logic [AddrWidth-1:0] addr;
  assign store = data_strobe && data_write;
  assign addr  = data_strobe ? data_addr[AddrWidth-1:0] : code_addr[AddrWidth-1:0];

  hf_byte_ram #(
      .Words((MemWords > 1 && $countones(MemWords) == 1) ? MemWords : 4096)
  ) u_ram (
      .clk_i,
      .write_i(rst_i ? {4{host_write_i}} : data_select & {4{store && !data_addr[29]}}),
      .addr_i (rst_i ? host_addr_i : addr),
      .wdata_i(rst_i ? host_wdata_i : data_wdata),
      .rdata_o(mem_rdata)
  );
  assign host_rdata_o = mem_rdata;

  assign mail_valid_o = store && data_addr[29] && !data_addr[28] && !rst_i;
  assign mail_data_o  = data_wdata;
  always_ff @(posedge clk_i) begin
    if (rst_i) trap_o <= 1'b0;
    else if (store && data_addr[29] && data_addr[28]) trap_o <= 1'b1;
  end

  logic unused;  // the memory repeats up to address 2**31
  assign unused = ^{unused_cpu, code_addr[29:AddrWidth], data_addr[27:AddrWidth]};

`ifndef HF_NO_PARAMETER_CHECKS
  if (MemWords < 2 || $countones(MemWords) != 1) begin : gen_bad_memory
    $fatal(1, "hf_vexriscv: MemWords is a power of two, not %0d", MemWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
