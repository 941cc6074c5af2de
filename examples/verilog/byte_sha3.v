// SHA3-256 of bytes that come one at a time, as from a UART; the digest stays at the output.
//
// The core is hf_keccak_iterative_axis with DataWidth 8, as `make` exports it.

module byte_sha3 (
    input  wire         clk,
    input  wire         rst,           // synchronous
    input  wire         byte_valid,
    output wire         byte_ready,
    input  wire [  7:0] byte_data,
    input  wire         byte_none,     // with byte_last: there is no such byte, the message ended
    input  wire         byte_last,
    output reg          digest_valid,  // for one clock cycle
    output reg  [255:0] digest         // its first byte in the highest bits, as it is written
);

  wire [7:0] out_data;
  wire       out_keep;
  wire       out_last;
  wire       out_valid;

  hf_keccak_iterative_axis u_sha3 (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_axis_tvalid(byte_valid),
      .s_axis_tready(byte_ready),
      .s_axis_tdata (byte_data),
      .s_axis_tkeep (!byte_none),
      .s_axis_tlast (byte_last),
      .s_axis_tid   (1'b0),
      .s_axis_tuser (56'h01),          // SHA3-256
      .s_axis_room  (),
      .m_axis_tvalid(out_valid),
      .m_axis_tready(1'b1),
      .m_axis_tdata (out_data),
      .m_axis_tkeep (out_keep),
      .m_axis_tlast (out_last),
      .m_axis_tid   (),
      .m_axis_tuser (),                // no message from here is faulty
      .m_axis_stop  (1'b0)
  );

  always @(posedge clk) begin
    digest_valid <= !rst && out_valid && out_last;
    if (out_valid && out_keep) digest <= {digest[247:0], out_data};
  end

endmodule
