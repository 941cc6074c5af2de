// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_sparc_iu with its memory, the mailbox of every system (docs/integrate/riscv.md) and a console:
//
//   0x4000_0000  memory, MemWords x 32 bits; the processor starts there
//   0x8000_0100  console (hf_apbuart)
//   0x8000_0000  and all other addresses with bit 31 set: a store is the mailbox's word, a load 0
//
// Any other address raises trap 1 (fetch) or 9 (load and store). While rst_i is high, the host has
// the memory.

module hf_sparc_system
  import hf_sparc_pkg::*;
#(
    parameter  bit          Rotate    = 1'b0,
    parameter  bit          Counters  = 1'b0,             // ASR 20 counts instructions
    parameter  int unsigned MemWords  = 8192,             // a power of two
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

    output logic       console_valid_o,
    output logic [7:0] console_data_o,

    input  logic [3:0] irl_i,
    output logic       irl_ack_o,

    output logic   error_o,
    output trace_t trace_o
);

  localparam int unsigned MemoryPage = 32'h4000_0000;
  localparam logic [31:4] ConsolePage = 28'h8000_010;

  logic [31:2] fetch_addr, data_addr;
  logic [3:0] data_write;
  logic [31:0] fetch_data, data_wdata, data_rdata, memory_rdata, console_rdata;
  logic fetch_error_q, data_error_q, console_q, io_q;
  logic in_io, in_console, in_memory;

  hf_sparc_iu #(
      .Rotate  (Rotate),
      .Counters(Counters),
      .ResetPc (MemoryPage)
  ) u_iu (
      .clk_i,
      .rst_i,
      .fetch_addr_o (fetch_addr),
      .fetch_data_i (fetch_data),
      .fetch_error_i(fetch_error_q),
      .data_addr_o  (data_addr),
      .data_write_o (data_write),
      .data_wdata_o (data_wdata),
      .data_rdata_i (data_rdata),
      .data_error_i (data_error_q),
      .irl_i,
      .irl_ack_o,
      .error_o,
      .trace_o
  );

  assign in_io = data_addr[31];
  assign in_console = data_addr[31:4] == ConsolePage;
  assign in_memory = data_addr[31:AddrWidth+2] == MemoryPage[31:AddrWidth+2];

  always_ff @(posedge clk_i) begin
    fetch_error_q <= fetch_addr[31:AddrWidth+2] != MemoryPage[31:AddrWidth+2];
    data_error_q <= !in_memory && !in_io;
    console_q <= in_console;
    io_q <= in_io;
  end

  hf_byte_ram_2 #(
      .Words((MemWords > 1 && $countones(MemWords) == 1) ? MemWords : 4096)
  ) u_ram (
      .clk_i,
      .write_i     (rst_i ? {4{host_write_i}} : data_write & {4{in_memory}}),
      .addr_i      (rst_i ? host_addr_i : data_addr[2+:AddrWidth]),
      .wdata_i     (rst_i ? host_wdata_i : data_wdata),
      .rdata_o     (memory_rdata),
      .fetch_addr_i(fetch_addr[2+:AddrWidth]),
      .fetch_data_o(fetch_data)
  );
  assign host_rdata_o = memory_rdata;

  hf_apbuart u_console (
      .clk_i,
      .rst_i,
      .write_i(data_write != '0 && in_console),
      .addr_i (data_addr[3:2]),
      .wdata_i(data_wdata[11:0]),
      .rdata_o(console_rdata),
      .valid_o(console_valid_o),
      .data_o (console_data_o)
  );

  always_comb begin
    data_rdata = memory_rdata;
    if (io_q) data_rdata = console_q ? console_rdata : '0;
  end

  assign mail_valid_o = data_write != '0 && in_io && !in_console;
  assign mail_data_o  = data_wdata;

`ifndef HF_NO_PARAMETER_CHECKS
  if (MemWords < 2 || $countones(MemWords) != 1) begin : gen_bad_memory
    $fatal(1, "hf_sparc_system: MemWords is a power of two, not %0d", MemWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
