// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A memory that is only read. It maps to block RAM with its output register: data two clocks after
// the address. On ECP5 a port has at most 18 bits, so each half of a word has a port of its own.

(* keep_hierarchy = "yes" *)
module hf_rom #(
    parameter  int unsigned                 Width = 36,  // even
    parameter  int unsigned                 Depth = 512,  // a power of two
    parameter  logic [Depth-1:0][Width-1:0] Words = '0,
    localparam int unsigned                 AddrWidth = $clog2(Depth)
) (
    input  logic                 clk_i,
    input  logic [AddrWidth-1:0] addr_i,
    output logic [    Width-1:0] data_o
);

  logic [Width-1:0] read_q;

`ifdef HF_ECP5
  localparam int unsigned Half = Width / 2;
  (* ram_style = "block" *) logic [Half-1:0] mem[2*Depth];

  initial begin
    for (int unsigned i = 0; i < Depth; i++) begin
      mem[i] = Words[i][Half-1:0];
      mem[Depth+i] = Words[i][Width-1:Half];
    end
  end

  always_ff @(posedge clk_i) begin
    read_q <= {mem[{1'b1, addr_i}], mem[{1'b0, addr_i}]};
    data_o <= read_q;
  end
`else
  (* ram_style = "block" *) logic [Width-1:0] mem[Depth];

  initial begin
    for (int unsigned i = 0; i < Depth; i++) mem[i] = Words[i];
  end

  always_ff @(posedge clk_i) begin
    read_q <= mem[addr_i];
    data_o <= read_q;
  end
`endif  // HF_ECP5

endmodule
