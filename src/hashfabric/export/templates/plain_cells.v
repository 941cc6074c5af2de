// Cells of yosys in forms that every reader of Verilog-2005 takes without a warning.

// A multiplexer with one select bit an input, of which at most one is set: AND and OR, as
// "parallel_case" would have it understood.
(* techmap_celltype = "$pmux" *)
module hf_plain_pmux (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;
  wire [WIDTH*(S_WIDTH+1)-1:0] sum;
  assign sum[WIDTH-1:0] = A & {WIDTH{~|S}};
  genvar i;
  generate
    for (i = 0; i < S_WIDTH; i = i + 1) begin : term
      assign sum[WIDTH*(i+1) +: WIDTH] =
          sum[WIDTH*i +: WIDTH] | (B[WIDTH*i +: WIDTH] & {WIDTH{S[i]}});
    end
  endgenerate
  assign Y = sum[WIDTH*S_WIDTH +: WIDTH];
endmodule

// A vector is reduced to a bit before its truth is asked for.
(* techmap_celltype = "$logic_not" *)
module hf_plain_not (A, Y);
  parameter A_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  output [Y_WIDTH-1:0] Y;
  wire any;
  assign any = |A;
  assign Y = ~any;  // `~|A` and `A == 0` would be such a cell again.
endmodule

(* techmap_celltype = "$logic_and" *)
module hf_plain_and (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  assign Y = (|A) & (|B);
endmodule

(* techmap_celltype = "$logic_or" *)
module hf_plain_or (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  assign Y = (|A) | (|B);
endmodule

// Operands of a comparison are given the same width; the sign is part of it.
(* techmap_celltype = "$lt $le $gt $ge" *)
module hf_plain_compare (A, B, Y);
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  localparam WIDTH = (A_WIDTH > B_WIDTH) ? A_WIDTH : B_WIDTH;
  localparam SIGNED = A_SIGNED && B_SIGNED;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire _TECHMAP_FAIL_ = A_WIDTH == B_WIDTH;
  wire [WIDTH-1:0] a, b;
  generate
    if (SIGNED) begin : signs
      assign a = {{(WIDTH - A_WIDTH + 1){A[A_WIDTH-1]}}, A};
      assign b = {{(WIDTH - B_WIDTH + 1){B[B_WIDTH-1]}}, B};
    end else begin : zeros
      assign a = {1'b0, A};
      assign b = {1'b0, B};
    end
    if (_TECHMAP_CELLTYPE_ == "$lt")
      \$lt #(.A_SIGNED(SIGNED), .B_SIGNED(SIGNED), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH),
          .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(a), .B(b), .Y(Y));
    else if (_TECHMAP_CELLTYPE_ == "$le")
      \$le #(.A_SIGNED(SIGNED), .B_SIGNED(SIGNED), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH),
          .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(a), .B(b), .Y(Y));
    else if (_TECHMAP_CELLTYPE_ == "$gt")
      \$gt #(.A_SIGNED(SIGNED), .B_SIGNED(SIGNED), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH),
          .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(a), .B(b), .Y(Y));
    else if (_TECHMAP_CELLTYPE_ == "$ge")
      \$ge #(.A_SIGNED(SIGNED), .B_SIGNED(SIGNED), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH),
          .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(a), .B(b), .Y(Y));
  endgenerate
endmodule

// A multiplexer with a select bit for each bit.
(* techmap_celltype = "$bwmux" *)
module hf_plain_bwmux (A, B, S, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A;
  input [WIDTH-1:0] B;
  input [WIDTH-1:0] S;
  output [WIDTH-1:0] Y;
  assign Y = (A & ~S) | (B & S);
endmodule
