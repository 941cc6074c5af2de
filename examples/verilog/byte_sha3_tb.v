// Messages out of a memory, byte by byte with waits, and their digests. Ends with PASS or FAIL.

module byte_sha3_tb;

  localparam MESSAGES = 3;

  reg          clk = 1'b0;
  reg          rst = 1'b1;
  reg          byte_valid = 1'b0;
  wire         byte_ready;
  reg  [  7:0] byte_data = 8'h00;
  reg          byte_none = 1'b0;
  reg          byte_last = 1'b0;
  wire         digest_valid;
  wire [255:0] digest;

  byte_sha3 dut (
      .clk         (clk),
      .rst         (rst),
      .byte_valid  (byte_valid),
      .byte_ready  (byte_ready),
      .byte_data   (byte_data),
      .byte_none   (byte_none),
      .byte_last   (byte_last),
      .digest_valid(digest_valid),
      .digest      (digest)
  );

  always #5 clk = ~clk;

  // Messages of 0, 3 and 200 bytes: nothing, "abc", and 200 times A3 (NIST's example of 1600 bits).
  integer length [0:MESSAGES-1];
  reg [255:0] wanted [0:MESSAGES-1];
  initial begin
    length[0] = 0;
    wanted[0] = 256'ha7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a;
    length[1] = 3;
    wanted[1] = 256'h3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532;
    length[2] = 200;
    wanted[2] = 256'h79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787;
  end

  // Offers a byte until it is taken, then waits for some clock cycles.
  task send(input [7:0] data, input none, input last, input integer wait_clocks);
    begin
      byte_data  <= data;
      byte_none  <= none;
      byte_last  <= last;
      byte_valid <= 1'b1;
      @(posedge clk);
      while (!byte_ready) @(posedge clk);
      byte_valid <= 1'b0;
      repeat (wait_clocks) @(posedge clk);
    end
  endtask

  integer message;
  integer i;
  initial begin
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    for (message = 0; message < MESSAGES; message = message + 1) begin
      if (length[message] == 0) send(8'h00, 1'b1, 1'b1, 1);
      for (i = 0; i < length[message]; i = i + 1)
        send(length[message] == 3 ? "a" + i : 8'ha3, 1'b0, i == length[message] - 1, i % 3);
    end
  end

  integer done = 0;
  always @(posedge clk) begin
    if (digest_valid) begin
      if (digest !== wanted[done]) begin
        $display("FAIL: message of %0d bytes: %h", length[done], digest);
        $stop;  // With vvp -N a bad status
      end
      $display("%0d bytes: %h", length[done], digest);
      done = done + 1;
      if (done == MESSAGES) begin
        $display("PASS");
        $finish;
      end
    end
  end

  initial begin
    #200000;
    $display("FAIL: no digest");
    $stop;
  end

endmodule
