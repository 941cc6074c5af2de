// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A transmit-only console that software can use as GRLIB's APBUART: bytes leave as bytes, in the
// time that a serial line would take.
//
//   0x0  data     write: a byte to be sent, if the transmitter is enabled
//   0x4  status   bit 1: nothing is being sent; bit 2: the next byte may be written
//   0x8  control  bit 1: the transmitter is enabled
//   0xC  scaler   clocks of an eighth of a bit, less one; 0: a byte leaves in a clock
//
// The word of a read comes a clock after its address.

module hf_apbuart (
    input logic clk_i,
    input logic rst_i,

    input  logic        write_i,
    input  logic [ 3:2] addr_i,
    input  logic [11:0] wdata_i,
    output logic [31:0] rdata_o,

    output logic       valid_o,
    output logic [7:0] data_o
);

  localparam int unsigned ByteTicks = 80;  // eight a bit: start bit, eight data bits, stop bit

  logic enable_q, held_q, sending, tick;
  logic [11:0] scaler_q, clocks_q;
  logic [6:0] ticks_q;

  assign sending = ticks_q != '0;
  assign tick = clocks_q == '0;
  assign valid_o = held_q && !sending;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      enable_q <= 1'b0;
      held_q <= 1'b0;
      scaler_q <= '0;
      clocks_q <= '0;
      ticks_q <= '0;
    end else begin
      clocks_q <= tick ? scaler_q : clocks_q - 12'd1;
      if (sending && tick) ticks_q <= ticks_q - 7'd1;
      if (valid_o) begin
        held_q   <= 1'b0;
        clocks_q <= scaler_q;
        if (scaler_q != '0) ticks_q <= 7'(ByteTicks);
      end
      if (write_i) begin
        unique case (addr_i)
          2'd0: begin
            if (enable_q && !held_q) begin
              held_q <= 1'b1;
              data_o <= wdata_i[7:0];
            end
          end
          2'd2: enable_q <= wdata_i[1];
          2'd3: scaler_q <= wdata_i[11:0];
          default: enable_q <= enable_q;
        endcase
      end
    end
    unique case (addr_i)
      2'd0: rdata_o <= '0;
      2'd1: rdata_o <= {29'b0, !held_q, !held_q && !sending, 1'b0};
      2'd2: rdata_o <= {30'b0, enable_q, 1'b0};
      default: rdata_o <= {20'b0, scaler_q};
    endcase
  end

endmodule
