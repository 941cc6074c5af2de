// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a step of hf_keccak_contexts does: an access to the peripheral, and the word of the RAM that
// it reads or writes. No state: sums of products, since a step is one-hot.

module hf_keccak_contexts_moves
  import hf_keccak_contexts_pkg::*;
(
    input  steps_t       step_i,
    input  logic   [6:0] page_word_i,     // of the access of the bus
    input  logic   [5:0] word_index_i,
    input  logic   [1:0] next_kept_i,
    input  logic   [2:0] digest_words_i,  // of STATUS
    input  logic   [4:0] saved_intr_i,
    output move_t        move_o,
    output logic         saves_digest_o   // a word of it
);

  // Steps that move nothing.
  logic unused_steps;
  assign unused_steps = ^step_i;

  logic [3:0] step_register;
  logic of_state, of_kept;
  logic loads, commands, clears_error;  // writes to the peripheral
  always_comb begin
    move_o.polls = step_i[PostPoll] || step_i[SaveBusy] || step_i[SaveHeld] ||
        step_i[SaveStatus] || step_i[LoadHeld] || step_i[LoadDone] || step_i[LoadAbsorb];
    move_o.put = step_i[KeptZero] || step_i[KeptRecord] || step_i[SavePutIntr] ||
        step_i[SavePutError] || step_i[SaveRecord] || step_i[SaveZero] || step_i[WipeWords] ||
        step_i[WipeRecord];
    of_kept = step_i[Kept] || step_i[KeptZero] || step_i[SaveDigest];
    of_state = step_i[SaveState] || step_i[SaveZero] || step_i[LoadState] || step_i[WipeWords];
    saves_digest_o = step_i[SaveDigest] && word_index_i[2:0] != digest_words_i;
    move_o.to_ram = saves_digest_o || step_i[SaveConfig] || step_i[SaveLength] ||
        step_i[SaveTail] || step_i[SavePosition] || step_i[SaveState] || step_i[SaveIntrEnable];
    loads = step_i[LoadConfig] || step_i[LoadPosition] || step_i[LoadState] ||
        step_i[LoadLength] || step_i[LoadTail] || step_i[LoadIntr] || step_i[LoadIntrEnable];
    move_o.from_ram = loads || step_i[Kept] || step_i[LoadError];
    commands = step_i[SaveHold] || step_i[LoadHold] || step_i[SaveClear] || step_i[LoadClear] ||
        step_i[WipeClear] || step_i[LoadResume] || step_i[LoadDoneResume];
    clears_error = step_i[SaveErrorClear] || step_i[SaveErrorClearAgain] || step_i[WipeError];
    move_o.write = loads || commands || clears_error || step_i[LoadIntrClear] ||
        step_i[LoadRoom] || step_i[LoadDoneConfig] || step_i[LoadDonePosition];
    move_o.needed = move_o.write || move_o.polls || move_o.to_ram || step_i[Forward] ||
        step_i[SaveError] || step_i[SaveErrorAgain] || step_i[SaveIntr];

    step_register = '0;
    if (move_o.polls) step_register |= RegStatus;
    if (commands) step_register |= RegCommand;
    if (step_i[SaveConfig] || step_i[LoadConfig] || step_i[LoadDoneConfig]) begin
      step_register |= RegConfig;
    end
    if (step_i[SaveLength] || step_i[LoadLength]) step_register |= RegLength;
    if (step_i[SaveTail] || step_i[LoadTail]) step_register |= RegTail;
    if (step_i[SavePosition] || step_i[LoadPosition] || step_i[LoadDonePosition]) begin
      step_register |= RegPosition;
    end
    if (clears_error || step_i[SaveError] || step_i[SaveErrorAgain] || step_i[SavePutError] ||
        step_i[LoadError]) begin
      step_register |= RegError;
    end
    if (step_i[SaveIntr] || step_i[SavePutIntr] || step_i[LoadIntrClear] || step_i[LoadRoom] ||
        step_i[LoadIntr]) begin
      step_register |= RegIntrState;
    end
    if (step_i[SaveIntrEnable] || step_i[LoadIntrEnable]) step_register |= RegIntrEnable;
    if (step_i[Idle] || step_i[Fetch] || step_i[KeptRecord] || step_i[SaveRecord] ||
        step_i[WipeRecord]) begin
      step_register |= RegRecord;
    end

    move_o.constant = '0;
    if (clears_error || step_i[LoadIntrClear]) move_o.constant |= Ones;
    if (step_i[SaveHold] || step_i[LoadHold]) move_o.constant |= CommandHold;
    if (step_i[SaveClear] || step_i[LoadClear] || step_i[WipeClear])
      move_o.constant |= CommandClear;
    if (step_i[LoadResume] || step_i[LoadDoneResume]) move_o.constant |= CommandResume;
    if (step_i[LoadDoneConfig]) move_o.constant |= AnyConfig;
    if (step_i[LoadDonePosition]) move_o.constant |= Squeezing;
    if (step_i[LoadRoom]) move_o.constant |= {4'd0, ~saved_intr_i};  // `resume` has set `room`

    if (step_i[Forward]) move_o.word = page_word_i;
    else if (of_state) move_o.word = {1'b1, word_index_i};
    else if (of_kept) move_o.word = DigestWord;
    else move_o.word = {3'd0, step_i[LoadIntr] ? RegIntrTest : step_register};

    if (of_state) move_o.ram_place = word_index_i;
    else if (of_kept)
      move_o.ram_place = place_of_kept(step_i[SaveDigest] ? word_index_i[1:0] : next_kept_i);
    else move_o.ram_place = {2'b11, step_register};
  end

endmodule
