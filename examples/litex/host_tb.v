// A host at the SoC's serial line: writes and reads the registers of the core for a SHA3-256 of "abc".
// Ends with PASS or FAIL. registers.vh has the registers' addresses, as LiteX has given them.

`timescale 1ns / 1ps
`include "registers.vh"

module host_tb;

  localparam BIT_NS = 400;  // 2.5 Mbaud

  reg  clk = 1'b0;
  reg  to_soc = 1'b1;
  wire from_soc;

  soc dut (
      .clk25    (clk),
      .serial_rx(to_soc),
      .serial_tx(from_soc)
  );

  always #20 clk = ~clk;

  task send(input [7:0] value);
    integer i;
    begin
      to_soc = 1'b0;
      #BIT_NS;
      for (i = 0; i < 8; i = i + 1) begin
        to_soc = value[i];
        #BIT_NS;
      end
      to_soc = 1'b1;
      #(2 * BIT_NS);
    end
  endtask

  task receive(output [7:0] value);
    integer i;
    begin
      @(negedge from_soc);
      #(BIT_NS / 2);
      for (i = 0; i < 8; i = i + 1) begin
        #BIT_NS;
        value[i] = from_soc;
      end
      #BIT_NS;
    end
  endtask

  // A command of LiteX's bridge: 1 writes, 2 reads; a word; its address in words, highest byte first.
  task command(input [7:0] code, input [31:0] address);
    begin
      send(code);
      send(8'd1);
      send({2'b00, address[31:26]});
      send(address[25:18]);
      send(address[17:10]);
      send(address[9:2]);
    end
  endtask

  task write(input [31:0] address, input [31:0] value);
    begin
      command(8'd1, address);
      send(value[31:24]);
      send(value[23:16]);
      send(value[15:8]);
      send(value[7:0]);
    end
  endtask

  // The SoC's answer may begin before the command's last stop bit has ended.
  task read(input [31:0] address, output [31:0] value);
    reg [7:0] b3, b2, b1, b0;
    begin
      fork
        command(8'd2, address);
        begin
          receive(b3);
          receive(b2);
          receive(b1);
          receive(b0);
        end
      join
      value = {b3, b2, b1, b0};
    end
  endtask

  integer      i;
  reg  [ 31:0] status;
  reg  [ 31:0] word;
  reg  [255:0] digest;  // its first byte in the highest bits, as it is written

  initial begin
    #10000;
    write(`HASH_USER, 32'h01);  // SHA3-256
    write(`HASH_TAIL_BYTES, 3);
    write(`HASH_TAIL, "\000cba");
    status = 0;
    while (!status[0]) read(`HASH_STATUS, status);
    for (i = 0; i < 8; i = i + 1) begin
      read(`HASH_DIGEST, word);
      digest = {digest[223:0], word[7:0], word[15:8], word[23:16], word[31:24]};
      read(`HASH_STATUS, status);
      if (status[1] != (i == 7)) begin
        $display("FAIL: the digest's last word is not the eighth: status %h", status);
        $stop;  // With vvp -N a bad status
      end
      write(`HASH_NEXT, 1);
    end
    $display("%h", digest);
    if (digest !== 256'h3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532) begin
      $display("FAIL: another digest is expected");
      $stop;
    end
    $display("PASS");
    $finish;
  end

  initial begin
    #20000000;
    $display("FAIL: no digest");
    $stop;
  end

endmodule
