// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], compact: theta and chi in loops, rho and pi as one walk over 24 lanes with its
// rotates written out, since a rotate by a constant is what a processor can do well.

#include "systems/firmware/keccak/constants.h"
#include "systems/firmware/keccak/intrinsics.h"
#include "systems/firmware/keccak/lanes.h"

static void theta(uint64_t *state) {
    uint64_t parity[5];
    for (unsigned x = 0; x < 5; x++) {
        parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    }
    for (unsigned x = 0; x < 5; x++) {
        const uint64_t right = parity[x == 4 ? 0 : x + 1];
        const uint64_t effect = parity[x == 0 ? 4 : x - 1] ^ ROL64(right, 1);
        for (unsigned y = 0; y < KECCAK_LANES; y += 5) state[y + x] ^= effect;
    }
}

static void rho_pi(uint64_t *state) {
    uint64_t moved = state[1];
// The lane in hand goes, rotated, to where pi takes it; the lane found there is the next.
#define STEP(place, amount)                 \
    {                                       \
        const uint64_t found = state[place]; \
        state[place] = ROL64(moved, amount); \
        moved = found;                      \
    }
    STEP(10, 1) STEP(7, 3) STEP(11, 6) STEP(17, 10) STEP(18, 15) STEP(3, 21)
    STEP(5, 28) STEP(16, 36) STEP(8, 45) STEP(21, 55) STEP(24, 2) STEP(4, 14)
    STEP(15, 27) STEP(23, 41) STEP(19, 56) STEP(13, 8) STEP(12, 25) STEP(2, 43)
    STEP(20, 62) STEP(14, 18) STEP(22, 39) STEP(9, 61) STEP(6, 20) STEP(1, 44)
#undef STEP
}

static void chi(uint64_t *state) {
    for (uint64_t *row = state; row != state + KECCAK_LANES; row += 5) {
        const uint64_t first = row[0], second = row[1];
        row[0] ^= ~row[1] & row[2];
        row[1] ^= ~row[2] & row[3];
        row[2] ^= ~row[3] & row[4];
        row[3] ^= ~row[4] & first;
        row[4] ^= ~first & second;
    }
}

void keccak_f1600(keccak_state *whole) {
    uint64_t *state = whole->lanes;
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        theta(state);
        rho_pi(state);
        chi(state);
        state[0] ^= round_constants[round];
    }
}
