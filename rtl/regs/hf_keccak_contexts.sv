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
    input logic rst_i, // synchronous, active high; then 64 clocks a context until it answers

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

  localparam int unsigned StateWords = 50;
  localparam int unsigned RamWords = 64;  // of a context

  // Words of a register's address; those of registers that are saved have the same place in the
  // RAM, from word 48 on.
  typedef enum logic [3:0] {
    RegCaps       = 4'h2,
    RegConfig     = 4'h4,
    RegLength     = 4'h5,
    RegTail       = 4'h6,
    RegCommand    = 4'h7,
    RegStatus     = 4'h8,
    RegError      = 4'h9,
    RegIntrState  = 4'hA,
    RegIntrEnable = 4'hB,
    RegIntrTest   = 4'hC,
    RegPosition   = 4'hD,
    RegMeta       = 4'hF   // no register: what this module keeps of a context
  } register_e;

  localparam logic [6:0] DigestWord = 7'h11;
  localparam logic [6:0] OwnerWord = 7'h7F;

  localparam int unsigned HeldBit = 3;  // in INTR_STATE
  localparam logic [8:0] Ones = '1;
  localparam logic [8:0] CommandClear = 9'h008;
  localparam logic [8:0] CommandHold = 9'h010;
  localparam logic [8:0] CommandResume = 9'h020;
  localparam logic [8:0] AnyConfig = 9'h001;  // SHA3-256
  localparam logic [8:0] Squeezing = 9'h100;  // of POSITION

  // What a context does while it is in the RAM.
  typedef enum logic [1:0] {
    RestIdle,
    RestAbsorb,
    RestSqueeze,
    RestHeld
  } rest_e;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic               owned;
    rest_e              rest;
    logic               done;   // STATUS.done
    logic               error;  // STATUS.error
    logic [2:0]         kept;   // words of the digest FIFO that the RAM has
    logic [1:0]         next;   // the first of them
  } meta_t;

  typedef enum int unsigned {
    Idle,
    Fetch,       // of what the RAM has of the page
    Latch,
    Decide,
    Kept,        // a word of the digest FIFO comes out of the RAM
    Forward,     // the access is the peripheral's
    Answer,
    KeptZero,
    KeptMeta,
    PostPoll,    // what the access did
    PostCheck,
    SaveBusy,
    SaveBusyCheck,
    SaveError,
    SaveErrorClear,
    SaveIntr,
    SaveHold,
    SaveHeld,
    SaveHeldCheck,
    SaveErrorAgain,
    SaveErrorClearAgain,
    SaveStatus,
    SaveDigest,
    SaveConfig,
    SaveLength,
    SaveTail,
    SavePosition,
    SaveState,
    SaveIntrEnable,
    SavePutIntr,
    SavePutError,
    SaveClear,
    SaveMeta,
    LoadHold,
    LoadHeld,
    LoadHeldCheck,
    LoadDoneConfig,  // STATUS.done is restored by an output of no bits
    LoadDonePosition,
    LoadDoneResume,
    LoadDone,
    LoadDoneCheck,
    LoadConfig,
    LoadPosition,
    LoadClear,
    LoadState,
    LoadLength,
    LoadTail,
    LoadIntrClear,
    LoadIntr,
    LoadResume,
    LoadAbsorb,
    LoadAbsorbCheck,
    LoadRoom,
    LoadIntrEnable,
    LoadError,
    WipeError,
    WipeClear,
    WipeWords,
    WipeMeta
  } step_e;

  // One-hot: a step takes no LUT to decode.
  typedef logic [WipeMeta:0] steps_t;
  steps_t step_q, step_d;
  function automatic steps_t at(input step_e step);
    return steps_t'(1) << step;
  endfunction

  logic ram_write_q;
  logic [PageWidth+5:0] ram_write_addr_q, ram_read_addr;
  logic [PageWidth-1:0] ram_page;
  logic [31:0] ram_read;
  logic [31:0] data_q;  // to the RAM, and to the bus
  logic penable_q;

  ////////////////////
  // The access     //
  ////////////////////

  logic [PageWidth-1:0] page, page_q;
  logic [6:0] word;  // of the page
  logic is_write, is_command, is_state;
  if (Contexts > 1) begin : gen_page
    assign page = s_paddr_i[AddrWidth-1:9];
  end else begin : gen_one_page
    assign page = '0;
  end
  assign word = s_paddr_i[8:2];
  logic unused_address;
  assign unused_address = ^s_paddr_i[1:0];
  assign is_write = s_pwrite_i && s_pstrb_i[0];
  assign is_command = is_write && word == {3'd0, RegCommand};
  assign is_state = s_pwrite_i && word[6];

  // Of the access that has been answered.
  logic post_command_q, post_state_q, post_clear_q, post_stop_q, post_hold_q;

  ////////////////////
  // Contexts       //
  ////////////////////

  logic loaded_q;  // the context cur_q is in the peripheral
  logic [PageWidth-1:0] cur_q;
  logic cur_owned_q;
  logic [IdWidth-1:0] cur_id_q;
  logic [8:0] error_q;  // its ERROR, from before it was loaded
  logic [4:0] intr_q;  // INTR_STATE, on its way
  rest_e rest_q;  // what the loaded context does, while it is saved

  meta_t meta_q;  // of page_q
  meta_t ram_meta;
  logic fresh_q;  // page_q was loaded for this access
  logic evict_q;  // and goes back
  logic discard_q;  // what was computed meanwhile is discarded: the copy in the RAM is valid
  logic parks_q;  // the hash is not resumed: the access does not depend on that
  logic eager_q;  // there is no access
  logic post_kept_q;  // the answer was a word of the digest FIFO from the RAM
  logic wiping_all_q;
  logic [5:0] index_q;

  typedef struct packed {
    logic [2:0] digest_words;
    logic       done;
    logic       busy;
    phase_e_e   phase;
  } status_t;
  status_t status_q;

  logic here, mine, privileged, hit;
  assign here = loaded_q && cur_q == page_q;
  assign mine = meta_q.owned && meta_q.id == s_id_i;
  assign privileged = s_id_i == IdWidth'(PrivilegedId);
  assign hit = step_q[Idle] && s_psel_i && loaded_q && page == cur_q &&
      (!cur_owned_q || cur_id_q == s_id_i) && !word[6] && word[5:4] != 2'd0;

  logic is_owner, is_constant, is_refused, is_opened, is_released, from_kept, parks;
  assign is_owner = word == OwnerWord;
  assign is_constant = !s_pwrite_i && word[6:2] == 5'd0;
  assign is_opened = is_owner && is_write && s_pwdata_i[0] && !meta_q.owned;
  assign is_released = is_owner && is_write && s_pwdata_i[1] && meta_q.owned &&
      (mine || privileged);
  assign is_refused = meta_q.owned && !mine && !is_constant &&
      (!is_owner || (is_write && (s_pwdata_i[0] || (s_pwdata_i[1] && !privileged))));
  // DIGEST, or DIGEST_WINDOW.
  assign from_kept = !s_pwrite_i && (word == DigestWord || word[6:4] == 3'b011) &&
      meta_q.kept != '0 && !here;
  // Reads of registers; ERROR and the interrupts.
  assign parks = meta_q.kept != '0 && meta_q.rest == RestSqueeze && word[6:4] == 3'd0 &&
      (!s_pwrite_i || (word[3:0] >= RegError && word[3:0] <= RegIntrTest));

  // Refused accesses, for each ID.
  logic [2**IdWidth-1:0] denied_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) denied_q <= '0;
    else if (step_q[Decide] && is_refused) denied_q[s_id_i] <= 1'b1;
    else if (step_q[Decide] && is_owner && is_write && s_pwdata_i[3]) begin
      denied_q[s_id_i] <= 1'b0;
    end
  end

  ////////////////////
  // Steps          //
  ////////////////////

  // What a step does: an access to the peripheral, whose data come from the RAM or go there.
  logic access, access_write, from_ram, to_ram, put, poll;
  logic saves_digest, loads, commands, clears_error;
  logic [6:0] access_word;
  logic [8:0] constant;  // what it writes, if not from the RAM
  logic [5:0] place;  // in the RAM
  logic [1:0] wait_q;  // for the RAM
  logic ram_there, access_valid, access_done, moves;

  function automatic logic [5:0] place_of(input register_e of_register);
    return {2'b11, of_register};
  endfunction
  // Words 50, 51, 60 and 62 are those of no register.
  function automatic logic [5:0] place_of_kept(input logic [1:0] number);
    return number[1] ? {4'b1111, number[0], 1'b0} : {5'b11001, number[0]};
  endfunction
  function automatic rest_e rest_of(input phase_e_e phase);
    unique case (phase)
      phase_e__absorb: return RestAbsorb;
      phase_e__squeeze: return RestSqueeze;
      phase_e__held: return RestHeld;
      default: return RestIdle;
    endcase
  endfunction

  assign ram_there = wait_q[1];
  assign access_valid = access && (!from_ram || ram_there);
  assign access_done = access_valid && m_pready_i;
  assign moves = access ? access_done : (!from_ram || ram_there);

  // Sums of products, since a step is one-hot.
  logic [3:0] step_register;
  logic of_state, of_kept;
  always_comb begin
    poll = step_q[PostPoll] || step_q[SaveBusy] || step_q[SaveHeld] || step_q[SaveStatus] ||
        step_q[LoadHeld] || step_q[LoadDone] || step_q[LoadAbsorb];
    put = step_q[KeptZero] || step_q[KeptMeta] || step_q[SavePutIntr] || step_q[SavePutError] ||
        step_q[SaveMeta] || step_q[WipeWords] || step_q[WipeMeta];
    of_kept = step_q[Kept] || step_q[KeptZero] || step_q[SaveDigest];
    of_state = step_q[SaveState] || step_q[LoadState] || step_q[WipeWords];
    saves_digest = step_q[SaveDigest] && index_q[2:0] != status_q.digest_words;
    to_ram = saves_digest || step_q[SaveConfig] || step_q[SaveLength] || step_q[SaveTail] ||
        step_q[SavePosition] || step_q[SaveState] || step_q[SaveIntrEnable];
    loads = step_q[LoadConfig] || step_q[LoadPosition] || step_q[LoadState] ||
        step_q[LoadLength] || step_q[LoadTail] || step_q[LoadIntr] || step_q[LoadIntrEnable];
    from_ram = loads || step_q[Kept] || step_q[LoadError];
    commands = step_q[SaveHold] || step_q[LoadHold] || step_q[SaveClear] || step_q[LoadClear] ||
        step_q[WipeClear] || step_q[LoadResume] || step_q[LoadDoneResume];
    clears_error = step_q[SaveErrorClear] || step_q[SaveErrorClearAgain] || step_q[WipeError];
    access_write = loads || commands || clears_error || step_q[LoadIntrClear] ||
        step_q[LoadRoom] || step_q[LoadDoneConfig] || step_q[LoadDonePosition];
    access = access_write || poll || to_ram || step_q[Forward] || step_q[SaveError] ||
        step_q[SaveErrorAgain] || step_q[SaveIntr];

    step_register = '0;
    if (poll) step_register |= RegStatus;
    if (commands) step_register |= RegCommand;
    if (step_q[SaveConfig] || step_q[LoadConfig] || step_q[LoadDoneConfig]) begin
      step_register |= RegConfig;
    end
    if (step_q[SaveLength] || step_q[LoadLength]) step_register |= RegLength;
    if (step_q[SaveTail] || step_q[LoadTail]) step_register |= RegTail;
    if (step_q[SavePosition] || step_q[LoadPosition] || step_q[LoadDonePosition]) begin
      step_register |= RegPosition;
    end
    if (clears_error || step_q[SaveError] || step_q[SaveErrorAgain] || step_q[SavePutError] ||
        step_q[LoadError]) begin
      step_register |= RegError;
    end
    if (step_q[SaveIntr] || step_q[SavePutIntr] || step_q[LoadIntrClear] || step_q[LoadRoom] ||
        step_q[LoadIntr]) begin
      step_register |= RegIntrState;
    end
    if (step_q[SaveIntrEnable] || step_q[LoadIntrEnable]) step_register |= RegIntrEnable;
    if (step_q[Idle] || step_q[Fetch] || step_q[KeptMeta] || step_q[SaveMeta] ||
        step_q[WipeMeta]) begin
      step_register |= RegMeta;
    end

    constant = '0;
    if (clears_error || step_q[LoadIntrClear]) constant |= Ones;
    if (step_q[SaveHold] || step_q[LoadHold]) constant |= CommandHold;
    if (step_q[SaveClear] || step_q[LoadClear] || step_q[WipeClear]) constant |= CommandClear;
    if (step_q[LoadResume] || step_q[LoadDoneResume]) constant |= CommandResume;
    if (step_q[LoadDoneConfig]) constant |= AnyConfig;
    if (step_q[LoadDonePosition]) constant |= Squeezing;
    if (step_q[LoadRoom]) constant |= {4'd0, ~intr_q};  // `resume` has set `room`

    if (step_q[Forward]) access_word = word;
    else if (of_state) access_word = {1'b1, index_q};
    else if (of_kept) access_word = DigestWord;
    else access_word = {3'd0, step_q[LoadIntr] ? RegIntrTest : step_register};

    if (of_state) place = index_q;
    else if (of_kept) place = place_of_kept(step_q[SaveDigest] ? index_q[1:0] : meta_q.next);
    else place = {2'b11, step_register};
  end

  // The next step.
  logic flush, needs_post, loads_done, last_page;
  logic produces;  // output after the words in the RAM
  assign flush = (post_command_q && (post_clear_q || status_q.phase == phase_e__absorb ||
      (post_stop_q && status_q.phase == phase_e__idle))) ||
      (post_state_q && status_q.phase == phase_e__held);
  assign needs_post = here && (meta_q.kept != '0 || (fresh_q && post_clear_q));
  assign produces = status_q.phase == phase_e__squeeze ||
      (status_q.phase == phase_e__idle && status_q.digest_words != '0);
  assign loads_done = meta_q.rest == RestIdle && meta_q.done;
  assign last_page = page_q == PageWidth'(Contexts - 1);

  steps_t switch, resumed;
  logic last_word, loops;
  assign switch = loaded_q ? at(SaveBusy) : at(LoadHold);
  assign last_word = index_q == 6'(StateWords - 1);
  assign loops = saves_digest || ((step_q[SaveState] || step_q[LoadState]) && !last_word) ||
      (step_q[WipeWords] && !(&index_q[5:1]));
  assign resumed = (meta_q.rest == RestAbsorb || (meta_q.rest == RestSqueeze && !parks_q)) ?
      at(LoadResume) : at(LoadIntrEnable);

  always_comb begin
    step_d = '0;
    if (step_q[Idle]) step_d |= (s_psel_i && !hit && !ram_write_q) ? at(Fetch) : at(Idle);
    if (step_q[Fetch]) step_d |= at(Latch);
    if (step_q[Latch]) step_d |= at(Decide);
    if (step_q[Decide]) begin
      if (is_opened || is_released) step_d |= here ? at(WipeError) : at(WipeWords);
      else if (is_owner || is_refused) step_d |= at(Answer);
      else if (is_constant || here) step_d |= at(Forward);
      else if (!s_pwrite_i && word == {3'd0, RegStatus}) step_d |= at(Answer);
      else if (from_kept) step_d |= at(Kept);
      else step_d |= switch;
    end
    if (step_q[Kept]) step_d |= at(Answer);
    if (step_q[Forward]) step_d |= at(Answer);
    if (step_q[Answer]) begin
      if (post_kept_q) step_d |= at(KeptZero);
      else step_d |= needs_post ? at(PostPoll) : at(Idle);
    end
    if (step_q[KeptZero]) step_d |= at(KeptMeta);
    if (step_q[KeptMeta]) begin
      step_d |= (meta_q.kept == 3'd1 && meta_q.rest == RestSqueeze) ? switch : at(Idle);
    end
    if (step_q[PostPoll]) step_d |= at(PostCheck);
    if (step_q[PostCheck]) begin
      if (status_q.busy || (post_hold_q && status_q.phase != phase_e__held)) begin
        step_d |= at(PostPoll);
      end else if (flush) step_d |= at(WipeWords);
      else step_d |= (produces || meta_q.rest == RestSqueeze) ? at(SaveError) : at(SaveBusy);
    end
    if (step_q[SaveBusy]) step_d |= at(SaveBusyCheck);
    if (step_q[SaveBusyCheck]) step_d |= status_q.busy ? at(SaveBusy) : at(SaveError);
    if (step_q[SaveError]) step_d |= at(SaveErrorClear);
    if (step_q[SaveErrorClear]) step_d |= at(SaveIntr);
    if (step_q[SaveIntr]) begin
      if (discard_q) step_d |= at(SaveIntrEnable);
      else if (rest_q == RestAbsorb || rest_q == RestSqueeze) step_d |= at(SaveHold);
      else step_d |= at(SaveStatus);
    end
    if (step_q[SaveHold]) step_d |= at(SaveHeld);
    if (step_q[SaveHeld]) step_d |= at(SaveHeldCheck);
    if (step_q[SaveHeldCheck]) begin
      step_d |= (status_q.phase == phase_e__held) ? at(SaveErrorAgain) : at(SaveHeld);
    end
    if (step_q[SaveErrorAgain]) step_d |= at(SaveErrorClearAgain);
    if (step_q[SaveErrorClearAgain]) step_d |= at(SaveStatus);
    if (step_q[SaveStatus]) step_d |= at(SaveDigest);
    if (step_q[SaveDigest]) step_d |= loops ? at(SaveDigest) : at(SaveConfig);
    if (step_q[SaveConfig]) step_d |= at(SaveLength);
    if (step_q[SaveLength]) step_d |= at(SaveTail);
    if (step_q[SaveTail]) step_d |= at(SavePosition);
    if (step_q[SavePosition]) begin
      step_d |= (rest_q == RestIdle) ? at(SaveIntrEnable) : at(SaveState);
    end
    if (step_q[SaveState]) step_d |= loops ? at(SaveState) : at(SaveIntrEnable);
    if (step_q[SaveIntrEnable]) step_d |= at(SavePutIntr);
    if (step_q[SavePutIntr]) step_d |= at(SavePutError);
    if (step_q[SavePutError]) step_d |= at(SaveClear);
    if (step_q[SaveClear]) step_d |= at(SaveMeta);
    if (step_q[SaveMeta]) step_d |= evict_q ? at(Idle) : at(LoadHold);
    if (step_q[LoadHold]) step_d |= at(LoadHeld);
    if (step_q[LoadHeld]) step_d |= at(LoadHeldCheck);
    if (step_q[LoadHeldCheck]) begin
      if (status_q.phase != phase_e__held) step_d |= at(LoadHeld);
      else step_d |= loads_done ? at(LoadDoneConfig) : at(LoadConfig);
    end
    if (step_q[LoadDoneConfig]) step_d |= at(LoadDonePosition);
    if (step_q[LoadDonePosition]) step_d |= at(LoadDoneResume);
    if (step_q[LoadDoneResume]) step_d |= at(LoadDone);
    if (step_q[LoadDone]) step_d |= at(LoadDoneCheck);
    if (step_q[LoadDoneCheck]) begin
      step_d |= (status_q.phase == phase_e__idle) ? at(LoadConfig) : at(LoadDone);
    end
    if (step_q[LoadConfig]) step_d |= loads_done ? at(LoadLength) : at(LoadPosition);
    if (step_q[LoadPosition]) begin
      step_d |= (meta_q.rest == RestIdle) ? at(LoadClear) : at(LoadState);
    end
    if (step_q[LoadClear]) step_d |= at(LoadLength);
    if (step_q[LoadState]) step_d |= loops ? at(LoadState) : at(LoadLength);
    if (step_q[LoadLength]) step_d |= at(LoadTail);
    if (step_q[LoadTail]) step_d |= at(LoadIntrClear);
    if (step_q[LoadIntrClear]) step_d |= at(LoadIntr);
    if (step_q[LoadIntr]) step_d |= resumed;
    if (step_q[LoadResume]) begin
      step_d |= (meta_q.rest == RestAbsorb) ? at(LoadAbsorb) : at(LoadIntrEnable);
    end
    if (step_q[LoadAbsorb]) step_d |= at(LoadAbsorbCheck);
    if (step_q[LoadAbsorbCheck]) begin
      step_d |= (status_q.phase == phase_e__absorb && !status_q.busy) ? at(LoadRoom) :
          at(LoadAbsorb);
    end
    if (step_q[LoadRoom]) step_d |= at(LoadIntrEnable);
    if (step_q[LoadIntrEnable]) step_d |= at(LoadError);
    if (step_q[LoadError]) step_d |= eager_q ? at(Idle) : at(Forward);
    if (step_q[WipeError]) step_d |= at(WipeClear);
    if (step_q[WipeClear]) step_d |= at(WipeWords);
    if (step_q[WipeWords]) step_d |= loops ? at(WipeWords) : at(WipeMeta);
    if (step_q[WipeMeta]) begin
      if (wiping_all_q) step_d |= last_page ? at(Idle) : at(WipeWords);
      else step_d |= eager_q ? at(Idle) : at(Answer);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      step_q       <= at(WipeWords);
      wiping_all_q <= 1'b1;
      page_q       <= '0;
      meta_q       <= '0;
      loaded_q     <= 1'b0;
      index_q      <= '0;
      wait_q       <= '0;
      penable_q    <= 1'b0;
      eager_q      <= 1'b0;
    end else begin
      wait_q    <= (moves || !from_ram) ? '0 : {wait_q[0], 1'b1};
      penable_q <= access_valid && !m_pready_i;
      if (access_done && poll) begin
        status_q <= {m_prdata_i[18:16], m_prdata_i[4:3], m_prdata_i[2:0]};
      end
      if (moves) begin
        step_q <= step_d;
        index_q <= loops ? index_q + 6'd1 : '0;
        if (step_q[Idle]) begin
          page_q  <= page;
          fresh_q <= 1'b0;
          evict_q <= 1'b0;
          eager_q <= 1'b0;
          discard_q <= 1'b0;
          parks_q <= 1'b0;
          post_kept_q <= 1'b0;
        end
        if (step_q[Latch]) meta_q <= ram_meta;
        if (step_q[Decide]) begin
          post_command_q <= is_command;
          post_state_q   <= is_state;
          post_clear_q   <= is_command && s_pwdata_i[3];
          post_stop_q    <= s_pwdata_i[5:0] == 6'h04;
          post_hold_q    <= is_command && s_pwdata_i[5:0] == 6'h10;
          post_kept_q    <= step_d[Kept];
          parks_q        <= parks;
          if (is_opened || is_released) begin
            meta_q    <= '0;
            if (is_opened) begin
              meta_q.id    <= s_id_i;
              meta_q.owned <= 1'b1;
            end
            if (here) loaded_q <= 1'b0;
          end
          if (is_command && s_pwdata_i[3] && !here && !is_refused) begin
            // What `clear` ends is not restored.
            meta_q.rest <= RestIdle;
            meta_q.done <= 1'b0;
            meta_q.kept <= '0;
          end
        end
        if (step_q[KeptMeta]) begin
          meta_q.kept <= meta_q.kept - 3'd1;
          meta_q.next <= meta_q.next + 2'd1;
          eager_q     <= 1'b1;
        end
        if (step_q[PostCheck]) begin
          eager_q <= 1'b1;
          rest_q  <= (parks_q || produces) ? RestSqueeze : rest_of(status_q.phase);
          if (step_d[WipeWords]) meta_q.kept <= '0;
          evict_q <= step_d[SaveError] || step_d[SaveBusy];
          discard_q <= step_d[SaveError];
        end
        if (step_q[SaveBusyCheck]) rest_q <= rest_of(status_q.phase);
        if (step_q[SaveError]) begin
          error_q  <= error_q | m_prdata_i[8:0];
          loaded_q <= 1'b0;
        end
        // Words that are discarded had no interrupts.
        if (step_q[SaveIntr]) begin
          intr_q <= m_prdata_i[4:0] & ((discard_q && !parks_q) ? (intr_q | 5'b11000) : '1);
        end
        if (step_q[SaveErrorAgain]) begin
          if (m_prdata_i[0]) begin  // software has held it just before
            rest_q          <= RestHeld;
            intr_q[HeldBit] <= 1'b1;
          end
        end
        if (step_q[SaveDigest]) begin
          // The output was complete before it was held.
          if (status_q.done && rest_q == RestSqueeze) rest_q <= RestIdle;
        end
        if (step_q[LoadIntr]) intr_q <= ram_read[4:0];
        if (step_q[LoadError]) begin
          error_q     <= ram_read[8:0];
          loaded_q    <= 1'b1;
          cur_q       <= page_q;
          cur_owned_q <= meta_q.owned;
          cur_id_q    <= meta_q.id;
          fresh_q     <= 1'b1;
        end
        if (step_q[Forward]) begin
          if (s_pwrite_i && word == {3'd0, RegError}) begin
            for (int unsigned i = 0; i < 9; i++) begin
              if (s_pwdata_i[i] && s_pstrb_i[i/8]) error_q[i] <= 1'b0;
            end
          end
        end
        if (step_q[WipeMeta]) begin
          page_q <= page_q + PageWidth'(1);
          if (last_page) wiping_all_q <= 1'b0;
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
      step_q[SaveMeta];
  assign ram_page = (step_q[Idle]) ? page : saves ? cur_q : page_q;
  assign ram_read_addr = {ram_page, place};
  assign ram_meta = meta_t'(ram_read[$bits(meta_t)-1:0]);

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
    ram_write_q <= !rst_i && moves && (put || to_ram ||
        (from_ram && !step_q[Kept] && meta_q.kept == '0));
    ram_write_addr_q <= {ram_page, place};
  end

  // What the registers that are not the peripheral's show, and what the RAM gets.
  meta_t save_meta;
  logic [31:0] made;
  always_comb begin
    save_meta = meta_q;
    if (step_q[KeptMeta]) begin
      save_meta.kept = meta_q.kept - 3'd1;
      save_meta.next = meta_q.next + 2'd1;
    end
    if (step_q[SaveMeta]) begin
      save_meta.id = cur_id_q;
      save_meta.owned = cur_owned_q;
      save_meta.rest = rest_q;
      save_meta.done = status_q.done && !discard_q;
      save_meta.error = error_q != '0;
      if (!evict_q) begin
        save_meta.kept = status_q.digest_words;
        save_meta.next = '0;
      end
    end
    made = '0;
    if (step_q[Decide] && is_owner) begin
      made[0] = meta_q.owned;
      made[2] = mine;
      made[3] = denied_q[s_id_i];
      if (mine || privileged) made[8+:IdWidth] = meta_q.id;
    end
    if (step_q[Decide] && !is_owner && !is_refused) begin
      made[2:0] = {meta_q.rest == RestHeld, meta_q.rest == RestSqueeze,
                   meta_q.rest == RestSqueeze || meta_q.rest == RestAbsorb};
      made[4] = meta_q.done;
      made[5] = meta_q.error;
      made[15:8] = 8'(MessageWords);
      made[18:16] = meta_q.kept;
    end
    if (step_q[SavePutIntr]) made[4:0] |= intr_q;
    if (step_q[SavePutError]) made[8:0] |= error_q;
    if (step_q[KeptMeta] || step_q[SaveMeta] || step_q[WipeMeta]) made |= 32'(save_meta);
    // Its value after a reset.
    if (step_q[WipeWords]) made[0] |= index_q == place_of(RegConfig);
  end

  always_ff @(posedge clk_i) begin
    if (step_q[Kept]) data_q <= ram_read;
    else if (step_q[Forward] || to_ram) begin
      data_q <= m_prdata_i;
      if (step_q[Forward] && word == {3'd0, RegCaps}) begin
        data_q[7:0]   <= 8'(Contexts);
        data_q[23:16] <= 8'd1;
      end
      if (step_q[Forward] && word == {3'd0, RegStatus}) begin
        data_q[5] <= m_prdata_i[5] || error_q != '0;
      end
      if (step_q[Forward] && word == {3'd0, RegError}) begin
        data_q[8:0] <= m_prdata_i[8:0] | error_q;
      end
    end else if (!step_q[Answer]) data_q <= made;
  end

  ////////////////////
  // The ports      //
  ////////////////////

  assign m_psel_o = hit || access_valid;
  assign m_penable_o = hit ? s_penable_i : penable_q;
  assign m_pwrite_o = (hit || step_q[Forward]) ? s_pwrite_i : access_write;
  assign m_paddr_o = {hit ? word : access_word, 2'b00};
  assign m_pstrb_o = (hit || step_q[Forward]) ? s_pstrb_i : 4'b1111;
  always_comb begin
    m_pwdata_o = from_ram ? ram_read : s_pwdata_i;
    // Registers that are written with a constant have no more bits.
    if (!hit && !step_q[Forward] && !from_ram) m_pwdata_o[8:0] = constant;
  end

  assign s_pready_o = (hit && m_pready_i) || step_q[Answer];
  // Nothing while it waits, nor for a write: the peripheral's port may show a word of before.
  logic shows_data, shows_register;
  assign shows_data = step_q[Answer] && !s_pwrite_i;
  assign shows_register = hit && m_pready_i && !s_pwrite_i;
  assign s_prdata_o = (data_q & {32{shows_data}}) | (m_prdata_i & {32{shows_register}});

  // An interrupt stays as it is while its context is in the RAM.
  logic irq, irq_moves;
  logic [PageWidth-1:0] irq_page;
  assign irq_page = (step_q[WipeMeta]) ? page_q : cur_q;
  assign irq_moves = loaded_q || step_q[WipeMeta] || (step_q[SaveIntrEnable] && access_done);
  assign irq = (!step_q[WipeMeta]) &&
      (loaded_q ? m_irq_i : (intr_q & m_prdata_i[4:0]) != '0);
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
    $fatal(1, "hf_keccak_contexts: PrivilegedId has IdWidth bits at most, and %0d has more",
           PrivilegedId);
  end
  if (DigestWords != 1 && DigestWords != 2 && DigestWords != 4) begin : gen_bad_digest
    $fatal(1, "hf_keccak_contexts: DigestWords is 1, 2 or 4, not %0d", DigestWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
