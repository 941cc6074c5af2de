// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A FIFO of Depth words with the first word at its output: one register with Depth 1, otherwise a
// memory with asynchronous read (LUT RAM). A word that is written in clock t can be read in t + 1.
// A write to a full FIFO is lost; a read of an empty one is ignored.

module hf_fifo #(
    parameter  int unsigned Width = 32,
    parameter  int unsigned Depth = 16,                    // a power of two
    localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
    input logic clk_i,
    input logic clear_i, // empties the FIFO; also its reset

    input  logic             write_i,
    input  logic [Width-1:0] data_i,
    output logic             full_o,

    output logic             valid_o,
    output logic [Width-1:0] data_o,
    input  logic             read_i,

    output logic [LevelWidth-1:0] level_o
);

  logic write, read;
  assign write = write_i && !full_o;
  assign read  = read_i && valid_o;

  if (Depth == 1) begin : gen_register
    logic [Width-1:0] data_q;
    logic valid_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) valid_q <= 1'b0;
      else valid_q <= write || (valid_q && !read);
      if (write) data_q <= data_i;
    end
    assign full_o  = valid_q;
    assign valid_o = valid_q;
    assign data_o  = data_q;
    assign level_o = valid_q;
  end else begin : gen_memory
    localparam int unsigned AddrWidth = $clog2(Depth);
    logic [Width-1:0] mem[Depth];
    logic [AddrWidth-1:0] write_addr_q, read_addr_q;
    logic [LevelWidth-1:0] level_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        write_addr_q <= '0;
        read_addr_q  <= '0;
        level_q      <= '0;
      end else begin
        write_addr_q <= write_addr_q + AddrWidth'(write);
        read_addr_q  <= read_addr_q + AddrWidth'(read);
        level_q      <= level_q + LevelWidth'(write) - LevelWidth'(read);
      end
      if (write) mem[write_addr_q] <= data_i;
    end
    assign full_o  = level_q[LevelWidth-1];
    assign valid_o = level_q != '0;
    assign data_o  = mem[read_addr_q];
    assign level_o = level_q;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Depth == 0 || (Depth & (Depth - 1)) != 0) begin : gen_no_power
    $fatal(1, "hf_fifo: Depth is a power of two, not %0d", Depth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
