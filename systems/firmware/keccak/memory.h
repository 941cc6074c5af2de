// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a permutation whose state is in memory need not do.

#ifndef HF_KECCAK_MEMORY_H
#define HF_KECCAK_MEMORY_H

#include "systems/firmware/keccak/keccak.h"

void keccak_skip_lanes(keccak_state *state, uint32_t first, uint32_t lanes) {
    (void)state, (void)first, (void)lanes;
}

void keccak_suspend(keccak_state *state, uint32_t first) {
    (void)state, (void)first;
}

void keccak_resume(keccak_state *state, uint32_t first) {
    (void)state, (void)first;
}

#endif
