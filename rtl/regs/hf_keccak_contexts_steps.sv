// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The next step of hf_keccak_contexts: the order of a save, a restore, an answer and a wipe. No
// state.

module hf_keccak_contexts_steps
  import hf_keccak_csr_pkg::*;
  import hf_keccak_contexts_pkg::*;
(
    input  steps_t      step_i,
    input  conditions_t conditions_i,
    output steps_t      step_o
);

  conditions_t now;
  assign now = conditions_i;

  steps_t switch_step, resume_step;
  logic restores_done;
  assign switch_step = now.any_loaded ? at(SaveBusy) : at(LoadHold);
  assign restores_done = now.page_record.phase == PhaseIdle && now.page_record.done;
  assign resume_step = (now.page_record.phase == PhaseAbsorb ||
      (now.page_record.phase == PhaseSqueeze && !now.stays_parked)) ?
      at(
      LoadResume
  ) : at(
      LoadIntrEnable
  );

  always_comb begin
    step_o = '0;
    if (step_i[Idle]) step_o |= now.starts ? at(Fetch) : at(Idle);
    if (step_i[Fetch]) step_o |= at(Latch);
    if (step_i[Latch]) step_o |= at(Decide);
    if (step_i[Decide]) begin
      if (now.is_wiped) step_o |= now.page_loaded ? at(WipeError) : at(WipeWords);
      else if (now.is_answered) step_o |= at(Answer);
      else if (now.is_constant || now.page_loaded) step_o |= at(Forward);
      else if (now.reads_status) step_o |= at(Answer);
      else if (now.reads_kept) step_o |= at(Kept);
      else step_o |= switch_step;
    end
    if (step_i[Kept]) step_o |= at(Answer);
    if (step_i[Forward]) step_o |= at(Answer);
    if (step_i[Answer]) begin
      if (now.answer_kept) step_o |= at(KeptZero);
      else step_o |= now.needs_post ? at(PostPoll) : at(Idle);
    end
    if (step_i[KeptZero]) step_o |= at(KeptRecord);
    if (step_i[KeptRecord]) begin
      step_o |= (now.page_record.kept_words == 3'd1 &&
                 now.page_record.phase == PhaseSqueeze) ? switch_step : at(Idle);
    end
    if (step_i[PostPoll]) step_o |= at(PostCheck);
    if (step_i[PostCheck]) begin
      if (now.status.busy || (now.post_hold && now.status.phase != phase_e__held)) begin
        step_o |= at(PostPoll);
      end else if (now.discards_kept) step_o |= at(WipeWords);
      else if (now.produces_output || now.page_record.phase == PhaseSqueeze) begin
        step_o |= at(SaveError);
      end else step_o |= at(SaveBusy);
    end
    if (step_i[SaveBusy]) step_o |= at(SaveBusyCheck);
    if (step_i[SaveBusyCheck]) step_o |= now.status.busy ? at(SaveBusy) : at(SaveError);
    if (step_i[SaveError]) step_o |= at(SaveErrorClear);
    if (step_i[SaveErrorClear]) step_o |= at(SaveIntr);
    if (step_i[SaveIntr]) begin
      if (now.discard_output) step_o |= at(SaveIntrEnable);
      else if (now.saved_phase == PhaseAbsorb || now.saved_phase == PhaseSqueeze)
        step_o |= at(SaveHold);
      else step_o |= at(SaveStatus);
    end
    if (step_i[SaveHold]) step_o |= at(SaveHeld);
    if (step_i[SaveHeld]) step_o |= at(SaveHeldCheck);
    if (step_i[SaveHeldCheck]) begin
      step_o |= (now.status.phase == phase_e__held) ? at(SaveErrorAgain) : at(SaveHeld);
    end
    if (step_i[SaveErrorAgain]) step_o |= at(SaveErrorClearAgain);
    if (step_i[SaveErrorClearAgain]) step_o |= at(SaveStatus);
    if (step_i[SaveStatus]) step_o |= at(SaveDigest);
    if (step_i[SaveDigest]) step_o |= now.step_repeats ? at(SaveDigest) : at(SaveConfig);
    if (step_i[SaveConfig]) step_o |= at(SaveLength);
    if (step_i[SaveLength]) step_o |= at(SaveTail);
    if (step_i[SaveTail]) step_o |= at(SavePosition);
    if (step_i[SavePosition]) begin
      if (now.saved_phase != PhaseIdle) step_o |= at(SaveState);
      // Its state was in the RAM and in the peripheral; only this one is wiped.
      else if (now.goes_back && now.page_record.phase == PhaseHeld) step_o |= at(SaveZero);
      else step_o |= at(SaveIntrEnable);
    end
    if (step_i[SaveState]) step_o |= now.step_repeats ? at(SaveState) : at(SaveIntrEnable);
    if (step_i[SaveZero]) step_o |= now.step_repeats ? at(SaveZero) : at(SaveIntrEnable);
    if (step_i[SaveIntrEnable]) step_o |= at(SavePutIntr);
    if (step_i[SavePutIntr]) step_o |= at(SavePutError);
    if (step_i[SavePutError]) step_o |= at(SaveClear);
    if (step_i[SaveClear]) step_o |= at(SaveRecord);
    if (step_i[SaveRecord]) step_o |= now.goes_back ? at(Idle) : at(LoadHold);
    if (step_i[LoadHold]) step_o |= at(LoadHeld);
    if (step_i[LoadHeld]) step_o |= at(LoadHeldCheck);
    if (step_i[LoadHeldCheck]) begin
      if (now.status.phase != phase_e__held) step_o |= at(LoadHeld);
      else step_o |= restores_done ? at(LoadDoneConfig) : at(LoadConfig);
    end
    if (step_i[LoadDoneConfig]) step_o |= at(LoadDonePosition);
    if (step_i[LoadDonePosition]) step_o |= at(LoadDoneResume);
    if (step_i[LoadDoneResume]) step_o |= at(LoadDone);
    if (step_i[LoadDone]) step_o |= at(LoadDoneCheck);
    if (step_i[LoadDoneCheck]) begin
      step_o |= (now.status.phase == phase_e__idle) ? at(LoadConfig) : at(LoadDone);
    end
    if (step_i[LoadConfig]) step_o |= restores_done ? at(LoadLength) : at(LoadPosition);
    if (step_i[LoadPosition]) begin
      step_o |= (now.page_record.phase == PhaseIdle) ? at(LoadClear) : at(LoadState);
    end
    if (step_i[LoadClear]) step_o |= at(LoadLength);
    if (step_i[LoadState]) step_o |= now.step_repeats ? at(LoadState) : at(LoadLength);
    if (step_i[LoadLength]) step_o |= at(LoadTail);
    if (step_i[LoadTail]) step_o |= at(LoadIntrClear);
    if (step_i[LoadIntrClear]) step_o |= at(LoadIntr);
    if (step_i[LoadIntr]) step_o |= resume_step;
    if (step_i[LoadResume]) begin
      step_o |= (now.page_record.phase == PhaseAbsorb) ? at(LoadAbsorb) : at(LoadIntrEnable);
    end
    if (step_i[LoadAbsorb]) step_o |= at(LoadAbsorbCheck);
    if (step_i[LoadAbsorbCheck]) begin
      step_o |= (now.status.phase == phase_e__absorb && !now.status.busy) ? at(LoadRoom) :
          at(LoadAbsorb);
    end
    if (step_i[LoadRoom]) step_o |= at(LoadIntrEnable);
    if (step_i[LoadIntrEnable]) step_o |= at(LoadError);
    if (step_i[LoadError]) step_o |= now.no_access ? at(Idle) : at(Forward);
    if (step_i[WipeError]) step_o |= at(WipeClear);
    if (step_i[WipeClear]) step_o |= at(WipeWords);
    if (step_i[WipeWords]) step_o |= now.step_repeats ? at(WipeWords) : at(WipeRecord);
    if (step_i[WipeRecord]) begin
      if (now.reset_wipe) step_o |= now.last_page ? at(Idle) : at(WipeWords);
      else step_o |= now.no_access ? at(Idle) : at(Answer);
    end
  end

endmodule
