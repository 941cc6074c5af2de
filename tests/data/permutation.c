// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The permutation alone, of a state from the host.

#include "firmware/keccak/keccak.h"
#include "firmware/system.h"

HF_SHARED uint64_t hf_state[KECCAK_LANES];

int main(void) {
    hf_mail(HF_BEGIN);
    keccak_f1600(hf_state);
    hf_mail(HF_END);
    return 0;
}
