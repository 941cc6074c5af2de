// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The encodings of hf_sp800_185: left_encode and right_encode of a length (SP 800-185, section
// 2.3.1), and the fixed texts of bytepad's width and of the names of KMAC and TupleHash. The number
// is registered in the clock of `choose_number_i`, its bytes in the next one, `encode_number_i`;
// then the text is there by DataWidth bits, which `shift_text_i` takes.

module hf_sp800_185_literal
  import hf_stream_pkg::LengthWidth;
  import hf_sp800_185_pkg::*;
#(
    parameter  int unsigned DataWidth   = 64,
    parameter  int unsigned StringBytes = 256,
    localparam int unsigned KeepWidth   = DataWidth / 8,
    localparam int unsigned CountWidth  = $clog2(KeepWidth + 1),
    localparam int unsigned SizeWidth   = $clog2(StringBytes + 1)
) (
    input logic clk_i,

    input step_e encode_step_i,
    input logic  choose_number_i,
    input logic  encode_number_i,
    input logic  shift_text_i,

    // The message: its function, the bytes of its block; lengths of strings in bytes, that of the
    // output in bits.
    input logic                                  is_tuple_hash_i,
    input logic                                  is_mac_i,
    input logic                                  is_xof_i,
    input logic [            7:0]                block_rate_bytes_i,
    input logic [            3:0][SizeWidth-1:0] string_sizes_i,
    input logic [LengthWidth-1:0]                element_length_i,  // of a tuple's string
    input logic [LengthWidth-1:0]                output_length_i,

    output logic [ DataWidth-1:0] literal_data_o,
    output logic [CountWidth-1:0] literal_count_o,  // bytes
    output logic                  literal_last_o
);

  logic [63:0] literal_text_q;
  logic [3:0] text_bytes_q;  // bytes of the text
  logic [NumberWidth-1:0] length_number_q;
  logic text_fixed_q;  // the text encodes no number
  logic left_encode_q;

  always_ff @(posedge clk_i) begin
    if (choose_number_i) begin
      left_encode_q <= encode_step_i != StepEnd;
      text_fixed_q  <= encode_step_i == StepRate || encode_step_i == StepKeyRate ||
          (encode_step_i == StepName && is_tuple_hash_i);
      unique case (encode_step_i)
        StepName:    length_number_q <= NumberWidth'({string_sizes_i[StringName], 3'd0});
        StepCustom:  length_number_q <= NumberWidth'({string_sizes_i[StringCustom], 3'd0});
        StepKey:     length_number_q <= NumberWidth'({string_sizes_i[StringKey], 3'd0});
        StepElement: length_number_q <= NumberWidth'({element_length_i, 3'd0});
        default:     length_number_q <= is_xof_i ? '0 : NumberWidth'(output_length_i);
      endcase
    end
    if (encode_number_i) begin
      literal_text_q <= encoded(length_number_q, left_encode_q);
      text_bytes_q   <= 4'(digits(length_number_q)) + 4'd1;
      if (text_fixed_q) begin
        // First byte lowest: left_encode of the rate, and of 32 or 72 bits; "KMAC", or "Tupl" and
        // then "eHash".
        literal_text_q <= {
          is_tuple_hash_i ? "lpuT" : "CAMK",
          is_tuple_hash_i ? 8'd72 : 8'd32,
          8'd1,
          block_rate_bytes_i,
          8'd1
        };
        text_bytes_q <= (encode_step_i == StepRate && (is_tuple_hash_i || is_mac_i)) ? 4'd8 : 4'd2;
        if (encode_step_i == StepName) begin
          literal_text_q[39:0] <= "hsaHe";
          text_bytes_q         <= 4'd5;
        end
      end
    end
    if (shift_text_i) begin
      literal_text_q <= literal_text_q >> DataWidth;
      text_bytes_q   <= text_bytes_q - 4'(KeepWidth);
    end
  end

  assign literal_last_o  = 32'(text_bytes_q) <= KeepWidth;
  assign literal_count_o = literal_last_o ? CountWidth'(text_bytes_q) : CountWidth'(KeepWidth);
  assign literal_data_o  = DataWidth'(literal_text_q);

endmodule
