// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A memory with one write port, and one port that reads or writes. It maps to a dual-port block RAM
// with its output register: data two clocks after the address. The second port reads nothing in a
// clock in which it writes. The ports must not write the same word in the same clock, and a word
// must not be read in the clock that writes it.

(* keep_hierarchy = "yes" *)
module hf_ram_2w #(
    parameter  int unsigned Width = 36,
    parameter  int unsigned Depth = 4,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input logic                 write_i,
    input logic [AddrWidth-1:0] write_addr_i,
    input logic [    Width-1:0] write_data_i,

    input  logic                 put_i,
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] put_data_i,
    output logic [    Width-1:0] read_data_o
);

  (* no_rw_check, ram_style = "block" *) logic [Width-1:0] mem[Depth];
  logic [Width-1:0] read_q;

  // Two processes, and therefore not always_ff: in a single process the second write would take
  // precedence, for which synthesis compares the addresses.
  always @(posedge clk_i) if (write_i) mem[write_addr_i] <= write_data_i;
  always @(posedge clk_i) if (put_i) mem[addr_i] <= put_data_i;
  always_ff @(posedge clk_i) begin
    if (!put_i) read_q <= mem[addr_i];
    read_data_o <= read_q;
  end

endmodule
