// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A block RAM of ECP5 that is written 32 items at once and read a few at a time: data two clocks
// after the address. An item is a bit. A row must not be read in the clock that writes it. read_i
// enables the read, out_i enables the output register. It contains only the vendor's primitive;
// rtl/prim/vendor/DP16KD.sv simulates it.
//
// Of the 36 bits that the primitive writes, ports narrower than nine bits do not see every ninth
// bit, which stays unused (Lattice FPGA-TN-02204; yosys maps such a memory in the same way).
//
// Without the macro HF_ECP5 it has its ports only, so that other tools need no such primitive, and
// hf_ecp5_pkg::HasGearRam is 0: modules with another form then do not instantiate it.

(* keep_hierarchy = "yes" *)
module hf_ecp5_gear_ram #(
    parameter  int unsigned RowBits  = 4,  // 9 at most
    parameter  int unsigned Reads    = 2,  // items read at once: 1, 2, 4 or 8
    localparam int unsigned Items    = 32,
    localparam int unsigned ReadBits = $clog2(Reads),
    localparam int unsigned WordBits = $clog2(Items) - ReadBits
) (
    input logic clk_i,

    input logic               write_i,
    input logic [RowBits-1:0] write_row_i,
    input logic [  Items-1:0] write_data_i,

    input  logic                read_i,
    input  logic [ RowBits-1:0] read_row_i,
    input  logic [WordBits-1:0] read_word_i,  // reads the items from Reads * read_word_i on
    input  logic                out_i,
    output logic [   Reads-1:0] read_data_o
);

`ifdef HF_ECP5
  logic [8:0] write_addr;
  logic [13:0] read_addr;
  logic [35:0] data;
  logic [7:0] out;
  assign write_addr  = 9'(write_row_i);
  assign read_addr   = 14'({read_row_i, read_word_i}) << ReadBits;
  assign read_data_o = out[Reads-1:0];

  always_comb begin
    data = '0;
    for (int unsigned i = 0; i < Items; i++) data[i+i/8] = write_data_i[i];
  end

  logic unused_out;
  assign unused_out = ^out;

  // Unused outputs.
  // verilator lint_off PINMISSING
  DP16KD #(
      .DATA_WIDTH_A(36),
      .DATA_WIDTH_B((Reads == 8) ? 9 : Reads),
      .REGMODE_A("OUTREG"),
      .REGMODE_B("OUTREG"),
      .RESETMODE("SYNC"),
      .ASYNC_RESET_RELEASE("SYNC"),
      .CSDECODE_A("0b000"),
      .CSDECODE_B("0b000"),
      .GSR("AUTO")
  ) u_ram (
      .CLKA(clk_i), .WEA(1'b1), .CEA(write_i), .OCEA(1'b0), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0),
      .CSA2(1'b0), .CLKB(clk_i), .WEB(1'b0), .CEB(read_i), .OCEB(out_i), .RSTB(1'b0), .CSB0(1'b0),
      .CSB1(1'b0), .CSB2(1'b0), .ADA0(1'b1), .ADA1(1'b1), .ADA2(1'b1), .ADA3(1'b1), .ADA4(1'b0),
      .ADA5(write_addr[0]), .ADA6(write_addr[1]), .ADA7(write_addr[2]), .ADA8(write_addr[3]),
      .ADA9(write_addr[4]), .ADA10(write_addr[5]), .ADA11(write_addr[6]), .ADA12(write_addr[7]),
      .ADA13(write_addr[8]), .ADB0(read_addr[0]), .ADB1(read_addr[1]), .ADB2(read_addr[2]),
      .ADB3(read_addr[3]), .ADB4(read_addr[4]), .ADB5(read_addr[5]), .ADB6(read_addr[6]),
      .ADB7(read_addr[7]), .ADB8(read_addr[8]), .ADB9(read_addr[9]), .ADB10(read_addr[10]),
      .ADB11(read_addr[11]), .ADB12(read_addr[12]), .ADB13(read_addr[13]), .DIA0(data[0]),
      .DIA1(data[1]), .DIA2(data[2]), .DIA3(data[3]), .DIA4(data[4]), .DIA5(data[5]),
      .DIA6(data[6]), .DIA7(data[7]), .DIA8(data[8]), .DIA9(data[9]), .DIA10(data[10]),
      .DIA11(data[11]), .DIA12(data[12]), .DIA13(data[13]), .DIA14(data[14]), .DIA15(data[15]),
      .DIA16(data[16]), .DIA17(data[17]), .DIB0(data[18]), .DIB1(data[19]), .DIB2(data[20]),
      .DIB3(data[21]), .DIB4(data[22]), .DIB5(data[23]), .DIB6(data[24]), .DIB7(data[25]),
      .DIB8(data[26]), .DIB9(data[27]), .DIB10(data[28]), .DIB11(data[29]), .DIB12(data[30]),
      .DIB13(data[31]), .DIB14(data[32]), .DIB15(data[33]), .DIB16(data[34]), .DIB17(data[35]),
      .DOB0(out[0]), .DOB1(out[1]), .DOB2(out[2]), .DOB3(out[3]), .DOB4(out[4]), .DOB5(out[5]),
      .DOB6(out[6]), .DOB7(out[7])
  );
  // verilator lint_on PINMISSING
`else
  assign read_data_o = '0;

  logic unused_inputs;
  assign unused_inputs = ^{clk_i, write_i, write_row_i, write_data_i, read_i, read_row_i,
                           read_word_i, out_i};
`endif  // HF_ECP5

`ifndef HF_NO_PARAMETER_CHECKS
  if (RowBits > 9 || (Reads != 1 && Reads != 2 && Reads != 4 && Reads != 8)) begin : gen_bad_shape
    $fatal(1, "hf_ecp5_gear_ram: RowBits is 0 to 9, Reads 1, 2, 4 or 8, not %0d and %0d", RowBits,
           Reads);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
