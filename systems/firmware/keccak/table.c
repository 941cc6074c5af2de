// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], all in loops: rho's amounts come from a table, as in much of the C that is about.
// A compiler for 32 bits has no shift of 64 by a variable amount: it calls a function, or
// branches. The RISC-V instruction has the amount in itself, and cannot help here.

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

// The walk: where pi takes the lane in hand, and rho's amount for it.
static const uint8_t places[24] = {
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
};
static const uint8_t amounts[24] = {
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
};

static void rho_pi(uint64_t *state) {
    uint64_t moved = state[1];
    for (unsigned step = 0; step < 24; step++) {
        const uint64_t found = state[places[step]];
        state[places[step]] = ROL64_BY(moved, amounts[step]);
        moved = found;
    }
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
