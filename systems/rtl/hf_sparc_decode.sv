// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Decodes a SPARC V8 instruction: its operation, the registers that it reads and writes, and
// whether it is legal. There is no floating-point unit and no co-processor: their instructions
// trap, except the rotate (Rotate = 1), which is CPop1 with zeros in the unused bits
// (docs/integrate/leon3.md).

module hf_sparc_decode
  import hf_sparc_pkg::*;
#(
    parameter bit Rotate   = 1'b0,
    parameter bit Counters = 1'b0   // ASR 20
) (
    input logic [31:0] inst_i,
    input logic        su_i,

    output op_t        op_o,
    output logic       trap_o,
    output logic [7:0] tt_o,

    output logic       branch_o,  // Bicc
    output logic       call_o,
    output logic       save_o,
    output logic       restore_o, // and rett
    output logic [1:0] more_o,    // slots after the first, unless it traps or is long
    output logic       long_o,    // more slots: multiplication, division, swap, ldstub
    output logic       atomic_o,  // swap, ldstub, of a load or store
    output logic       tests_o,   // reads condition codes in EX: rd %psr, Ticc with a condition

    output logic       read_1_o,  // reads rs1
    output logic       read_2_o,  // reads rs2
    output logic       write_o,   // writes rd, unless that is %g0
    output logic [4:0] rd_o,
    output logic       use_imm_o,
    output logic [31:0] imm_o
);

  logic [1:0] format;
  logic [5:0] op3;
  logic       is_imm, illegal, privileged, fp, cp;

  assign format = inst_i[31:30];
  assign op3    = inst_i[24:19];
  assign is_imm = inst_i[13];

  assign use_imm_o = format == 2'b00 || is_imm;
  assign imm_o = format == 2'b00 ? {inst_i[21:0], 10'b0} : {{19{inst_i[12]}}, inst_i[12:0]};
  assign rd_o = format == 2'b01 ? 5'd15 : inst_i[29:25];

  // The next fetch does not depend on the detection of traps: a branch never traps, and for an
  // instruction that does, more slots or a wait do no harm.
  logic is_double, is_read_state, is_multiply_or_divide;
  assign branch_o = format == 2'b00 && inst_i[24:22] == 3'd2;
  assign call_o = format == 2'b01;
  assign atomic_o = op3[3] && op3[2];
  assign is_double = op3[1:0] == 2'd3 && !atomic_o;
  assign more_o = format != 2'b11 ? 2'd0 : {1'b0, is_double} + {1'b0, op3[2]};
  assign is_multiply_or_divide = !op3[5] && op3[3] && op3[1];
  assign long_o = format[1] && (format[0] ? atomic_o : is_multiply_or_divide);
  assign tests_o = format == 2'b10 && (op3 == 6'h29 || (op3 == 6'h3A && inst_i[27:25] != 3'd0));
  assign is_read_state = !format[0] && op3[5:2] == 4'b1010;
  assign read_1_o = format[1] && !is_read_state;
  assign read_2_o = format[1] && !is_read_state && !is_imm;

  // In the order of table 7-1 of the manual.
  assign trap_o = privileged || illegal || fp || cp;
  always_comb begin
    if (privileged) tt_o = TrapPrivileged;
    else if (illegal) tt_o = TrapIllegal;
    else if (fp) tt_o = TrapFpDisabled;
    else tt_o = TrapCpDisabled;
  end

  always_comb begin
    op_o = '0;
    op_o.cond = inst_i[28:25];
    illegal = 1'b0;
    privileged = 1'b0;
    fp = 1'b0;
    cp = 1'b0;
    save_o = 1'b0;
    restore_o = 1'b0;
    write_o = 1'b0;

    unique case (format)
      2'b00:
      unique case (inst_i[24:22])
        3'd2: illegal = 1'b0;  // Bicc
        3'd4: begin  // sethi
          op_o.result = ResultLogic;
          op_o.logic_op = LogicPass;
          write_o = 1'b1;
        end
        3'd6: fp = 1'b1;
        3'd7: cp = 1'b1;
        default: illegal = 1'b1;
      endcase

      2'b01: begin
        op_o.result = ResultPc;
        write_o = 1'b1;
      end

      2'b10: begin
        write_o = 1'b1;
        unique casez (op3)
          6'b0???00: begin  // add, sub and their variants; with carry, with condition codes
            op_o.subtract = op3[2];
            op_o.with_carry = op3[3];
            op_o.write_icc = op3[4];
          end
          6'b0?0?01, 6'b0?0?1?: begin  // and, or, xor, andn, orn, xnor
            op_o.result = ResultLogic;
            op_o.logic_op = op3[1:0] == 2'd1 ? LogicAnd : op3[1:0] == 2'd2 ? LogicOr : LogicXor;
            op_o.invert = op3[2];
            op_o.write_icc = op3[4];
          end
          6'b0?101?: begin  // umul, smul
            op_o.multiply = 1'b1;
            op_o.is_signed = op3[0];
            op_o.write_icc = op3[4];
            op_o.write_y = 1'b1;
          end
          6'b0?111?: begin  // udiv, sdiv
            op_o.divide = 1'b1;
            op_o.is_signed = op3[0];
            op_o.write_icc = op3[4];
          end
          6'b1000??: begin  // taddcc, tsubcc, also with traps
            op_o.tags = 1'b1;
            op_o.subtract = op3[0];
            op_o.tag_trap = op3[1];
            op_o.write_icc = 1'b1;
          end
          6'h24: begin
            op_o.mulscc = 1'b1;
            op_o.write_icc = 1'b1;
            op_o.write_y = 1'b1;
          end
          6'h25, 6'h26, 6'h27: begin
            op_o.result = ResultShift;
            op_o.shift_left = op3[1:0] == 2'd1;
            op_o.shift_sign = op3[1:0] == 2'd3;
          end
          6'b1010??: begin  // rd
            op_o.result = ResultState;
            privileged = op3[1:0] != 2'd0 && !su_i;
            unique case (op3[1:0])
              2'd0: begin
                op_o.state = StateY;
                if (inst_i[18:14] == 5'd17) op_o.state = StateConfig;
                if (Counters && inst_i[18:14] == 5'd20) op_o.state = StateCount;
              end
              2'd1: op_o.state = StatePsr;
              2'd2: op_o.state = StateWim;
              default: op_o.state = StateTbr;
            endcase
          end
          6'b1100??: begin  // wr
            write_o = 1'b0;
            op_o.result = ResultLogic;
            op_o.logic_op = LogicXor;
            privileged = op3[1:0] != 2'd0 && !su_i;
            op_o.write_y = op3[1:0] == 2'd0 && inst_i[29:25] == 5'd0;
            op_o.write_state = op3[1:0] != 2'd0;
            unique case (op3[1:0])
              2'd1: op_o.state = StatePsr;
              2'd2: op_o.state = StateWim;
              default: op_o.state = StateTbr;
            endcase
          end
          6'h34, 6'h35: fp = 1'b1;
          6'h36: begin
            cp = !Rotate || (is_imm ? inst_i[12:6] != '0 : inst_i[12:5] != '0);
            op_o.result = ResultRotate;
            op_o.write_y = 1'b1;
          end
          6'h37: cp = 1'b1;
          6'h38: begin
            op_o.jump = 1'b1;
            op_o.result = ResultPc;
          end
          6'h39: begin
            op_o.jump = 1'b1;
            op_o.rett = 1'b1;
            restore_o = 1'b1;
            write_o = 1'b0;
            privileged = !su_i;
          end
          6'h3A: begin
            op_o.ticc = 1'b1;
            write_o = 1'b0;
          end
          6'h3B: write_o = 1'b0;  // flush: there is no cache
          6'h3C: save_o = 1'b1;
          6'h3D: restore_o = 1'b1;
          default: illegal = 1'b1;
        endcase
      end

      default: begin
        op_o.load = !op3[2] || op3[3];
        op_o.store = op3[2];
        op_o.atomic = op3[3] && op3[2];
        op_o.is_signed = op3[3] && !op3[2];
        unique case (op3[1:0])
          2'd0: op_o.size = SizeWord;
          2'd1: op_o.size = SizeByte;
          2'd2: op_o.size = SizeHalf;
          default: op_o.size = is_double ? SizeDouble : SizeWord;
        endcase
        write_o = op_o.load;
        unique case (op3[5:4])
          2'b00: op_o.space = SpaceMemory;
          2'b01: begin
            unique case (inst_i[12:5])
              8'h02: op_o.space = SpaceCache;
              8'h01, 8'h08, 8'h09, 8'h0A, 8'h0B, 8'h1C: op_o.space = SpaceMemory;
              default: op_o.space = SpaceNone;
            endcase
            privileged = !su_i;
          end
          2'b10: fp = 1'b1;
          default: cp = 1'b1;
        endcase
        if (op3[5]) begin  // ldf, ldfsr, lddf, stf, stfsr, stdfq, stdf, and the co-processor's
          illegal = op3[3] || op3[2:0] == 3'd2;
          privileged = op3[3:0] == 4'd6 && !su_i;
        end else begin
          unique case (op3[3:0])
            4'h8, 4'hB, 4'hC, 4'hE: illegal = 1'b1;
            4'h3, 4'h7: illegal = inst_i[25];
            default: illegal = 1'b0;
          endcase
          if (op3[4] && is_imm) illegal = 1'b1;
        end
        if (illegal) privileged = 1'b0;
      end
    endcase

    if (illegal || privileged || fp || cp) begin
      op_o = '0;
      write_o = 1'b0;
      save_o = 1'b0;
      restore_o = 1'b0;
    end
  end

endmodule
