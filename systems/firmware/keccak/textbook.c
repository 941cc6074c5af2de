// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] as FIPS 202 has it: five step mappings (section 3.2), each from a state A to a
// state B of its own, A[y][x] being lane (x, y).

#include "systems/firmware/keccak/constants.h"
#include "systems/firmware/keccak/intrinsics.h"
#include "systems/firmware/keccak/lanes.h"

typedef uint64_t lanes[5][5];

static void theta(lanes B, const lanes A) {
    uint64_t C[5], D[5];
    for (unsigned x = 0; x < 5; x++) C[x] = A[0][x] ^ A[1][x] ^ A[2][x] ^ A[3][x] ^ A[4][x];
    for (unsigned x = 0; x < 5; x++) D[x] = C[(x + 4) % 5] ^ ROL64(C[(x + 1) % 5], 1);
    for (unsigned y = 0; y < 5; y++) {
        for (unsigned x = 0; x < 5; x++) B[y][x] = A[y][x] ^ D[x];
    }
}

// The table of section 3.2.2, in the order of the lanes in memory.
static void rho(lanes B, const lanes A) {
    B[0][0] = A[0][0];
    B[0][1] = ROL64(A[0][1], 1);
    B[0][2] = ROL64(A[0][2], 62);
    B[0][3] = ROL64(A[0][3], 28);
    B[0][4] = ROL64(A[0][4], 27);
    B[1][0] = ROL64(A[1][0], 36);
    B[1][1] = ROL64(A[1][1], 44);
    B[1][2] = ROL64(A[1][2], 6);
    B[1][3] = ROL64(A[1][3], 55);
    B[1][4] = ROL64(A[1][4], 20);
    B[2][0] = ROL64(A[2][0], 3);
    B[2][1] = ROL64(A[2][1], 10);
    B[2][2] = ROL64(A[2][2], 43);
    B[2][3] = ROL64(A[2][3], 25);
    B[2][4] = ROL64(A[2][4], 39);
    B[3][0] = ROL64(A[3][0], 41);
    B[3][1] = ROL64(A[3][1], 45);
    B[3][2] = ROL64(A[3][2], 15);
    B[3][3] = ROL64(A[3][3], 21);
    B[3][4] = ROL64(A[3][4], 8);
    B[4][0] = ROL64(A[4][0], 18);
    B[4][1] = ROL64(A[4][1], 2);
    B[4][2] = ROL64(A[4][2], 61);
    B[4][3] = ROL64(A[4][3], 56);
    B[4][4] = ROL64(A[4][4], 14);
}

static void pi(lanes B, const lanes A) {
    for (unsigned y = 0; y < 5; y++) {
        for (unsigned x = 0; x < 5; x++) B[y][x] = A[x][(x + 3 * y) % 5];
    }
}

static void chi(lanes B, const lanes A) {
    for (unsigned y = 0; y < 5; y++) {
        for (unsigned x = 0; x < 5; x++) {
            B[y][x] = A[y][x] ^ (~A[y][(x + 1) % 5] & A[y][(x + 2) % 5]);
        }
    }
}

void keccak_f1600(keccak_state *state) {
    uint64_t(*A)[5] = (uint64_t(*)[5])state->lanes;
    lanes B;
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        theta(B, A);
        rho(A, B);
        pi(B, A);
        chi(A, B);
        A[0][0] ^= round_constants[round];  // iota
    }
}
