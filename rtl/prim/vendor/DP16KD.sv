// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// DP16KD, the block RAM of ECP5: a behavioural model of the subset that hf_ecp5_gear_ram uses, for
// simulation only. Synthesis takes the vendor's primitive of this name, ports and attributes.
// Written from Lattice's FPGA-TN-02204; ports and attributes are those of yosys' box.
//
//   port A    writes 36 bits (DIB, DIA) in a clock with CEA; ADA0 to ADA3 enable its bytes of nine
//   port B    reads 1, 2, 4 or 9 bits; the output register is used, so data are two clocks after
//             the address. CEB enables the read, OCEB enables the output register. Widths below
//             nine see eight bits of each nine
//
// Other attributes, and any other use of a port, end the simulation. A word that is read in the
// clock that writes it is undefined: the model returns it inverted.

// Pins and attributes that the subset does not use.
// verilator lint_off UNUSED

module DP16KD #(
    parameter integer DATA_WIDTH_A = 18,
    parameter integer DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "ENABLED"
) (
    input wire CLKA, input wire CEA, input wire OCEA, input wire WEA, input wire RSTA,
    input wire CSA0, input wire CSA1, input wire CSA2, input wire CLKB, input wire CEB,
    input wire OCEB, input wire WEB, input wire RSTB, input wire CSB0, input wire CSB1,
    input wire CSB2, input wire ADA0, input wire ADA1, input wire ADA2, input wire ADA3,
    input wire ADA4, input wire ADA5, input wire ADA6, input wire ADA7, input wire ADA8,
    input wire ADA9, input wire ADA10, input wire ADA11, input wire ADA12, input wire ADA13,
    input wire ADB0, input wire ADB1, input wire ADB2, input wire ADB3, input wire ADB4,
    input wire ADB5, input wire ADB6, input wire ADB7, input wire ADB8, input wire ADB9,
    input wire ADB10, input wire ADB11, input wire ADB12, input wire ADB13, input wire DIA0,
    input wire DIA1, input wire DIA2, input wire DIA3, input wire DIA4, input wire DIA5,
    input wire DIA6, input wire DIA7, input wire DIA8, input wire DIA9, input wire DIA10,
    input wire DIA11, input wire DIA12, input wire DIA13, input wire DIA14, input wire DIA15,
    input wire DIA16, input wire DIA17, input wire DIB0, input wire DIB1, input wire DIB2,
    input wire DIB3, input wire DIB4, input wire DIB5, input wire DIB6, input wire DIB7,
    input wire DIB8, input wire DIB9, input wire DIB10, input wire DIB11, input wire DIB12,
    input wire DIB13, input wire DIB14, input wire DIB15, input wire DIB16, input wire DIB17,
    output wire DOA0, output wire DOA1, output wire DOA2, output wire DOA3, output wire DOA4,
    output wire DOA5, output wire DOA6, output wire DOA7, output wire DOA8, output wire DOA9,
    output wire DOA10, output wire DOA11, output wire DOA12, output wire DOA13, output wire DOA14,
    output wire DOA15, output wire DOA16, output wire DOA17, output wire DOB0, output wire DOB1,
    output wire DOB2, output wire DOB3, output wire DOB4, output wire DOB5, output wire DOB6,
    output wire DOB7, output wire DOB8, output wire DOB9, output wire DOB10, output wire DOB11,
    output wire DOB12, output wire DOB13, output wire DOB14, output wire DOB15, output wire DOB16,
    output wire DOB17
);

  wire [13:0] ada = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  wire [13:0] adb = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  wire [35:0] di = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0, DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8,
    DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };

  reg [35:0] mem[0:511];
  reg [8:0] read_q, out_q;

  // A narrow port's bit n is bit n + n / 8 of the row.
  wire [35:0] word = mem[adb[13:5]];
  reg [35:0] row;
  reg [8:0] read;
  integer first, i;
  always @* begin
    row = (CEA && ada[13:5] == adb[13:5]) ? ~word : word;
    first = (DATA_WIDTH_B == 9) ? 9 * {30'b0, adb[4:3]} : {27'b0, adb[4:0]};
    read = 9'b0;
    for (i = 0; i < 9; i = i + 1) begin
      if (i < DATA_WIDTH_B) begin
        read[i] = (DATA_WIDTH_B == 9) ? row[6'(first+i)] : row[6'(first+i+(first+i)/8)];
      end
    end
  end

  always @(posedge CLKA) begin
    if (CEA && ada[0]) mem[ada[13:5]][0+:9] <= di[0+:9];
    if (CEA && ada[1]) mem[ada[13:5]][9+:9] <= di[9+:9];
    if (CEA && ada[2]) mem[ada[13:5]][18+:9] <= di[18+:9];
    if (CEA && ada[3]) mem[ada[13:5]][27+:9] <= di[27+:9];
  end
  always @(posedge CLKB) begin
    if (CEB) read_q <= read;
    if (OCEB) out_q <= read_q;
  end

  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = {9'b0, out_q};
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0
  } = 18'b0;

  initial begin
    if (DATA_WIDTH_A != 36 || REGMODE_B != "OUTREG" || !(DATA_WIDTH_B == 1 || DATA_WIDTH_B == 2 ||
        DATA_WIDTH_B == 4 || DATA_WIDTH_B == 9)) begin
      $display("DP16KD %m: attributes that are not of this model");
      $finish;
    end
  end
  always @(posedge CLKA) begin
    if (!WEA || WEB || RSTA || RSTB || CSA0 || CSA1 || CSA2 || CSB0 || CSB1 || CSB2) begin
      $display("DP16KD %m: a use that is not of this model");
      $finish;
    end
  end

endmodule
