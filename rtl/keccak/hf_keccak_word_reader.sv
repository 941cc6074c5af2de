// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Reads a Keccak state by words, in ascending order from any word on, word 0 after the last one: a
// word a clock, and the first four clocks after seek_i. Two forms:
//
//   ECP5    macro HF_ECP5 and StateInBlockRam = 1: a copy of the state in block RAM, one for each
//           slice z, which is written with the slice's 25 bits at once and read by lanes. It has
//           no LUT for the choice of a lane.
//   others  a multiplexer in two registered steps, and no copy of the state.
//
// write_i: state_i is the state to be read, and stays until stop_i. seek_i may be high from the
// next clock on; it does not depend on what is read. From clear on (state_i zero and write_i, then
// nothing until then) all registers here are overwritten after four clocks.
//
// Pipeline: address, the memory's two registers, the word on word_o. All of it advances unless
// `spare_q` has a word: one that came while word_o had another, which was not taken.

module hf_keccak_word_reader
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_keccak_lockstep_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter  bit          StateInBlockRam = 1'b1,  // the ECP5 form, if the macro is set
    localparam int unsigned NumWords = state_words(WordWidth),
    localparam int unsigned AddressWidth = word_address_width(WordWidth),
    localparam int unsigned ControlWidth = reader_control_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input logic [StateWidth-1:0] state_i,
    input logic                  write_i,

    input  logic                    seek_i,       // words are read from seek_addr_i on
    input  logic [AddressWidth-1:0] seek_addr_i,
    input  logic                    stop_i,       // no word is read
    output logic                    reads_o,      // words are read; word_addr_o is valid
    output logic                    valid_o,      // word_o is word word_addr_o
    output logic [AddressWidth-1:0] word_addr_o,  // the word on word_o, or the next to come
    output logic [   WordWidth-1:0] word_o,
    input  logic                    take_i,       // while valid_o: to the next word

    output logic [ControlWidth-1:0] control_o  // its control registers, zero where not in use
);

  typedef logic [AddressWidth-1:0] address_t;
  typedef logic [WordWidth-1:0] word_t;

  function automatic address_t after(input address_t now);
    return (now == address_t'(NumWords - 1)) ? '0 : now + 1'b1;
  endfunction

  logic advance;
  logic reads_q, first_q, second_q, valid_q, spare_valid_q;
  address_t address_q;  // of the memory
  address_t word_addr_q;
  word_t second;  // the word in the memory's second register
  logic [AddressWidth-4:0] first_group;  // its part of the address after the first register
  word_t word_q, spare_q;

  assign advance = !spare_valid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || stop_i || seek_i) begin
      reads_q       <= seek_i && !rst_i;
      first_q       <= 1'b0;
      second_q      <= 1'b0;
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (advance) begin
        first_q  <= reads_q;
        second_q <= first_q;
      end
      if (!valid_q || take_i) valid_q <= spare_valid_q || second_q;
      spare_valid_q <= valid_q && !take_i && (spare_valid_q || second_q);
    end
    if (seek_i) address_q <= seek_addr_i;
    else if (advance) address_q <= after(address_q);
    if (seek_i) word_addr_q <= seek_addr_i;
    else if (take_i) word_addr_q <= after(word_addr_q);

    if (!valid_q || take_i) word_q <= spare_valid_q ? spare_q : second;
    if (advance) spare_q <= second;
  end

  assign reads_o = reads_q;
  assign valid_o = valid_q;
  assign word_addr_o = word_addr_q;
  assign word_o = word_q;

  assign control_o = {
    reads_q,
    first_q,
    second_q,
    valid_q,
    spare_valid_q,
    address_q & {AddressWidth{reads_q}},
    word_addr_q & {AddressWidth{reads_q}},
    first_group & {AddressWidth - 3{first_q}}
  };

  ////////////////////
  // Memory         //
  ////////////////////

  localparam bit UsesBlockRam = StateInBlockRam && hf_ecp5_pkg::HasGearRam;

  if (UsesBlockRam) begin : gen_slices
    localparam int unsigned Parts = LaneWidth / WordWidth;  // words of a lane
    localparam int unsigned PartAt = $clog2(Parts);
    lane_t lane;
    assign first_group = '0;
    for (genvar z = 0; z < LaneWidth; z++) begin : gen_slice
      logic [31:0] slice;  // the state's bits of slice z
      always_comb begin
        slice = '0;
        for (int unsigned k = 0; k < 25; k++) slice[k] = state_i[LaneWidth*k+z];
      end
      hf_ecp5_gear_ram #(
          .RowBits(1),
          .Reads  (1)
      ) u_ram (
          .clk_i,
          .write_i,
          .write_row_i (1'b0),
          .write_data_i(slice),
          .read_i      (advance),
          .read_row_i  (1'b0),
          .read_word_i (5'(address_q >> PartAt)),
          .out_i       (advance),
          .read_data_o (lane[z])
      );
    end
    if (Parts == 1) begin : gen_lane
      assign second = lane;
    end else begin : gen_part
      logic [PartAt-1:0] first_part_q, second_part_q;
      always_ff @(posedge clk_i) begin
        if (advance) begin
          first_part_q  <= address_q[PartAt-1:0];
          second_part_q <= first_part_q;
        end
      end
      assign second = lane[WordWidth*second_part_q+:WordWidth];
    end
  end else begin : gen_choice
    // Groups of eight words: a word of each group, then a group.
    localparam int unsigned GroupWidth = AddressWidth - 3;
    localparam int unsigned NumGroups = 1 << GroupWidth;
    logic [8*NumGroups-1:0][WordWidth-1:0] words;
    logic [NumGroups-1:0][WordWidth-1:0] first_word_q;
    logic [GroupWidth-1:0] first_group_q;
    word_t second_word_q;
    assign first_group = first_group_q;
    assign words  = (8 * NumGroups * WordWidth)'(state_i);
    assign second = second_word_q;
    always_ff @(posedge clk_i) begin
      if (advance) begin
        for (int unsigned i = 0; i < NumGroups; i++) begin
          first_word_q[i] <= words[8*i+32'(address_q[2:0])];
        end
        first_group_q <= address_q[AddressWidth-1:3];
        second_word_q <= first_word_q[first_group_q];
      end
    end

    logic unused_write;
    assign unused_write = write_i;
  end

endmodule
