// The design at its pins: SLIP frames go in bit by bit, and the answers are compared. Ends with
// PASS or FAIL.

module uart_sha3_tb;

  localparam BIT_CLOCKS = 10;  // as 120,000 baud at a clock of 1.2 MHz
  localparam [7:0] END = 8'hc0, ESC = 8'hdb, ESC_END = 8'hdc, ESC_ESC = 8'hdd;

  reg  clk = 1'b0;
  reg  line = 1'b1;
  wire answer;

  uart_sha3 #(
      .CLOCK_HZ(1200000),
      .BAUD    (120000)
  ) dut (
      .clk    (clk),
      .uart_rx(line),
      .uart_tx(answer)
  );

  always #5 clk = ~clk;

  task send_raw(input [7:0] data);
    integer i;
    begin
      line = 1'b0;
      repeat (BIT_CLOCKS) @(negedge clk);
      for (i = 0; i < 8; i = i + 1) begin
        line = data[i];
        repeat (BIT_CLOCKS) @(negedge clk);
      end
      line = 1'b1;
      repeat (BIT_CLOCKS) @(negedge clk);
    end
  endtask

  task send(input [7:0] data);
    if (data == END) begin
      send_raw(ESC);
      send_raw(ESC_END);
    end else if (data == ESC) begin
      send_raw(ESC);
      send_raw(ESC_ESC);
    end else send_raw(data);
  endtask

  // Answers are received all the time, for an answer may begin while this bench still sends.
  reg [511:0] got;
  integer count = 0;
  reg ended = 1'b0;
  reg escaped = 1'b0;
  reg [7:0] received;
  integer j;
  always begin
    @(negedge answer);
    repeat (BIT_CLOCKS + BIT_CLOCKS / 2) @(negedge clk);
    for (j = 0; j < 8; j = j + 1) begin
      received[j] = answer;
      repeat (BIT_CLOCKS) @(negedge clk);
    end
    if (received == END) ended = 1'b1;
    else if (received == ESC) escaped = 1'b1;
    else begin
      if (escaped) received = received == ESC_END ? END : ESC;
      escaped = 1'b0;
      got = {got[503:0], received};
      count = count + 1;
    end
  end

  integer failures = 0;
  integer k;
  // A frame: `user` is s_axis_tuser, the message is `length` times `first`, counted up by `step`.
  task frame(input [55:0] user, input [7:0] first, input [7:0] step, input integer length,
             input integer wanted_bytes, input [511:0] wanted);
    begin
      count = 0;
      got = 0;
      ended = 1'b0;
      for (k = 0; k < 7; k = k + 1) send(user[8*k+:8]);
      for (k = 0; k < length; k = k + 1) send(first + k * step);
      send_raw(END);
      for (k = 0; k < 200000 && !ended; k = k + 1) @(negedge clk);
      if (!ended || count != wanted_bytes || got != wanted) begin
        $display("%0d bytes of %h: %0d bytes %h", length, first, count, got);
        failures = failures + 1;
      end
    end
  endtask

  initial begin
    repeat (40) @(negedge clk);
    send_raw(END);
    // SHA3-256 of nothing, of "abc", of 200 times A3 (NIST's example of 1600 bits).
    frame(56'h01, 8'h00, 0, 0, 32,
          256'ha7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a);
    frame(56'h01, "a", 1, 3, 32,
          256'h3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532);
    frame(56'h01, 8'ha3, 0, 200, 32,
          256'h79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787);
    // SHAKE128 of nothing, 16 bytes; a function that no core has.
    frame(56'h0000000080_00_04, 8'h00, 0, 0, 16, 128'h7f9c2ba4e88f827d616045507605853e);
    frame(56'hff, "a", 1, 3, 0, 0);
    // Every byte, those that are escaped too.
    frame(56'h01, 8'h00, 1, 256, 32,
          256'h9b04c091da96b997afb8f2585d608aebe9c4a904f7d52c8f28c7e4d2dd9fba5f);
    if (failures != 0) begin
      $display("FAIL");
      $stop;  // With vvp -N a bad status
    end
    $display("PASS");
    $finish;
  end

endmodule
