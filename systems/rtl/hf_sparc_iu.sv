// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A SPARC V8 integer unit with the seven stages and the clocks of a LEON3 (docs/integrate/leon3.md
// has the table): 8 register windows, precise traps, multiplication and division through Y, static
// branch prediction, memories that reply in one clock. Written from the architecture manual and
// from measured clocks. With Rotate = 1 it has the instruction of hf_sparc_rol64.
//
//   FE  the word at f_pc comes from the memory
//   DE  decoding and addressing of registers; branches and calls redirect the fetch. An instruction
//       waits here for:
//       - a register that the instruction before loads, multiplies or divides (one clock)
//       - wr %psr, %wim, %tbr before it: all instructions except nop wait until it is written
//       - a branch or call after jmpl: until jmpl has redirected the fetch
//       - a division: until Y is in ME, and a clock after another division
//       - rd %psr, and Ticc with a condition: until the condition codes are valid
//       - a branch, if its condition codes come from mulscc in RA, or from a multiplication or
//         division in RA or ME; or in the slot of a branch or call, or after Ticc: until they are
//         valid
//       - save, restore or rett in the slot of a branch in RA that may annul it (one clock)
//       - a branch or call in the slot of a branch in EX that may redirect the fetch itself
//   RA  operands: read, or forwarded from EX, ME, XC and the clock after it (WR)
//   EX  arithmetic, addresses, jumps; a store's data are written from here, in the slot after its
//       address; multiplication and division pass as 5 and 35 slots, of which the last writes
//   ME  the loaded word; Y, condition codes and state registers are written; interrupts
//   XC  the register is written, or the trap is taken
//   WR  the value written in XC, forwarded
//
// A branch whose condition codes are not valid yet is predicted as taken. When they become valid,
// with the branch in RA or EX, wrongly fetched instructions are dropped: one or two slots. Those of
// a multiplication or division count as valid when they have left ME.
//
// swap and ldstub take ten slots, the clocks that a LEON3 takes for both accesses on a bus that
// replies at once: a LEON3 never caches them.
//
// A read address is given a clock before its word, and addresses that do not exist are reported
// with the word. A store drives its address first, as a load does.

module hf_sparc_iu
  import hf_sparc_pkg::*;
#(
    parameter bit          Rotate   = 1'b0,
    parameter bit          Counters = 1'b0,  // ASR 20 counts completed instructions
    parameter int unsigned ResetPc  = 0
) (
    input logic clk_i,
    input logic rst_i,

    output logic [31:2] fetch_addr_o,
    input  logic [31:0] fetch_data_i,
    input  logic        fetch_error_i,

    output logic [31:2] data_addr_o,
    output logic [ 3:0] data_write_o,  // bit 3: the first byte, bits 31 .. 24
    output logic [31:0] data_wdata_o,
    input  logic [31:0] data_rdata_i,
    input  logic        data_error_i,

    input  logic [3:0] irl_i,      // level of the requested interrupt, 0: none
    output logic       irl_ack_o,  // the interrupt is accepted in this clock

    output logic   error_o,  // error mode: a trap while traps were disabled; until reset
    output trace_t trace_o
);

  localparam logic [31:0] Nop = 32'h0100_0000;
  localparam logic [7:0] Version = 8'hF3;  // of a LEON3, in PSR
  localparam logic [31:0] Config = 32'h0000_0107;  // multiplication and division; 8 windows

  // The bits of a write to the cache control register that are kept: flushes end at once, nothing
  // is pending.
  localparam logic [31:0] CacheMask = 32'hFF9E_3FFF;

  // Control of the pipeline, in the order of precedence.
  logic flush;    // a trap is taken: all slots before XC are dropped
  logic de_hold;  // FE and DE are stalled: a wait, or more slots of the same instruction
  // Slots that are dropped (kill) or stay without effect (annul).
  logic kill_fe, kill_de, annul_fe, annul_de, annul_ra;
  logic e_jumps, e_misses, a_resolves, a_misses;

  slot_t d_slot, a_q, e_q, m_q, x_q;
  op_t d_op, a_op_q, e_op_q, m_op_q;
  logic a_late_q, e_late_q;  // rd is valid only after EX
  logic a_predicted_q, e_predicted_q, a_annuls_q, e_annuls_q;
  logic a_turns_q;  // holds a branch, call or Ticc
  pc_t a_fall_q, e_fall_q;  // address after a branch that is not taken
  logic [1:0] a_count_q, e_count_q;
  logic m_commits, psr_commits;
  icc_t icc;  // from all instructions before the one in EX
  logic [31:0] e_result, m_result, m_result_q, x_result_q;

  ////////////////////
  // State          //
  ////////////////////

  icc_t icc_q;
  logic [3:0] pil_q;
  logic ps_q, et_q;
  logic [Windows-1:0] wim_q;
  logic [31:12] tba_q;
  logic [7:0] tt_q;
  logic [31:0] y_q;
  logic [31:0] cache_q;
  logic error_q;
  // S and CWP are those of DE, ahead of the later stages; each slot carries its own.
  logic su_q;
  window_t cwp_q;

  ////////////////////
  // FE             //
  ////////////////////

  pc_t f_pc_q, f_pc_d, f_next;

  assign f_next = f_pc_q + 30'd1;
  assign fetch_addr_o = f_pc_d;

  ////////////////////
  // DE             //
  ////////////////////

  logic d_valid_q, d_annul_q, d_error_q;
  logic [31:0] d_inst_q;
  pc_t d_pc_q;
  logic [1:0] d_count_q;  // slots of the instruction that have left DE

  op_t dec_op;
  logic dec_trap, dec_branch, dec_call, dec_save, dec_restore, dec_atomic;
  logic dec_read_1, dec_read_2, dec_write, dec_use_imm, dec_long, dec_tests;
  logic [1:0] dec_more;
  logic [7:0] dec_tt;
  logic [4:0] dec_rd;
  logic [31:0] dec_imm;

  logic d_there, d_acts, d_goes, d_more, d_wait;
  logic d_late;
  window_t cwp_next;
  place_t d_place_1, d_place_2;

  hf_sparc_decode #(
      .Rotate  (Rotate),
      .Counters(Counters)
  ) u_decode (
      .inst_i   (d_inst_q),
      .su_i     (su_q),
      .op_o     (dec_op),
      .trap_o   (dec_trap),
      .tt_o     (dec_tt),
      .branch_o (dec_branch),
      .call_o   (dec_call),
      .save_o   (dec_save),
      .restore_o(dec_restore),
      .more_o   (dec_more),
      .long_o   (dec_long),
      .atomic_o (dec_atomic),
      .tests_o  (dec_tests),
      .read_1_o (dec_read_1),
      .read_2_o (dec_read_2),
      .write_o  (dec_write),
      .rd_o     (dec_rd),
      .use_imm_o(dec_use_imm),
      .imm_o    (dec_imm)
  );

  logic d_first, d_stored;
  logic long_ends;  // DE has the last slot of a long instruction
  assign d_first = d_count_q == 2'd0;
  assign d_stored = !d_first && d_inst_q[30];  // a store's slots after the first
  assign d_there = d_valid_q && !d_annul_q;
  assign d_acts = d_there && !annul_de && !kill_de;
  assign d_more = dec_long ? d_first || !long_ends : d_count_q != dec_more;
  assign d_goes = d_acts && !d_wait;
  assign de_hold = d_acts && (d_wait || d_more);

  assign cwp_next = dec_save ? cwp_q - 3'd1 : dec_restore ? cwp_q + 3'd1 : cwp_q;
  assign d_place_1 = place(cwp_q, d_inst_q[18:14]);
  // After the first slot of a store, its second operand is the word to be stored.
  assign d_place_2 = !d_stored ? place(cwp_q, d_inst_q[4:0]) : place(
      cwp_q, {d_inst_q[29:26], d_inst_q[25] || d_count_q[1] && !dec_atomic}
  );

  // Waits. Slots after the first never wait.
  logic waits_load, waits_state, waits_jump, waits_y, waits_icc, waits_window, waits_branch;
  logic state_pending, jump_pending, conditional, icc_known, icc_waited, m_icc_late;
  assign waits_load = a_q.live && a_late_q && a_q.write &&
      ((dec_read_1 && d_place_1 == a_q.rd) || (dec_read_2 && d_place_2 == a_q.rd));
  assign state_pending = (a_q.live && a_op_q.write_state) || (e_q.live && e_op_q.write_state) ||
      (m_q.live && m_op_q.write_state);
  assign waits_state = state_pending && d_inst_q != Nop;
  assign jump_pending = (a_q.live && a_op_q.jump) || (e_q.live && e_op_q.jump);
  assign waits_jump = jump_pending && (dec_branch || dec_call);
  assign waits_y = dec_op.divide && ((a_q.live && (a_op_q.write_y || a_op_q.divide)) ||
                                     (e_q.live && e_op_q.write_y));
  assign icc_waited = m_icc_late ||
      (a_q.live && a_op_q.write_icc && (a_op_q.write_y || a_op_q.divide));
  assign waits_icc = (conditional && icc_waited) ||
      ((dec_tests || (conditional && a_turns_q)) && !icc_known);
  // So S and CWP need not be restored when a slot is annulled in RA.
  assign waits_window = a_predicted_q && a_annuls_q && (dec_save || dec_restore);
  assign waits_branch = e_predicted_q && !a_q.first && (dec_branch || dec_call);
  assign d_wait = d_first && (waits_load || waits_state || waits_jump || waits_y || waits_icc ||
                              waits_window || waits_branch);

  // Branches. `icc` is valid for DE if no instruction in RA or EX sets it. The next fetch does not
  // depend on dropped slots: if a slot is dropped, the fetch is redirected anyway.
  logic unconditional, predicted, taken, turns;
  assign m_icc_late = m_q.live && m_op_q.write_icc && (m_op_q.multiply || m_op_q.divide);
  assign icc_known = !(a_q.live && a_op_q.write_icc) && !(e_q.live && e_op_q.write_icc) &&
      !m_icc_late;
  assign unconditional = d_inst_q[27:25] == 3'd0;
  assign conditional = dec_branch && !unconditional;
  assign predicted = conditional && !icc_known;
  assign taken = predicted || holds(d_inst_q[28:25], icc);
  assign turns = d_there && !d_error_q && (dec_call || (dec_branch && taken));
  // The annul bit applies always to an unconditional branch, and to others if they are not taken.
  assign annul_fe = d_goes && !d_error_q && dec_branch && d_inst_q[29] && (unconditional || !taken);

  always_comb begin
    d_op = dec_op;
    d_late = dec_op.load || dec_op.multiply || dec_op.divide;
    d_slot.first = d_valid_q && d_first;
    d_slot.live = d_goes;
    d_slot.pc = d_pc_q;
    d_slot.cwp = cwp_q;
    d_slot.su = su_q;
    d_slot.write = dec_write && dec_rd != 5'd0;
    d_slot.rd = place(cwp_next, dec_rd);
    d_slot.trap = d_error_q || dec_trap;
    d_slot.tt = d_error_q ? TrapFetch : dec_tt;
    if (!d_slot.trap && (dec_save || dec_restore) && wim_q[cwp_next]) begin
      d_slot.trap = 1'b1;
      d_slot.tt   = dec_save ? TrapOverflow : TrapUnderflow;
    end
    // Slots of ldd: load, load. Of st: address, store. Of std: address, store, store. Of swap and
    // ldstub: load, store, then none with effect. Of multiplication and division only the last slot
    // writes.
    if (dec_op.load && dec_op.size == SizeDouble) begin
      d_slot.rd[0] = d_count_q[0];
      d_slot.write = 1'b1;
      if (d_inst_q[29:26] == 4'd0 && !d_count_q[0]) d_slot.write = 1'b0;  // %g0
    end
    if (!d_first) begin
      if (dec_op.store) begin
        d_op.load = 1'b0;
        d_late = 1'b0;
        d_slot.write = 1'b0;
      end
      if (dec_atomic && d_count_q[1]) d_op.store = 1'b0;
    end
    if ((dec_op.multiply || dec_op.divide) && d_more) begin
      d_op.write_icc = 1'b0;
      d_op.write_y = 1'b0;
      d_slot.write = 1'b0;
    end
  end

  // The next instruction into DE.
  always_ff @(posedge clk_i) begin
    if (rst_i || flush || error_q) begin
      d_valid_q <= 1'b0;
      d_count_q <= '0;
    end else if (de_hold) begin
      if (!d_wait && !d_count_q[1]) d_count_q <= d_count_q + 2'd1;
    end else begin
      d_valid_q <= !kill_fe;
      d_annul_q <= annul_fe;
      d_error_q <= fetch_error_i;
      d_inst_q  <= fetch_data_i;
      d_pc_q    <= f_pc_q;
      d_count_q <= '0;
    end
  end

  // S and CWP.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      su_q  <= 1'b1;
      cwp_q <= '0;
    end else if (flush) begin
      su_q  <= 1'b1;
      cwp_q <= x_q.cwp - 3'd1;
    end else if (psr_commits) begin
      su_q  <= m_result_q[7];
      cwp_q <= m_result_q[2:0];
    end else if (d_goes && !d_slot.trap) begin
      cwp_q <= cwp_next;
      if (dec_op.rett) su_q <= ps_q;
    end
  end

  ////////////////////
  // RA             //
  ////////////////////

  place_t a_place_1_q, a_place_2_q;
  logic a_zero_1_q, a_zero_2_q, a_use_imm_q;
  logic [31:0] a_imm_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || flush) begin
      a_q.live <= 1'b0;
      a_q.first <= 1'b0;
      a_predicted_q <= 1'b0;
    end else begin
      a_q <= d_slot;
      if (d_wait || kill_de) a_q.first <= 1'b0;
      if (psr_commits) begin
        a_q.su  <= m_result_q[7];
        a_q.cwp <= m_result_q[2:0];
      end
      a_op_q <= d_op;
      a_late_q <= d_late;
      a_count_q <= d_count_q;
      a_predicted_q <= d_goes && !d_error_q && predicted;
      a_turns_q <= d_goes && (dec_branch || dec_call || dec_op.ticc);
      a_annuls_q <= d_inst_q[29];
      a_fall_q <= f_next;
      a_place_1_q <= d_place_1;
      a_place_2_q <= d_place_2;
      a_zero_1_q <= d_inst_q[18:14] == 5'd0;
      a_zero_2_q <= !d_stored ? d_inst_q[4:0] == 5'd0 : d_inst_q[29:25] == 5'd0 && !d_count_q[1];
      a_use_imm_q <= dec_use_imm && !d_stored;
      a_imm_q <= dec_imm;
    end
  end

  logic write;
  place_t write_place;
  logic [31:0] write_data, read_1, read_2;

  // 8 windows and the globals: 136 of 256 words. A word that is written in the clock of its address
  // comes by forwarding.
  hf_ram_2r #(
      .Width(32),
      .Depth(256)
  ) u_regfile (
      .clk_i,
      .write_i     (write),
      .write_addr_i(write_place),
      .write_data_i(write_data),
      .addr_1_i    (d_place_1),
      .data_1_o    (read_1),
      .addr_2_i    (d_place_2),
      .data_2_o    (read_2)
  );

  // Forwarding: the latest slot has priority. The word that EX loads is not valid yet: the slot
  // after a load that names its rd is the store of a swap, which needs the old value.
  logic [31:0] w_data_q;
  place_t w_place_q;
  logic w_write_q;
  logic [31:0] operand_1, operand_2;

  always_comb begin
    operand_1 = a_zero_1_q ? '0 : read_1;
    if (w_write_q && w_place_q == a_place_1_q) operand_1 = w_data_q;
    if (x_q.live && x_q.write && x_q.rd == a_place_1_q) operand_1 = x_result_q;
    if (m_q.live && m_q.write && m_q.rd == a_place_1_q) operand_1 = m_result;
    if (e_q.live && e_q.write && !e_late_q && e_q.rd == a_place_1_q) operand_1 = e_result;
  end
  always_comb begin
    operand_2 = a_zero_2_q ? '0 : read_2;
    if (w_write_q && w_place_q == a_place_2_q) operand_2 = w_data_q;
    if (x_q.live && x_q.write && x_q.rd == a_place_2_q) operand_2 = x_result_q;
    if (m_q.live && m_q.write && m_q.rd == a_place_2_q) operand_2 = m_result;
    if (e_q.live && e_q.write && !e_late_q && e_q.rd == a_place_2_q) operand_2 = e_result;
    if (a_use_imm_q) operand_2 = a_imm_q;
  end

  ////////////////////
  // EX             //
  ////////////////////

  logic [31:0] e_op1_q, e_op2_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || flush) begin
      e_q.live <= 1'b0;
      e_q.first <= 1'b0;
      e_predicted_q <= 1'b0;
    end else begin
      e_q <= a_q;
      if (annul_ra) e_q.live <= 1'b0;
      if (psr_commits) begin
        e_q.su  <= m_result_q[7];
        e_q.cwp <= m_result_q[2:0];
      end
      e_op_q <= a_op_q;
      e_late_q <= a_late_q;
      e_count_q <= a_count_q;
      e_predicted_q <= a_predicted_q && !annul_ra && !(a_resolves && !e_misses);
      e_annuls_q <= a_annuls_q;
      e_fall_q <= a_fall_q;
      e_op1_q <= operand_1;
      e_op2_q <= operand_2;
    end
  end

  logic [31:0] retired;  // instructions before the one in EX
  logic [31:0] e_sum, e_logic, e_shift, e_alu_y, e_y, e_state, rotate_y, rotate_rd;
  icc_t e_alu_icc;
  logic e_tag_overflow;

  hf_sparc_alu u_alu (
      .op_i          (e_op_q),
      .op1_i         (e_op1_q),
      .op2_i         (e_op2_q),
      .y_i           (e_y),
      .icc_i         (icc),
      .sum_o         (e_sum),
      .logic_o       (e_logic),
      .shift_o       (e_shift),
      .y_o           (e_alu_y),
      .icc_o         (e_alu_icc),
      .tag_overflow_o(e_tag_overflow)
  );

  if (Rotate) begin : gen_rotate
    hf_sparc_rol64 u_rol64 (
        .y_i     (e_y),
        .rs1_i   (e_op1_q),
        .amount_i(e_op2_q[5:0]),
        .y_o     (rotate_y),
        .rd_o    (rotate_rd)
    );
  end else begin : gen_no_rotate
    assign rotate_y  = '0;
    assign rotate_rd = '0;
  end

  logic quotient_overflow, quotient_zero;
  logic [63:0] product;
  logic [31:0] quotient;

  hf_sparc_muldiv u_muldiv (
      .clk_i,
      .multiply_i (e_q.live && e_op_q.multiply),
      .divide_i   (e_q.live && e_op_q.divide),
      .atomic_i   (e_q.live && e_op_q.atomic),
      .is_signed_i(e_op_q.is_signed),
      .y_i        (e_y),
      .op1_i      (e_op1_q),
      .op2_i      (e_op2_q),
      .ends_o     (long_ends),
      .product_o  (product),
      .quotient_o (quotient),
      .overflow_o (quotient_overflow),
      .zero_o     (quotient_zero)
  );

  always_comb begin
    unique case (e_op_q.state)
      StateY: e_state = e_y;
      StatePsr:
      e_state = {Version, icc, 6'b0, 2'b0, pil_q, e_q.su, ps_q, et_q, 2'b0, e_q.cwp};
      StateWim: e_state = {24'b0, wim_q};
      StateTbr: e_state = {tba_q, tt_q, 4'b0};
      StateCount: e_state = retired;
      default: e_state = Config;
    endcase
  end

  always_comb begin
    unique case (e_op_q.result)
      ResultSum: e_result = e_sum;
      ResultLogic: e_result = e_logic;
      ResultShift: e_result = e_shift;
      ResultState: e_result = e_state;
      ResultPc: e_result = {e_q.pc, 2'b0};
      default: e_result = rotate_rd;
    endcase
  end

  // Traps that depend on the operands.
  logic e_address, e_misaligned, e_trap;
  logic [7:0] e_tt;
  always_comb begin
    e_address = (e_op_q.load || e_op_q.store) && e_count_q == 2'd0;
    unique case (e_op_q.size)
      SizeByte: e_misaligned = 1'b0;
      SizeHalf: e_misaligned = e_sum[0];
      SizeWord: e_misaligned = e_sum[1:0] != 2'd0;
      default: e_misaligned = e_sum[2:0] != 3'd0;
    endcase
    e_trap = 1'b1;
    e_tt   = e_q.tt;
    if (e_q.trap) e_tt = e_q.tt;
    else if (e_address && e_misaligned) e_tt = TrapMisaligned;
    else if (e_op_q.jump && e_sum[1:0] != 2'd0) e_tt = TrapMisaligned;
    else if (e_op_q.ticc && holds(e_op_q.cond, icc)) e_tt = TrapSoftware | {1'b0, e_sum[6:0]};
    else if (e_tag_overflow) e_tt = TrapTag;
    else if (e_op_q.divide && e_op2_q == '0) e_tt = TrapDivision;
    else if (e_op_q.write_state && e_op_q.state == StatePsr && e_logic[4:3] != 2'd0)
      e_tt = TrapIllegal;
    else e_trap = 1'b0;
  end

  // Jumps, and branches that were predicted wrongly.
  assign e_jumps = e_q.live && e_op_q.jump && !e_q.trap;
  assign e_misses = e_q.live && e_predicted_q && !holds(e_op_q.cond, icc);
  assign a_resolves = a_q.live && a_predicted_q && !(e_q.live && e_op_q.write_icc) && !m_icc_late;
  assign a_misses = a_resolves && !holds(a_op_q.cond, icc);

  // Slots to drop: a jump keeps the one instruction after it, in whatever stage that is. A wrongly
  // predicted branch keeps the instruction in its slot, or annuls it.
  always_comb begin
    annul_ra = 1'b0;
    annul_de = 1'b0;
    kill_de  = 1'b0;
    kill_fe  = 1'b0;
    if (e_jumps) begin
      kill_de = a_q.first && d_first;
      kill_fe = a_q.first || d_valid_q;
    end else if (e_misses) begin
      annul_ra = e_annuls_q;
      kill_de  = (a_q.first && d_first) || e_annuls_q;
      kill_fe  = 1'b1;
    end else if (a_misses) begin
      annul_de = a_annuls_q;
      kill_fe  = 1'b1;
    end
  end

  // DE's request is late, so it selects last.
  logic away, stays;
  pc_t f_away, f_on, target;
  always_comb begin
    away = 1'b1;
    f_away = a_fall_q;
    if (rst_i) f_away = pc_t'(ResetPc >> 2);
    else if (flush) f_away = {tba_q, x_q.tt, 2'b0};
    else if (error_q) f_away = f_pc_q;
    else if (e_jumps) f_away = e_sum[31:2];
    else if (e_misses) f_away = e_fall_q;
    else away = a_misses;
  end
  assign target = d_pc_q + (dec_call ? d_inst_q[29:0] : {{8{d_inst_q[21]}}, d_inst_q[21:0]});
  assign stays = d_there && (d_wait || d_more);
  assign f_on = turns ? target : f_next;
  assign f_pc_d = away ? f_away : stays ? f_pc_q : f_on;
  always_ff @(posedge clk_i) f_pc_q <= f_pc_d;

  ////////////////////
  // Data memory    //
  ////////////////////

  logic [31:0] m_addr_q;
  logic stores;
  logic e_from_load_q;  // the slot after the load of swap or ldstub
  logic [3:0] lanes;

  assign stores = e_q.live && e_op_q.store && e_count_q != 2'd0 &&
      e_op_q.space == SpaceMemory && !flush && (m_commits || !m_q.live);
  always_comb begin
    unique case (e_op_q.size)
      SizeByte: begin
        lanes = 4'b1000 >> m_addr_q[1:0];
        data_wdata_o = {4{e_op2_q[7:0]}};
      end
      SizeHalf: begin
        lanes = m_addr_q[1] ? 4'b0011 : 4'b1100;
        data_wdata_o = {2{e_op2_q[15:0]}};
      end
      default: begin
        lanes = 4'b1111;
        data_wdata_o = e_op2_q;
      end
    endcase
    // ldstub: the only store of a byte whose first slot is a load.
    if (e_op_q.size == SizeByte && e_from_load_q) data_wdata_o = '1;
    data_write_o = stores ? lanes : '0;
    if (e_count_q == 2'd0) data_addr_o = e_sum[31:2];
    else begin
      // The second word of ldd and std.
      data_addr_o = {m_addr_q[31:3], m_addr_q[2] || e_op_q.load || e_count_q[1]};
    end
  end

  always_ff @(posedge clk_i) e_from_load_q <= e_q.live && e_op_q.load;

  ////////////////////
  // ME             //
  ////////////////////

  logic [31:0] m_y_q, m_y, m_loaded;
  icc_t m_icc_q;
  logic m_address_q, m_trap, m_interrupt;
  logic [7:0] m_tt;

  always_ff @(posedge clk_i) begin
    if (rst_i || flush) begin
      m_q.live  <= 1'b0;
      m_q.first <= 1'b0;
    end else begin
      m_q <= e_q;
      m_q.trap <= e_trap;
      m_q.tt <= e_tt;
      if (psr_commits) begin
        m_q.su  <= m_result_q[7];
        m_q.cwp <= m_result_q[2:0];
      end
    end
    m_op_q <= e_op_q;
    m_address_q <= e_address && e_op_q.space == SpaceMemory;
    m_result_q <= e_result;
    if (e_op_q.multiply) m_result_q <= product[31:0];
    if (e_op_q.divide) m_result_q <= quotient;
    if (e_op_q.load) m_result_q <= '0;
    if (e_count_q == 2'd0) m_addr_q <= e_sum;
    else m_addr_q[2] <= m_addr_q[2] || e_op_q.load;
    m_y_q <= e_op_q.result == ResultRotate ? rotate_y : e_alu_y;
    m_icc_q <= e_alu_icc;
    if (e_op_q.multiply) m_icc_q <= {product[31], product[31:0] == '0, 2'b00};
    if (e_op_q.divide) begin
      m_icc_q.n <= quotient[31];
      m_icc_q.z <= quotient_zero;
      m_icc_q.v <= quotient_overflow;
      m_icc_q.c <= 1'b0;
    end
  end

  // The loaded word, aligned to the right.
  logic [15:0] m_half;
  logic [7:0] m_byte;
  logic [31:0] m_config;
  assign m_half = m_addr_q[1] ? data_rdata_i[15:0] : data_rdata_i[31:16];
  assign m_byte = m_addr_q[0] ? m_half[7:0] : m_half[15:8];
  always_comb begin
    unique case (m_op_q.size)
      SizeByte: m_loaded = {{24{m_op_q.is_signed && m_byte[7]}}, m_byte};
      SizeHalf: m_loaded = {{16{m_op_q.is_signed && m_half[15]}}, m_half};
      default: m_loaded = data_rdata_i;
    endcase
  end
  assign m_config = m_addr_q[7:2] == '0 ? cache_q : '0;

  always_comb begin
    m_result = m_result_q;
    if (m_op_q.load && m_op_q.space == SpaceCache) m_result = m_config;
    if (m_op_q.load && m_op_q.space == SpaceMemory) m_result = m_loaded;
  end

  assign m_y = m_op_q.multiply ? product[63:32] : m_y_q;
  assign e_y = m_q.live && m_op_q.write_y ? m_y : y_q;
  assign icc = m_q.live && m_op_q.write_icc ? m_icc_q : icc_q;

  logic [3:0] irl_q;
  always_ff @(posedge clk_i) irl_q <= rst_i ? '0 : irl_i;
  assign m_interrupt = et_q && (irl_q == 4'd15 || irl_q > pil_q) && m_q.first;

  always_comb begin
    m_trap = 1'b1;
    m_tt   = m_q.tt;
    if (m_op_q.rett && et_q) m_tt = TrapIllegal;
    else if (m_q.trap) m_tt = m_q.tt;
    else if (m_address_q && data_error_i) m_tt = TrapData;
    else if (m_interrupt) m_tt = TrapInterrupt | {4'd0, irl_q};
    else m_trap = 1'b0;
  end

  assign m_commits   = m_q.live && !m_trap && !flush;
  assign psr_commits = m_commits && m_op_q.write_state && m_op_q.state == StatePsr;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      et_q <= 1'b0;
      ps_q <= 1'b1;
      pil_q <= '0;
      icc_q <= '0;
      wim_q <= 8'd1;
      tba_q <= '0;
      tt_q <= '0;
      y_q <= '0;
      cache_q <= '0;
    end else begin
      if (m_commits) begin
        if (m_op_q.write_y) y_q <= m_y;
        if (m_op_q.write_icc) icc_q <= m_icc_q;
        if (m_op_q.rett) et_q <= 1'b1;
        if (m_op_q.write_state) begin
          unique case (m_op_q.state)
            StatePsr: begin
              icc_q <= m_result_q[23:20];
              pil_q <= m_result_q[11:8];
              ps_q  <= m_result_q[6];
              et_q  <= m_result_q[5];
            end
            StateWim: wim_q <= m_result_q[Windows-1:0];
            default: begin
              tba_q <= m_result_q[31:12];
            end
          endcase
        end
      end
      if (e_q.live && e_op_q.store && e_count_q == 2'd1 && e_op_q.space == SpaceCache &&
          m_commits && m_addr_q[7:2] == '0) begin
        cache_q <= e_op2_q & CacheMask;
      end
      if (flush) begin
        tt_q <= x_q.tt;
        if (et_q) begin
          et_q <= 1'b0;
          ps_q <= x_q.su;
        end
      end
    end
  end

  ////////////////////
  // XC, WR         //
  ////////////////////

  logic second_q;  // the clock after a trap: its second register
  pc_t npc, npc_q;

  assign flush = x_q.live && x_q.trap && !error_q;
  assign irl_ack_o = flush && et_q && x_q.tt[7:4] == 4'd1;

  always_ff @(posedge clk_i) begin
    if (rst_i || flush || error_q) begin
      x_q.live  <= 1'b0;
      x_q.first <= 1'b0;
      x_q.trap  <= 1'b0;
    end else begin
      x_q <= m_q;
      x_q.trap <= m_trap;
      x_q.tt <= m_tt;
    end
    x_result_q <= m_result;
    second_q <= flush && et_q && !rst_i;
    npc_q <= npc;
    if (rst_i) error_q <= 1'b0;
    else if (flush && !et_q) error_q <= 1'b1;
  end

  // The instruction after the one in XC. An instruction of which DE has sent a slot is the one in
  // XC.
  always_comb begin
    if (m_q.first) npc = m_q.pc;
    else if (e_q.first) npc = e_q.pc;
    else if (a_q.first) npc = a_q.pc;
    else if (d_valid_q && d_first) npc = d_pc_q;
    else npc = f_pc_q;
  end

  if (Counters) begin : gen_counters
    logic [31:0] retired_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) retired_q <= '0;
      else retired_q <= retired_q + 32'(x_q.live && x_q.first && !x_q.trap);
    end
    assign retired = retired_q + 32'(m_q.live && m_q.first) + 32'(x_q.live && x_q.first);
  end else begin : gen_no_counters
    assign retired = '0;
  end

  // A trap writes PC and nPC to %l1 and %l2 of the new window.
  always_comb begin
    write = x_q.live && x_q.write && !x_q.trap;
    write_place = x_q.rd;
    write_data = x_result_q;
    if (flush) begin
      write = et_q;
      write_place = place(x_q.cwp - 3'd1, 5'd17);
      write_data = {x_q.pc, 2'b0};
    end
    if (second_q) begin
      write = 1'b1;
      write_place = place(cwp_q, 5'd18);
      write_data = {npc_q, 2'b0};
    end
  end

  always_ff @(posedge clk_i) begin
    w_write_q <= write;
    w_place_q <= write_place;
    w_data_q  <= write_data;
  end

  assign error_o = error_q;

  logic unused;  // ME uses few fields of a slot
  assign unused = ^m_op_q;

  always_comb begin
    trace_o.valid = x_q.live && x_q.first;
    trace_o.trap = x_q.trap;
    trace_o.pc = {x_q.pc, 2'b0};
    trace_o.su = x_q.su;
    trace_o.cwp = x_q.cwp;
    trace_o.write = write;
    trace_o.place = write_place;
    trace_o.data = write_data;
    trace_o.psr = {Version, icc_q, 8'b0, pil_q, su_q, ps_q, et_q, 2'b0, cwp_q};
    trace_o.wim = {24'b0, wim_q};
    trace_o.y = y_q;
    trace_o.tbr = {tba_q, tt_q, 4'b0};
  end

endmodule
