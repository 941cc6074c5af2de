// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// How bytes come to a state in memory whose lanes are numbers of 64 bits, and back: for the one
// file of the program that has such a permutation.

#ifndef HF_KECCAK_LANES_H
#define HF_KECCAK_LANES_H

#include "systems/firmware/keccak/keccak.h"

void keccak_clear(keccak_state *state) {
    for (unsigned i = 0; i < 2 * KECCAK_LANES; i++) state->words[i] = 0;
}

// Word 2i of a message is the low one of lane i.
void keccak_add_lanes(keccak_state *state, uint32_t first, const keccak_word *words,
                      uint32_t lanes) {
    uint32_t *to = &state->words[2 * first];
    for (; lanes != 0; lanes--, to += 2, words += 2) {
        to[KECCAK_LOW] ^= keccak_little(words[0]);
        to[!KECCAK_LOW] ^= keccak_little(words[1]);
    }
}

void keccak_get_lanes(const keccak_state *state, uint32_t first, keccak_word *words,
                      uint32_t lanes) {
    const uint32_t *from = &state->words[2 * first];
    for (; lanes != 0; lanes--, from += 2, words += 2) {
        words[0] = keccak_little(from[KECCAK_LOW]);
        words[1] = keccak_little(from[!KECCAK_LOW]);
    }
}

#include "systems/firmware/keccak/memory.h"

#endif
