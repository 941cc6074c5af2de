// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Contexts for the Keccak peripheral (docs/integrate/contexts.md): up to 64 pages of registers,
// each of which works as a peripheral of its own, in front of the APB4 port of one peripheral. One
// context at a time is loaded: its hash is in the peripheral. The others are in a block RAM of 64
// words each. An access that needs the peripheral for another context makes this module save the
// loaded one and restore the other, by the accesses with which software would do it.
//
// A context is saved only when all of its work is done that waits for no software (STATUS.busy is
// low): its message words are absorbed, its digest FIFO is full or its output complete. So a
// context in the RAM never waits for the peripheral, and every access to a page ends in a bounded
// time.
//
// Words of the digest FIFO cannot be put back, so the RAM keeps them, and reads of DIGEST are
// answered from it first. While it has such words, the context is loaded for single accesses only,
// and the copy of its state in the RAM stays valid: what the peripheral computes beyond the words
// is discarded, and computed again later.
//
// A context may belong to one ID of the bus (s_id_i): the register OWNER in the last word of its
// page (rtl/regs/hf_keccak_contexts.rdl) opens and releases it. Either wipes all of its words.
//
// The slave port is APB4, with s_id_i stable as the address is. Accesses to MESSAGE and DIGEST of
// the loaded context pass through without a register.

module hf_keccak_contexts
  import hf_keccak_csr_pkg::*;
  import hf_keccak_contexts_pkg::*;
#(
    parameter int unsigned Contexts = 8,  // a power of two up to 64
    parameter int unsigned IdWidth = 4,  // bits of an ID: 1 to 6
    parameter int unsigned PrivilegedId = 0,  // may release contexts of others
    parameter int unsigned MessageWords = 16,  // of the peripheral
    parameter int unsigned DigestWords = 4,  // of the peripheral: 1, 2 or 4
    localparam int unsigned PageWidth = (Contexts > 1) ? $clog2(Contexts) : 1,
    localparam int unsigned AddrWidth = 9 + $clog2(Contexts)
) (
    input logic clk_i,
    input logic rst_i,  // synchronous, active high; then 64 clocks a context until it answers

    input  logic                 s_psel_i,
    input  logic                 s_penable_i,
    input  logic                 s_pwrite_i,
    input  logic [AddrWidth-1:0] s_paddr_i,
    input  logic [         31:0] s_pwdata_i,
    input  logic [          3:0] s_pstrb_i,
    input  logic [  IdWidth-1:0] s_id_i,
    output logic                 s_pready_o,
    output logic [         31:0] s_prdata_o,

    // To the peripheral, whose AXI4-Stream input is unused.
    output logic        m_psel_o,
    output logic        m_penable_o,
    output logic        m_pwrite_o,
    output logic [ 8:0] m_paddr_o,
    output logic [31:0] m_pwdata_o,
    output logic [ 3:0] m_pstrb_o,
    input  logic        m_pready_i,
    input  logic [31:0] m_prdata_i,
    input  logic        m_irq_i,

    output logic [Contexts-1:0] irq_o  // an interrupt for each context, a level
);

  localparam int unsigned RamWords = 64;  // of a context

  steps_t step_q, step_d;

  logic ram_write_q;
  logic [PageWidth+5:0] ram_write_addr_q, ram_read_addr;
  logic [PageWidth-1:0] ram_page;
  logic [31:0] ram_read;
  logic [31:0] data_q;  // to the RAM, and to the bus
  logic penable_q;

  ////////////////////
  // The access     //
  ////////////////////

  logic [PageWidth-1:0] access_page, current_page_q;
  logic [6:0] page_word;  // of the page
  logic is_write, is_command, is_state;
  if (Contexts > 1) begin : gen_page
    assign access_page = s_paddr_i[AddrWidth-1:9];
  end else begin : gen_one_page
    assign access_page = '0;
  end
  assign page_word = s_paddr_i[8:2];
  logic unused_address;
  assign unused_address = ^s_paddr_i[1:0];
  assign is_write = s_pwrite_i && s_pstrb_i[0];
  assign is_command = is_write && page_word == {3'd0, RegCommand};
  assign is_state = s_pwrite_i && s_pstrb_i != '0 && page_word[6] &&
      32'(page_word[5:0]) < StateWords;

  // Of the access that has been answered.
  logic post_command_q, post_state_q, post_clear_q, post_stop_q, post_hold_q;

  ////////////////////
  // Contexts       //
  ////////////////////

  logic any_loaded_q;  // the context loaded_page_q is in the peripheral
  logic [PageWidth-1:0] loaded_page_q;
  logic loaded_owned_q;
  logic [5:0] loaded_id_q;
  logic [8:0] saved_error_q;  // its ERROR, from before it was loaded
  logic [4:0] saved_intr_q;  // INTR_STATE, on its way
  context_phase_e saved_phase_q;  // what the loaded context does, while it is saved

  record_t page_record_q;  // of current_page_q
  record_t read_record;
  logic newly_loaded_q;  // current_page_q was loaded for this access
  logic goes_back_q;  // and goes back
  logic discard_output_q;  // what was computed meanwhile is discarded: the copy in the RAM is valid
  logic stays_parked_q;  // the hash is not resumed: the access does not depend on that
  logic no_access_q;  // there is no access
  logic answer_kept_q;  // the answer was a word of the digest FIFO from the RAM
  logic reset_wipe_q;
  logic [5:0] word_index_q;

  status_t status_q;

  logic page_loaded, owned_by_id, is_privileged, passes_through;
  assign page_loaded = any_loaded_q && loaded_page_q == current_page_q;
  assign owned_by_id = page_record_q.owned && page_record_q.id == 6'(s_id_i);
  assign is_privileged = s_id_i == IdWidth'(PrivilegedId);
  assign passes_through = step_q[Idle] && s_psel_i && any_loaded_q &&
      access_page == loaded_page_q &&
      (!loaded_owned_q || loaded_id_q == 6'(s_id_i)) && !page_word[6] && page_word[5:4] != 2'd0;

  logic selects_owner, is_constant, is_refused, is_opened, is_released, reads_kept, can_park;
  assign selects_owner = page_word == OwnerWord;
  assign is_constant = !s_pwrite_i && page_word[6:2] == 5'd0;
  assign is_opened = selects_owner && is_write && s_pwdata_i[0] && !page_record_q.owned;
  assign is_released = selects_owner && is_write && s_pwdata_i[1] && page_record_q.owned &&
      (owned_by_id || is_privileged);
  assign is_refused = page_record_q.owned && !owned_by_id && !is_constant &&
      (!selects_owner || (is_write && s_pwdata_i[1:0] != '0 && !is_released));
  // DIGEST, or DIGEST_WINDOW.
  assign reads_kept = !s_pwrite_i && (page_word == DigestWord || page_word[6:4] == 3'b011) &&
      page_record_q.kept_words != '0 && !page_loaded;
  // Reads of registers; ERROR and the interrupts.
  assign can_park = page_record_q.kept_words != '0 && page_record_q.phase == PhaseSqueeze &&
      page_word[6:4] == 3'd0 &&
      (!s_pwrite_i || (page_word[3:0] >= RegError && page_word[3:0] <= RegIntrTest));

  // Refused accesses, for each ID.
  logic [2**IdWidth-1:0] denied_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) denied_q <= '0;
    else if (step_q[Decide] && is_refused) denied_q[s_id_i] <= 1'b1;
    else if (step_q[Decide] && selects_owner && is_write && s_pwdata_i[3]) begin
      denied_q[s_id_i] <= 1'b0;
    end
  end

  ////////////////////
  // Steps          //
  ////////////////////

  move_t move;
  logic [1:0] ram_wait_q;  // for the RAM
  logic ram_ready, access_valid, access_done, step_ends, saves_digest;

  hf_keccak_contexts_moves u_moves (
      .step_i        (step_q),
      .page_word_i   (page_word),
      .word_index_i  (word_index_q),
      .next_kept_i   (page_record_q.next_word),
      .digest_words_i(status_q.digest_words),
      .saved_intr_i  (saved_intr_q),
      .move_o        (move),
      .saves_digest_o(saves_digest)
  );

  assign ram_ready = ram_wait_q[1];
  assign access_valid = move.needed && (!move.from_ram || ram_ready);
  assign access_done = access_valid && m_pready_i;
  assign step_ends = move.needed ? access_done : (!move.from_ram || ram_ready);

  // The next step.
  logic discards_kept, needs_post, last_page;
  logic produces_output;  // output after the words in the RAM
  assign discards_kept = (post_command_q && (post_clear_q || status_q.phase == phase_e__absorb ||
      (post_stop_q && status_q.phase == phase_e__idle))) ||
      (post_state_q && status_q.phase == phase_e__held);
  assign needs_post = page_loaded &&
      (page_record_q.kept_words != '0 || (newly_loaded_q && post_clear_q));
  assign produces_output = status_q.phase == phase_e__squeeze ||
      (status_q.phase == phase_e__idle && status_q.digest_words != '0);
  assign last_page = current_page_q == PageWidth'(Contexts - 1);

  logic last_word, step_repeats;
  assign last_word = word_index_q == 6'(StateWords - 1);
  assign step_repeats = saves_digest ||
      ((step_q[SaveState] || step_q[SaveZero] || step_q[LoadState]) && !last_word) ||
      (step_q[WipeWords] && !(&word_index_q[5:1]));

  conditions_t conditions;
  always_comb begin
    conditions.starts = s_psel_i && !passes_through && !ram_write_q;
    conditions.is_wiped = is_opened || is_released;
    conditions.is_answered = selects_owner || is_refused;
    conditions.is_constant = is_constant;
    conditions.reads_status = !s_pwrite_i && page_word == {3'd0, RegStatus};
    conditions.reads_kept = reads_kept;
    conditions.page_loaded = page_loaded;
    conditions.any_loaded = any_loaded_q;
    conditions.answer_kept = answer_kept_q;
    conditions.needs_post = needs_post;
    conditions.post_hold = post_hold_q;
    conditions.discards_kept = discards_kept;
    conditions.produces_output = produces_output;
    conditions.status = status_q;
    conditions.page_record = page_record_q;
    conditions.saved_phase = saved_phase_q;
    conditions.discard_output = discard_output_q;
    conditions.goes_back = goes_back_q;
    conditions.stays_parked = stays_parked_q;
    conditions.no_access = no_access_q;
    conditions.reset_wipe = reset_wipe_q;
    conditions.last_page = last_page;
    conditions.step_repeats = step_repeats;
  end

  hf_keccak_contexts_steps u_steps (
      .step_i      (step_q),
      .conditions_i(conditions),
      .step_o      (step_d)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      step_q         <= at(WipeWords);
      reset_wipe_q   <= 1'b1;
      current_page_q <= '0;
      page_record_q  <= '0;
      any_loaded_q   <= 1'b0;
      word_index_q   <= '0;
      ram_wait_q     <= '0;
      penable_q      <= 1'b0;
      no_access_q    <= 1'b0;
    end else begin
      ram_wait_q <= (step_ends || !move.from_ram) ? '0 : {ram_wait_q[0], 1'b1};
      penable_q  <= access_valid && !m_pready_i;
      if (access_done && move.polls) begin
        status_q <= {m_prdata_i[18:16], m_prdata_i[4:3], m_prdata_i[2:0]};
      end
      if (step_ends) begin
        step_q <= step_d;
        word_index_q <= step_repeats ? word_index_q + 6'd1 : '0;
        if (step_q[Idle]) begin
          current_page_q <= access_page;
          newly_loaded_q <= 1'b0;
          goes_back_q <= 1'b0;
          no_access_q <= 1'b0;
          discard_output_q <= 1'b0;
          stays_parked_q <= 1'b0;
          answer_kept_q <= 1'b0;
        end
        if (step_q[Latch]) page_record_q <= read_record;
        if (step_q[Decide]) begin
          post_command_q <= is_command;
          post_state_q   <= is_state;
          post_clear_q   <= is_command && s_pwdata_i[3];
          post_stop_q    <= s_pwdata_i[5:0] == 6'h04;
          post_hold_q    <= is_command && s_pwdata_i[5:0] == 6'h10;
          answer_kept_q  <= step_d[Kept];
          stays_parked_q <= can_park;
          if (is_opened || is_released) begin
            page_record_q <= '0;
            if (is_opened) begin
              page_record_q.id    <= 6'(s_id_i);
              page_record_q.owned <= 1'b1;
            end
            if (page_loaded) any_loaded_q <= 1'b0;
          end
          if (is_command && s_pwdata_i[3] && !page_loaded && !is_refused) begin
            // What `clear` ends is not restored.
            page_record_q.phase <= PhaseIdle;
            page_record_q.done <= 1'b0;
            page_record_q.kept_words <= '0;
          end
        end
        if (step_q[KeptRecord]) begin
          page_record_q.kept_words <= page_record_q.kept_words - 3'd1;
          page_record_q.next_word  <= page_record_q.next_word + 2'd1;
          no_access_q              <= 1'b1;
        end
        if (step_q[PostCheck]) begin
          no_access_q <= 1'b1;
          saved_phase_q <= (stays_parked_q || produces_output) ? PhaseSqueeze : phase_of(
              status_q.phase
          );
          if (step_d[WipeWords]) page_record_q.kept_words <= '0;
          goes_back_q <= step_d[SaveError] || step_d[SaveBusy];
          discard_output_q <= step_d[SaveError];
        end
        if (step_q[SaveBusyCheck]) saved_phase_q <= phase_of(status_q.phase);
        if (step_q[SaveError]) begin
          saved_error_q <= saved_error_q | m_prdata_i[8:0];
          any_loaded_q  <= 1'b0;
        end
        // Words that are discarded had no interrupts.
        if (step_q[SaveIntr]) begin
          saved_intr_q <= m_prdata_i[4:0] &
              ((discard_output_q && !stays_parked_q) ? (saved_intr_q | 5'b11000) : '1);
        end
        if (step_q[SaveErrorAgain]) begin
          if (m_prdata_i[0]) begin  // software has held it just before
            saved_phase_q         <= PhaseHeld;
            saved_intr_q[HeldBit] <= 1'b1;
          end
        end
        if (step_q[SaveDigest]) begin
          // The output was complete before it was held.
          if (status_q.done && saved_phase_q == PhaseSqueeze) saved_phase_q <= PhaseIdle;
        end
        if (step_q[LoadIntr]) saved_intr_q <= ram_read[4:0];
        if (step_q[LoadError]) begin
          saved_error_q  <= ram_read[8:0];
          any_loaded_q   <= 1'b1;
          loaded_page_q  <= current_page_q;
          loaded_owned_q <= page_record_q.owned;
          loaded_id_q    <= page_record_q.id;
          newly_loaded_q <= 1'b1;
        end
        if (step_q[Forward]) begin
          if (s_pwrite_i && page_word == {3'd0, RegError}) begin
            for (int unsigned i = 0; i < 9; i++) begin
              if (s_pwdata_i[i] && s_pstrb_i[i/8]) saved_error_q[i] <= 1'b0;
            end
          end
        end
        if (step_q[WipeRecord]) begin
          current_page_q <= current_page_q + PageWidth'(1);
          if (last_page) reset_wipe_q <= 1'b0;
        end
      end
    end
  end

  ////////////////////
  // The RAM        //
  ////////////////////

  logic saves;
  assign saves = step_q[SaveDigest] || step_q[SaveConfig] || step_q[SaveLength] ||
      step_q[SaveTail] || step_q[SavePosition] || step_q[SaveState] ||
      step_q[SaveIntrEnable] || step_q[SavePutIntr] || step_q[SavePutError] ||
      step_q[SaveRecord];
  assign ram_page = (step_q[Idle]) ? access_page : saves ? loaded_page_q : current_page_q;
  assign ram_read_addr = {ram_page, move.ram_place};
  assign read_record = record_t'(ram_read[$bits(record_t)-1:0]);

  hf_ram #(
      .Width(32),
      .Depth(RamWords << PageWidth)
  ) u_ram (
      .clk_i,
      .write_i     (ram_write_q),
      .write_addr_i(ram_write_addr_q),
      .write_data_i(data_q),
      .read_addr_i (ram_read_addr),
      .read_data_o (ram_read)
  );

  // A word that is restored is wiped, unless its context goes back.
  always_ff @(posedge clk_i) begin
    ram_write_q <= !rst_i && step_ends && (move.put || move.to_ram ||
        (move.from_ram && !step_q[Kept] && page_record_q.kept_words == '0));
    ram_write_addr_q <= {ram_page, move.ram_place};
  end

  // What the registers that are not the peripheral's show, and what the RAM gets.
  record_t ram_record;
  logic [31:0] made_word;
  always_comb begin
    ram_record = page_record_q;
    if (step_q[KeptRecord]) begin
      ram_record.kept_words = page_record_q.kept_words - 3'd1;
      ram_record.next_word  = page_record_q.next_word + 2'd1;
    end
    if (step_q[SaveRecord]) begin
      ram_record.id = loaded_id_q;
      ram_record.owned = loaded_owned_q;
      ram_record.phase = saved_phase_q;
      ram_record.done = status_q.done && !discard_output_q && saved_phase_q != PhaseHeld;
      ram_record.error = saved_error_q != '0;
      if (!goes_back_q) begin
        ram_record.kept_words = status_q.digest_words;
        ram_record.next_word  = '0;
      end
    end
    made_word = '0;
    if (step_q[Decide] && selects_owner) begin
      made_word[0] = page_record_q.owned;
      made_word[2] = owned_by_id;
      made_word[3] = denied_q[s_id_i];
      if (owned_by_id || is_privileged) made_word[13:8] = page_record_q.id;
    end
    if (step_q[Decide] && !selects_owner && !is_refused) begin
      made_word[2:0] = {
        page_record_q.phase == PhaseHeld,
        page_record_q.phase == PhaseSqueeze,
        page_record_q.phase == PhaseSqueeze || page_record_q.phase == PhaseAbsorb
      };
      made_word[4] = page_record_q.done;
      made_word[5] = page_record_q.error;
      made_word[15:8] = 8'(MessageWords);
      made_word[18:16] = page_record_q.kept_words;
    end
    if (step_q[SavePutIntr]) made_word[4:0] |= saved_intr_q;
    if (step_q[SavePutError]) made_word[8:0] |= saved_error_q;
    if (step_q[KeptRecord] || step_q[SaveRecord] || step_q[WipeRecord]) begin
      made_word |= 32'(ram_record);
    end
    // Its value after a reset.
    if (step_q[WipeWords]) made_word[0] |= word_index_q == place_of(RegConfig);
  end

  always_ff @(posedge clk_i) begin
    if (step_q[Kept]) data_q <= ram_read;
    else if (step_q[Forward] || move.to_ram) begin
      data_q <= m_prdata_i;
      if (step_q[Forward] && page_word == {3'd0, RegCaps}) begin
        data_q[7:0]   <= 8'(Contexts);
        data_q[23:16] <= 8'd1;
      end
      if (step_q[Forward] && page_word == {3'd0, RegStatus}) begin
        data_q[5] <= m_prdata_i[5] || saved_error_q != '0;
      end
      if (step_q[Forward] && page_word == {3'd0, RegError}) begin
        data_q[8:0] <= m_prdata_i[8:0] | saved_error_q;
      end
    end else if (!step_q[Answer]) data_q <= made_word;
  end

  ////////////////////
  // The ports      //
  ////////////////////

  assign m_psel_o = passes_through || access_valid;
  assign m_penable_o = passes_through ? s_penable_i : penable_q;
  assign m_pwrite_o = (passes_through || step_q[Forward]) ? s_pwrite_i : move.write;
  assign m_paddr_o = {passes_through ? page_word : move.word, 2'b00};
  assign m_pstrb_o = (passes_through || step_q[Forward]) ? s_pstrb_i : 4'b1111;
  always_comb begin
    m_pwdata_o = move.from_ram ? ram_read : s_pwdata_i;
    // Registers that are written with a constant have no more bits.
    if (!passes_through && !step_q[Forward] && !move.from_ram) m_pwdata_o[8:0] = move.constant;
  end

  assign s_pready_o = (passes_through && m_pready_i) || step_q[Answer];
  // Nothing while it waits, nor for a write: the peripheral's port may show a word of before.
  logic shows_data, shows_register;
  assign shows_data = step_q[Answer] && !s_pwrite_i;
  assign shows_register = passes_through && m_pready_i && !s_pwrite_i;
  assign s_prdata_o = (data_q & {32{shows_data}}) | (m_prdata_i & {32{shows_register}});

  // An interrupt stays as it is while its context is in the RAM.
  logic irq, irq_moves;
  logic [PageWidth-1:0] irq_page;
  assign irq_page = (step_q[WipeRecord]) ? current_page_q : loaded_page_q;
  // Nor does what it computes again while an access takes it out of there for a while.
  logic computes_again;
  assign computes_again = newly_loaded_q && page_record_q.kept_words != '0 &&
      (post_command_q || (page_record_q.phase == PhaseSqueeze && !stays_parked_q));
  assign irq_moves = (any_loaded_q && !computes_again) || step_q[WipeRecord] ||
      (step_q[SaveIntrEnable] && access_done);
  assign irq = (!step_q[WipeRecord] || page_loaded) &&
      (any_loaded_q ? m_irq_i : (saved_intr_q & m_prdata_i[4:0]) != '0);
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Contexts; i++) begin
      if (rst_i) irq_o[i] <= 1'b0;
      else if (irq_moves && irq_page == PageWidth'(i)) irq_o[i] <= irq;
    end
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if ($countones(Contexts) != 1 || Contexts > 64) begin : gen_bad_contexts
    $fatal(1, "hf_keccak_contexts: Contexts is a power of two up to 64, not %0d", Contexts);
  end
  if (IdWidth < 1 || IdWidth > 6) begin : gen_bad_id
    $fatal(1, "hf_keccak_contexts: IdWidth is 1 to 6, not %0d", IdWidth);
  end
  if (PrivilegedId >= 2 ** IdWidth) begin : gen_bad_privileged
    $fatal(
        1,
        "hf_keccak_contexts: PrivilegedId has IdWidth bits at most, and %0d has more",
        PrivilegedId
    );
  end
  if (DigestWords != 1 && DigestWords != 2 && DigestWords != 4) begin : gen_bad_digest
    $fatal(1, "hf_keccak_contexts: DigestWords is 1, 2 or 4, not %0d", DigestWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
