// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], bit-interleaved: of every lane one word has the even bits, one the odd ones. A
// rotate of the lane is then one of each word, with the words swapped if the amount is odd. Bits are
// sorted where bytes come in and go out.

#include "systems/firmware/keccak/intrinsics.h"
#include "systems/firmware/keccak/memory.h"

#define ROTATE(to, to_1, from, from_1, amount)                                            \
    do {                                                                                  \
        const uint32_t in_even = (from), in_odd = (from_1);                               \
        (to) = (amount) % 2 ? TURN(in_odd, ((amount) + 1) / 2) : TURN(in_even, (amount) / 2); \
        (to_1) = (amount) % 2 ? TURN(in_even, (amount) / 2) : TURN(in_odd, (amount) / 2); \
    } while (0)
#define TURN(word, amount) ((amount) % 32 == 0 ? (word) : ROL32(word, (amount) % 32))
#define CONSTANT(round, half) round_words[round][half]

static const uint32_t round_words[KECCAK_ROUNDS][2] = {
    {0x00000001, 0x00000000}, {0x00000000, 0x00000089}, {0x00000000, 0x8000008b},
    {0x00000000, 0x80008080}, {0x00000001, 0x0000008b}, {0x00000001, 0x00008000},
    {0x00000001, 0x80008088}, {0x00000001, 0x80000082}, {0x00000000, 0x0000000b},
    {0x00000000, 0x0000000a}, {0x00000001, 0x00008082}, {0x00000000, 0x00008003},
    {0x00000001, 0x0000808b}, {0x00000001, 0x8000000b}, {0x00000001, 0x8000008a},
    {0x00000001, 0x80000081}, {0x00000000, 0x80000081}, {0x00000000, 0x80000008},
    {0x00000000, 0x00000083}, {0x00000000, 0x80008003}, {0x00000001, 0x80008088},
    {0x00000000, 0x80000088}, {0x00000001, 0x00008000}, {0x00000000, 0x80008082},
};

#include "systems/firmware/keccak/halves.h"

// The even bits go into the low half, in their order, the odd ones into the high half.
static uint32_t sorted(uint32_t word) {
    uint32_t swap;
    swap = (word ^ word >> 1) & 0x22222222, word ^= swap ^ swap << 1;
    swap = (word ^ word >> 2) & 0x0c0c0c0c, word ^= swap ^ swap << 2;
    swap = (word ^ word >> 4) & 0x00f000f0, word ^= swap ^ swap << 4;
    swap = (word ^ word >> 8) & 0x0000ff00, word ^= swap ^ swap << 8;
    return word;
}

static uint32_t merged(uint32_t word) {
    uint32_t swap;
    swap = (word ^ word >> 8) & 0x0000ff00, word ^= swap ^ swap << 8;
    swap = (word ^ word >> 4) & 0x00f000f0, word ^= swap ^ swap << 4;
    swap = (word ^ word >> 2) & 0x0c0c0c0c, word ^= swap ^ swap << 2;
    swap = (word ^ word >> 1) & 0x22222222, word ^= swap ^ swap << 1;
    return word;
}

void keccak_clear(keccak_state *state) {
    for (unsigned i = 0; i < 2 * KECCAK_LANES; i++) state->words[i] = 0;
}

void keccak_add_lanes(keccak_state *state, uint32_t first, const keccak_word *words,
                      uint32_t lanes) {
    for (; lanes != 0; lanes--, first++, words += 2) {
        const uint32_t low = sorted(keccak_little(words[0]));
        const uint32_t high = sorted(keccak_little(words[1]));
        WORD(state->words, first, 0) ^= (low & 0xffff) | high << 16;
        WORD(state->words, first, 1) ^= low >> 16 | (high & 0xffff0000);
    }
}

void keccak_get_lanes(const keccak_state *state, uint32_t first, keccak_word *words,
                      uint32_t lanes) {
    for (; lanes != 0; lanes--, first++, words += 2) {
        const uint32_t even = WORD(state->words, first, 0), odd = WORD(state->words, first, 1);
        words[0] = keccak_little(merged((even & 0xffff) | odd << 16));
        words[1] = keccak_little(merged(even >> 16 | (odd & 0xffff0000)));
    }
}
