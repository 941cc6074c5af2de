// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One round of Groestl's P or Q without its constant, a LUT4 level for each register stage.
// hf_groestl_pipelined connects it to a ring. `Registers` selects the registers:
//
//   bit 0  values      of the S-box (the terms are those of hf_groestl_pkg)
//   bit 1  parts
//   bit 2  norm
//   bit 3  inverse
//   bit 4  products
//   bit 5  bytes       the S-box's output, through ShiftBytes
//   bit 6  c           MixBytes' first sums
//   bit 7  y           MixBytes' second sums
//   always             the remainder of MixBytes, except one XOR a bit; `clear_i` clears it
//   always             state_o := the round ^ add_i
//
// `add_i` must be zero for Q, which is built without it and needs three LUT4 a byte less.

module hf_groestl_stages
  import hf_groestl_pkg::*;
#(
    parameter int unsigned Columns = 8,
    parameter bit IsQ = 1'b0,
    parameter int unsigned Registers = 'hFF
) (
    input  logic                  clk_i,
    input  logic    [Columns-1:0] clear_i,  // one bit a column, in the clock before the last
    input  column_t [Columns-1:0] state_i,
    input  column_t [Columns-1:0] add_i,
    output column_t [Columns-1:0] state_o   // $countones(Registers) + 2 clocks after state_i
);

  typedef column_t [Columns-1:0] state_t;
  typedef values_t [Columns-1:0][Rows-1:0] state_values_t;
  typedef logic [Columns-1:0][Rows-1:0][1:0] state_bits_t;

  // The S-box values and the linear bits, delayed in parallel with the other stages.
  state_values_t values_d, values, values_parts, values_norm, values_inverse;
  state_bits_t bits_d, bits, bits_parts;
  parts_t [Columns-1:0][Rows-1:0] parts_d, parts;
  norm_t [Columns-1:0][Rows-1:0] norm_d, norm;
  inverse_t [Columns-1:0][Rows-1:0] inverse_d, inverse;
  products_t [Columns-1:0][Rows-1:0] products_d, products;
  state_t bytes_d, bytes, c_d, c, bytes_c, y_d, y, c_y;

  // Column by column, because tools unroll only some thousand steps at once.
  for (genvar j = 0; j < Columns; j++) begin : gen_logic
    always_comb begin
      for (int unsigned i = 0; i < Rows; i++) begin
        values_d[j][i]   = s_values(state_i[j][i]);
        bits_d[j][i]     = {state_i[j][i][6], state_i[j][i][0]};
        parts_d[j][i]    = s_parts(values[j][i]);
        norm_d[j][i]     = s_norm(parts[j][i], bits_parts[j][i][0], bits_parts[j][i][1]);
        inverse_d[j][i]  = s_inverse(norm[j][i]);
        products_d[j][i] = s_products(values_inverse[j][i], inverse[j][i]);
        bytes_d[j][i]    = s_byte(products[(j+shift(IsQ, Columns, i))%Columns][i]);
      end
      c_d[j] = mix_c(bytes[j]);
      y_d[j] = mix_y(bytes_c[j], c[j]);
    end
  end

  if (Registers[0]) begin : gen_values
    always_ff @(posedge clk_i) begin
      values <= values_d;
      bits   <= bits_d;
    end
  end else begin : gen_no_values
    assign values = values_d;
    assign bits   = bits_d;
  end

  if (Registers[1]) begin : gen_parts
    always_ff @(posedge clk_i) begin
      parts        <= parts_d;
      values_parts <= values;
      bits_parts   <= bits;
    end
  end else begin : gen_no_parts
    assign parts        = parts_d;
    assign values_parts = values;
    assign bits_parts   = bits;
  end

  if (Registers[2]) begin : gen_norm
    always_ff @(posedge clk_i) begin
      norm        <= norm_d;
      values_norm <= values_parts;
    end
  end else begin : gen_no_norm
    assign norm        = norm_d;
    assign values_norm = values_parts;
  end

  if (Registers[3]) begin : gen_inverse
    always_ff @(posedge clk_i) begin
      inverse        <= inverse_d;
      values_inverse <= values_norm;
    end
  end else begin : gen_no_inverse
    assign inverse        = inverse_d;
    assign values_inverse = values_norm;
  end

  if (Registers[4]) begin : gen_products
    always_ff @(posedge clk_i) products <= products_d;
  end else begin : gen_no_products
    assign products = products_d;
  end

  if (Registers[5]) begin : gen_bytes
    always_ff @(posedge clk_i) bytes <= bytes_d;
  end else begin : gen_no_bytes
    assign bytes = bytes_d;
  end

  if (Registers[6]) begin : gen_c
    always_ff @(posedge clk_i) begin
      c       <= c_d;
      bytes_c <= bytes;
    end
  end else begin : gen_no_c
    assign c       = c_d;
    assign bytes_c = bytes;
  end

  if (Registers[7]) begin : gen_y
    always_ff @(posedge clk_i) begin
      y   <= y_d;
      c_y <= c;
    end
  end else begin : gen_no_y
    assign y   = y_d;
    assign c_y = c;
  end

  // b = y + 2 y' + 4 c, bit by bit. Doubling reduces by 0x1B, which reaches bits 0, 1, 3, 4 and,
  // doubled again, 1, 2, 4, 5. `sums` is the part that does not fit into the LUT4 of the last
  // stage.
  for (genvar j = 0; j < Columns; j++) begin : gen_column
    column_t y_q, c_q;
    logic [Rows-1:0][5:1] sums_q;
    for (genvar i = 0; i < Rows; i++) begin : gen_row
      localparam int unsigned Other = (i + 3) % Rows;
      logic [5:1] sums_d;
      byte_t mixed;

      if (IsQ) begin : gen_closed
        assign sums_d = {
          2'b00, y[j][Other][7] ^ c_y[j][i][6], 1'b0, y[j][Other][7] ^ c_y[j][i][6] ^ c_y[j][i][7]
        };
        assign mixed  = y_q[i] ^ {
          y_q[Other][6] ^ c_q[i][5],
          y_q[Other][5] ^ c_q[i][4],
          y_q[Other][4] ^ c_q[i][3] ^ c_q[i][7],
          y_q[Other][3] ^ c_q[i][2] ^ sums_q[i][1],
          y_q[Other][2] ^ c_q[i][1] ^ sums_q[i][3],
          y_q[Other][1] ^ c_q[i][0] ^ c_q[i][7],
          y_q[Other][0] ^ sums_q[i][1],
          y_q[Other][7] ^ c_q[i][6]
        };
      end else begin : gen_open
        assign sums_d = {
          y[j][Other][4] ^ c_y[j][i][3] ^ c_y[j][i][7],
          y[j][Other][3] ^ c_y[j][i][2],
          y[j][Other][2] ^ y[j][Other][7] ^ c_y[j][i][1] ^ c_y[j][i][6],
          y[j][Other][1] ^ c_y[j][i][0] ^ c_y[j][i][7],
          y[j][Other][7] ^ c_y[j][i][6] ^ c_y[j][i][7]
        };
        assign mixed = y_q[i] ^ {
          y_q[Other][6] ^ c_q[i][5],
          y_q[Other][5] ^ c_q[i][4],
          sums_q[i][5],
          sums_q[i][4] ^ sums_q[i][1],
          sums_q[i][3],
          sums_q[i][2],
          y_q[Other][0] ^ sums_q[i][1],
          y_q[Other][7] ^ c_q[i][6]
        } ^ add_i[j][i];
      end

      always_ff @(posedge clk_i) begin
        if (clear_i[j]) begin
          y_q[i]    <= '0;
          c_q[i]    <= '0;
          sums_q[i] <= '0;
        end else begin
          y_q[i]    <= y[j][i];
          c_q[i]    <= c_y[j][i];
          sums_q[i] <= sums_d;
        end
      end
      always_ff @(posedge clk_i) state_o[j][i] <= mixed;
    end
  end

  if (IsQ) begin : gen_unused
    logic unused_add;
    assign unused_add = ^add_i;
  end

endmodule
