// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Only the permutation, of a state from the host: its bytes go in, those after it come out.

#include "systems/firmware/keccak/keccak.h"
#include "systems/firmware/system.h"

HF_SHARED keccak_word hf_state[2 * KECCAK_LANES];
static keccak_state state HF_KEPT;

int main(void) {
    keccak_f1600(&state);  // The caches hold it.
    keccak_clear(&state);
    keccak_add_lanes(&state, 0, hf_state, KECCAK_LANES);
    hf_mail(HF_BEGIN);
    keccak_f1600(&state);
    hf_mail(HF_PAUSE);
    keccak_get_lanes(&state, 0, hf_state, KECCAK_LANES);
    hf_mail(HF_END);
    return 0;
}
