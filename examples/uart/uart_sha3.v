// SHA-3 at a serial line: a message comes in a SLIP frame (RFC 1055), and its digest leaves in
// one. Pins: a clock and the two wires of a UART (8 data bits, no parity, one stop bit).
//
// A frame is 7 bytes that are s_axis_tuser, lowest first (docs/reference/stream.md: function, bits
// of the last byte, output length), then the message. The answer has no byte if the core reports an
// error. The next frame may begin when the answer has come.
//
// The core is hf_keccak_serial_axis with its memories in block RAM, as `make` exports it.

module uart_sha3 #(
    parameter CLOCK_HZ = 12000000,
    parameter BAUD = 115200
) (
    input  wire clk,
    input  wire uart_rx,
    output reg  uart_tx
);

  localparam BIT_CLOCKS = CLOCK_HZ / BAUD;
  localparam [7:0] END = 8'hc0, ESC = 8'hdb, ESC_END = 8'hdc, ESC_ESC = 8'hdd;

  // The board gives no reset: 15 clock cycles after configuration.
  reg [3:0] started = 4'd0;
  wire rst = started != 4'd15;
  always @(posedge clk) if (rst) started <= started + 4'd1;

  // A byte from the line: each bit is sampled in its middle.
  reg [2:0] rx_line = 3'b111;
  reg [15:0] rx_wait;
  reg [3:0] rx_left;  // bits to come, the stop bit included
  reg [7:0] rx_data;
  reg rx_valid;
  always @(posedge clk) begin
    rx_line  <= {rx_line[1:0], uart_rx};
    rx_valid <= 1'b0;
    if (rst) rx_left <= 4'd0;
    else if (rx_left == 4'd0) begin
      rx_wait <= BIT_CLOCKS + BIT_CLOCKS / 2 - 2;
      if (!rx_line[2]) rx_left <= 4'd9;
    end else if (rx_wait != 16'd0) rx_wait <= rx_wait - 16'd1;
    else begin
      rx_wait <= BIT_CLOCKS - 1;
      rx_left <= rx_left - 4'd1;
      if (rx_left != 4'd1) rx_data <= {rx_line[2], rx_data[7:1]};
      else rx_valid <= rx_line[2];
    end
  end

  // The frame's bytes. The last one of a message waits until the frame ends: it has tlast.
  reg escaped, held, in_valid, in_keep, in_last;
  reg [7:0] held_data, in_data;
  reg [55:0] user;
  reg [2:0] user_bytes;
  wire in_ready;
  wire frame_end = rx_valid && rx_data == END;
  wire frame_byte = rx_valid && rx_data != END && rx_data != ESC;
  wire [7:0] data = !escaped ? rx_data : rx_data == ESC_END ? END : ESC;
  always @(posedge clk) begin
    if (in_ready) in_valid <= 1'b0;
    if (rx_valid) escaped <= rx_data == ESC;
    if (frame_byte && user_bytes != 3'd7) begin
      user <= {data, user[55:8]};
      user_bytes <= user_bytes + 3'd1;
    end else if (frame_byte) begin
      held <= 1'b1;
      held_data <= data;
      in_valid <= held;
      in_keep <= 1'b1;
      in_last <= 1'b0;
      in_data <= held_data;
    end else if (frame_end) begin
      // Bytes of noise before a frame, and the END that separates frames, are no message.
      in_valid <= user_bytes == 3'd7;
      in_keep <= held;
      in_last <= 1'b1;
      in_data <= held_data;
      held <= 1'b0;
      user_bytes <= 3'd0;
    end
    if (rst) begin
      in_valid <= 1'b0;
      held <= 1'b0;
      user_bytes <= 3'd0;
      escaped <= 1'b0;
    end
  end

  wire [7:0] out_data;
  wire out_valid, out_keep, out_last;
  wire out_ready;

  hf_keccak_serial_axis u_sha3 (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata (in_data),
      .s_axis_tkeep (in_keep),
      .s_axis_tlast (in_last),
      .s_axis_tid   (1'b0),
      .s_axis_tuser (user),
      .s_axis_room  (),
      .m_axis_tvalid(out_valid),
      .m_axis_tready(out_ready),
      .m_axis_tdata (out_data),
      .m_axis_tkeep (out_keep),
      .m_axis_tlast (out_last),
      .m_axis_tid   (),
      .m_axis_tuser (),
      .m_axis_stop  (1'b0)
  );

  // A beat leaves as its byte, in two bytes if it must be escaped, and an END after the last.
  localparam [1:0] TX_BYTE = 2'd0, TX_ESCAPED = 2'd1, TX_END = 2'd2;
  reg [1:0] tx_part;
  reg [15:0] tx_wait;
  reg [9:0] tx_bits;  // the line's next bits, the stop bit highest; zero after it
  wire tx_idle = tx_bits == 10'd0 && tx_wait == 16'd0;
  wire special = out_data == END || out_data == ESC;
  wire byte_sent = tx_part == TX_ESCAPED || (tx_part == TX_BYTE && !(out_keep && special));
  assign out_ready = tx_idle && (tx_part == TX_END || (byte_sent && !out_last));
  reg [7:0] tx_data;
  reg tx_send;
  always @* begin
    tx_send = 1'b1;
    case (tx_part)
      TX_BYTE: begin
        tx_send = out_keep;
        tx_data = special ? ESC : out_data;
      end
      TX_ESCAPED: tx_data = out_data == END ? ESC_END : ESC_ESC;
      default:    tx_data = END;
    endcase
  end
  always @(posedge clk) begin
    if (tx_wait != 16'd0) tx_wait <= tx_wait - 16'd1;
    else if (tx_bits != 10'd0) begin
      uart_tx <= tx_bits[0];
      tx_bits <= tx_bits >> 1;
      tx_wait <= BIT_CLOCKS - 1;
    end else if (out_valid) begin
      if (tx_send) tx_bits <= {1'b1, tx_data, 1'b0};
      if (byte_sent) tx_part <= out_last ? TX_END : TX_BYTE;
      else tx_part <= tx_part == TX_BYTE ? TX_ESCAPED : TX_BYTE;
    end
    if (rst) begin
      uart_tx <= 1'b1;
      tx_bits <= 10'd0;
      tx_wait <= 16'd0;
      tx_part <= TX_BYTE;
    end
  end

endmodule
