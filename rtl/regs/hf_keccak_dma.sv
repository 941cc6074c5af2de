// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral with a DMA master, without its buses (docs/integrate/dma.md): hf_keccak_apb
// as it is, whose registers and AXI4-Stream input hf_keccak_dma_list drives while a list runs. Until
// then they are the processor's, in the lower 512 bytes; the master's own registers
// (rtl/regs/hf_keccak_dma_regs.rdl) are in the upper 512.
//
// While a list runs an access to the peripheral's registers is refused: a write has no effect, a read
// returns all ones, and INTR_STATE.refused is set. The peripheral's interrupt is low for as long.

module hf_keccak_dma
  import hf_keccak_dma_csr_pkg::*;
#(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter int unsigned BurstWords = 16,  // longest burst of a read: a power of two, 16 to 64
    // Words that are read ahead at most: a power of two, twice BurstWords to 128.
    parameter int unsigned BufferWords = 64,
    // Bits of a word of a message, and of what is read: 32, or 64 with keccak-iterative.
    parameter int unsigned WordWidth = 32,
    localparam int unsigned LengthWidth = $clog2(BurstWords)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // Registers: an access ends with ready, in the clock after its first one at the earliest.
    input  logic        valid_i,
    input  logic        write_i,
    input  logic [ 9:0] addr_i,
    input  logic [31:0] data_i,
    input  logic [ 3:0] bytes_i,
    output logic        ready_o,
    output logic [31:0] data_o,

    output logic irq_o,

    // Reads of memory, and writes: hf_keccak_dma_axi, hf_keccak_dma_wb.
    output logic                   burst_valid_o,
    input  logic                   burst_ready_i,
    output logic [           31:2] burst_addr_o,
    output logic [LengthWidth-1:0] burst_len_o,
    input  logic                   read_valid_i,
    input  logic [  WordWidth-1:0] read_data_i,
    input  logic                   read_error_i,
    input  logic                   read_last_i,
    output logic                   write_valid_o,
    output logic [           31:2] write_addr_o,
    output logic [            3:0] write_len_o,
    output logic [            3:0] write_bytes_o,
    output logic [           31:0] write_data_o,
    input  logic                   write_take_i,
    input  logic                   write_done_i,
    input  logic                   write_error_i
);

  hf_keccak_dma_regs__in_t  regs_in;
  hf_keccak_dma_regs__out_t regs_out;
  logic running, runs_now;

  ////////////////////
  // Registers      //
  ////////////////////

  logic of_master;  // the access is one to the master's registers
  logic refused, refused_q;
  logic master_ready, bad_access, unused_failed;
  logic [31:0] master_data;
  logic list_valid, list_write;
  logic [8:0] list_addr;
  logic [31:0] list_data;
  logic valid, write, ready, failed;
  logic [8:0] addr;
  logic [31:0] data, found;
  logic [3:0] bytes;

  // The list begins in the clock after `start`; no access of the processor may be under way then.
  // With `abort` beside it none begins.
  assign runs_now  = running ||
      (regs_out.COMMAND.start.value && !regs_out.COMMAND.abort.value);
  assign of_master = addr_i[9];
  assign refused   = valid_i && !of_master && runs_now && !refused_q;
  always_ff @(posedge clk_i) refused_q <= refused && !rst_i;

  // The list's answers come a clock late, since the registers' answers have long paths.
  logic list_ready_q;
  logic [31:0] list_found_q;
  always_ff @(posedge clk_i) begin
    list_ready_q <= ready && running && !rst_i;
    list_found_q <= found;
  end

  assign valid = running ? list_valid && !list_ready_q :
      valid_i && !of_master && !runs_now && !refused_q;
  assign write = running ? list_write : write_i;
  assign addr = running ? list_addr : addr_i[8:0];
  assign data = running ? list_data : data_i;
  assign bytes = running ? 4'hF : bytes_i;

  assign ready_o = of_master ? master_ready : refused_q || (ready && !running);
  assign data_o = of_master ? master_data : refused_q ? '1 : found;

  hf_keccak_dma_csr_apb u_registers (
      .clk(clk_i),
      .rst(rst_i),
      .s_apb_psel(valid_i && of_master),
      .s_apb_penable(valid_i && of_master),
      .s_apb_pwrite(write_i),
      .s_apb_pprot(3'b000),
      // All of the page answers: addresses beyond the registers are those of one that is not there.
      .s_apb_paddr((addr_i[8:6] != '0) ? 6'h3C : addr_i[5:0]),
      .s_apb_pwdata(data_i),
      .s_apb_pstrb(bytes_i),
      .s_apb_pready(master_ready),
      .s_apb_prdata(master_data),
      .s_apb_pslverr(unused_failed),
      .bad_access,
      .hwif_in(regs_in),
      .hwif_out(regs_out)
  );

  cause_e_e cause;
  logic [31:0] fault, descriptor;
  logic [15:0] descriptors;
  logic done, interrupt, error, any_refused;
  assign any_refused = refused || bad_access ||
      (running && (regs_out.COMMAND.start.value || regs_out.HEAD.address.swmod));

  always_comb begin
    regs_in.CAPS.burst_words.next = 8'(BurstWords);
    regs_in.CAPS.buffer_words.next = 8'(BufferWords);
    regs_in.HEAD.address.swwe = !running;
    regs_in.STATUS.running.next = runs_now;
    regs_in.STATUS.cause.next = cause;
    regs_in.STATUS.descriptors.next = descriptors;
    regs_in.FAULT.address.next = fault;
    regs_in.DESCRIPTOR.address.next = descriptor;
    regs_in.INTR_STATE.done.hwset = done || regs_out.INTR_TEST.done.value;
    regs_in.INTR_STATE.descriptor.hwset = interrupt || regs_out.INTR_TEST.descriptor.value;
    regs_in.INTR_STATE.error.hwset = error || regs_out.INTR_TEST.error.value;
    regs_in.INTR_STATE.refused.hwset = any_refused || regs_out.INTR_TEST.refused.value;
  end

  logic peripheral_irq;
  assign irq_o = (peripheral_irq && !runs_now) ||
      (regs_out.INTR_STATE.done.value && regs_out.INTR_ENABLE.done.value) ||
      (regs_out.INTR_STATE.descriptor.value && regs_out.INTR_ENABLE.descriptor.value) ||
      (regs_out.INTR_STATE.error.value && regs_out.INTR_ENABLE.error.value) ||
      (regs_out.INTR_STATE.refused.value && regs_out.INTR_ENABLE.refused.value);

  ////////////////////
  // The list       //
  ////////////////////

  logic read_start, read_stop, read_flush, read_open, read_error;
  logic [31:2] read_addr, read_error_addr;
  logic [30:0] read_words;
  logic word_valid, word_last, word_take, list_take, align_take;
  logic [WordWidth-1:0] word;
  logic [31:0] list_word;  // of a descriptor
  logic list_word_taken;  // and `word` has no more
  logic segment_start, segment_busy, finish, empty;
  logic [2:0] segment_first, segment_end;
  logic put;
  logic [31:0] put_data;

  hf_keccak_dma_list u_list (
      .clk_i,
      .rst_i,
      .start_i          (regs_out.COMMAND.start.value),
      .abort_i          (regs_out.COMMAND.abort.value),
      .head_i           (regs_out.HEAD.address.value),
      .running_o        (running),
      .cause_o          (cause),
      .fault_o          (fault),
      .descriptor_o     (descriptor),
      .descriptors_o    (descriptors),
      .done_o           (done),
      .interrupt_o      (interrupt),
      .error_o          (error),
      .reg_valid_o      (list_valid),
      .reg_write_o      (list_write),
      .reg_addr_o       (list_addr),
      .reg_data_o       (list_data),
      .reg_ready_i      (list_ready_q),
      .reg_data_i       (list_found_q),
      .read_start_o     (read_start),
      .read_addr_o      (read_addr),
      .read_words_o     (read_words),
      .read_stop_o      (read_stop),
      .read_flush_o     (read_flush),
      .read_open_i      (read_open),
      .read_error_i     (read_error),
      .read_error_addr_i(read_error_addr),
      .word_valid_i     (word_valid),
      .word_i           (list_word),
      .word_take_o      (list_take),
      .segment_start_o  (segment_start),
      .segment_first_o  (segment_first),
      .segment_end_o    (segment_end),
      .segment_busy_i   (segment_busy),
      .finish_o         (finish),
      .empty_i          (empty),
      .put_o            (put),
      .put_data_o       (put_data),
      .write_valid_o,
      .write_addr_o,
      .write_len_o,
      .write_bytes_o,
      .write_done_i,
      .write_error_i
  );

  ////////////////////
  // Memory         //
  ////////////////////

  localparam bit Fits = $countones(BurstWords) == 1 && $countones(BufferWords) == 1 &&
      BurstWords >= 16 && BurstWords <= 64 && BufferWords >= 2 * BurstWords && BufferWords <= 128;

  if (WordWidth == 32) begin : gen_words
    assign list_word = word;
    assign list_word_taken = list_take;
  end else begin : gen_halves
    // A descriptor is read by halves, of which the last one is a lower one.
    logic upper_q;
    always_ff @(posedge clk_i) begin
      if (rst_i || read_flush) upper_q <= 1'b0;
      else if (list_take) upper_q <= !list_word_taken;
    end
    assign list_word = upper_q ? word[WordWidth-1-:32] : word[31:0];
    assign list_word_taken = list_take && (upper_q || word_last);
  end

  assign word_take = list_word_taken || align_take;
  hf_keccak_dma_read #(
      .BurstWords (BurstWords),
      .BufferWords(Fits ? BufferWords : 2 * BurstWords),
      .WordWidth  (WordWidth)
  ) u_read (
      .clk_i,
      .rst_i,
      .start_i     (read_start),
      .addr_i      (read_addr),
      .words_i     (read_words),
      .stop_i      (read_stop),
      .flush_i     (read_flush),
      .open_o      (read_open),
      .error_o     (read_error),
      .error_addr_o(read_error_addr),
      .burst_valid_o,
      .burst_ready_i,
      .burst_addr_o,
      .burst_len_o,
      .data_valid_i(read_valid_i),
      .data_i      (read_data_i),
      .data_error_i(read_error_i),
      .data_last_i (read_last_i),
      .word_valid_o(word_valid),
      .word_o      (word),
      .word_last_o (word_last),
      .word_take_i (word_take)
  );

  logic s_valid, s_ready;
  logic [WordWidth-1:0] s_data;
  logic [WordWidth/8-1:0] s_keep;
  localparam int unsigned OffsetWidth = $clog2(WordWidth / 8);
  if (OffsetWidth < 3) begin : gen_no_half
    logic unused_half;
    assign unused_half = ^{segment_first[2], segment_end[2]};
  end
  hf_keccak_dma_align #(
      .WordWidth(WordWidth)
  ) u_align (
      .clk_i,
      .rst_i       (rst_i || read_flush),
      .start_i     (segment_start),
      .first_i     (segment_first[OffsetWidth-1:0]),
      .end_i       (segment_end[OffsetWidth-1:0]),
      .busy_o      (segment_busy),
      .word_valid_i(word_valid),
      .word_i      (word),
      .word_last_i (word_last),
      .word_take_o (align_take),
      .finish_i    (finish),
      .empty_o     (empty),
      .m_valid_o   (s_valid),
      .m_ready_i   (s_ready),
      .m_data_o    (s_data),
      .m_keep_o    (s_keep)
  );

  logic write_full, write_filled, unused_write;
  logic [4:0] write_level;
  hf_fifo #(
      .Width(32),
      .Depth(hf_keccak_dma_pkg::WriteWords)
  ) u_write (
      .clk_i,
      .clear_i(rst_i || write_done_i || read_flush),
      .write_i(put),
      .data_i (put_data),
      .full_o (write_full),
      .valid_o(write_filled),
      .data_o (write_data_o),
      .read_i (write_take_i),
      .level_o(write_level)
  );
  assign unused_write = ^{write_full, write_filled, write_level, failed};

  hf_keccak_apb #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (1'b1),
      .Sampler        (Sampler),
      .WordWidth      (WordWidth)
  ) u_keccak (
      .clk_i,
      .rst_i,
      .s_apb_psel   (valid),
      .s_apb_penable(valid),
      .s_apb_pwrite (write),
      .s_apb_pprot  (3'b000),
      .s_apb_paddr  (addr),
      .s_apb_pwdata (data),
      .s_apb_pstrb  (bytes),
      .s_apb_pready (ready),
      .s_apb_prdata (found),
      .s_apb_pslverr(failed),
      .s_axis_tvalid(s_valid),
      .s_axis_tready(s_ready),
      .s_axis_tdata (s_data),
      .s_axis_tkeep (s_keep),
      .s_axis_tlast (1'b0),
      .irq_o        (peripheral_irq)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if ($countones(BurstWords) != 1 || BurstWords < 16 || BurstWords > 64) begin : gen_bad_burst
    $fatal(1, "hf_keccak_dma: BurstWords is 16, 32 or 64, not %0d", BurstWords);
  end
  if ($countones(
          BufferWords
      ) != 1 || BufferWords < 2 * BurstWords || BufferWords > 128) begin : gen_bad_buffer
    $fatal(1, "hf_keccak_dma: BufferWords is a power of two, from 2 * BurstWords to 128, not %0d",
           BufferWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
