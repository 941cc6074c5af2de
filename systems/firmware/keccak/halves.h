// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] with every lane as two words of 32 bits and all of a round written out, from one
// state to another: two rounds come back to the first. Before it is included:
//
//   ROTATE(to, to_1, from, from_1, amount)  as statement: a lane's two words rotated to the left
//   CONSTANT(round, half)                   iota's constant, one of its two words
//   ROW(y, lane, x, amount, ... five times) may be there already, else it is as below
//
// Word `half` of a lane: 0 is the low word or that of the even bits, 1 the high or odd one.

#ifndef HF_KECCAK_HALVES_H
#define HF_KECCAK_HALVES_H

#include "systems/firmware/keccak/keccak.h"

#define WORD(state, lane, half) (state)[2 * (lane) + ((half) ^ KECCAK_LOW)]

// C[x]: the parity of a column's lanes.
#define PARITY(x, half)                                                                   \
    (WORD(A, (x), half) ^ WORD(A, (x) + 5, half) ^ WORD(A, (x) + 10, half) ^              \
     WORD(A, (x) + 15, half) ^ WORD(A, (x) + 20, half))

// D[x]: what theta adds to column x.
#define EFFECT(x, left, right)                                                            \
    uint32_t d##x##_0, d##x##_1;                                                          \
    ROTATE(d##x##_0, d##x##_1, c##right##_0, c##right##_1, 1);                            \
    d##x##_0 ^= c##left##_0;                                                              \
    d##x##_1 ^= c##left##_1;

// A lane of A after theta, rho and pi.
#define GATHER(to, lane, x, amount)                                                       \
    uint32_t b##to##_0 = WORD(A, lane, 0) ^ d##x##_0, b##to##_1 = WORD(A, lane, 1) ^ d##x##_1; \
    ROTATE(b##to##_0, b##to##_1, b##to##_0, b##to##_1, amount);

// Row y of E. Lane x of it comes from the lane of A that stands there, of the column named, rotated.
#ifndef ROW
#define ROW(y, l0, x0, n0, l1, x1, n1, l2, x2, n2, l3, x3, n3, l4, x4, n4)                \
    {                                                                                     \
        GATHER(0, l0, x0, n0)                                                             \
        GATHER(1, l1, x1, n1)                                                             \
        GATHER(2, l2, x2, n2)                                                             \
        GATHER(3, l3, x3, n3)                                                             \
        GATHER(4, l4, x4, n4)                                                             \
        CHI(y, 0)                                                                         \
        CHI(y, 1)                                                                         \
    }
#endif

#define CHI(y, half)                                                                      \
    WORD(E, 5 * (y), half) = b0_##half ^ (~b1_##half & b2_##half);                        \
    WORD(E, 5 * (y) + 1, half) = b1_##half ^ (~b2_##half & b3_##half);                    \
    WORD(E, 5 * (y) + 2, half) = b2_##half ^ (~b3_##half & b4_##half);                    \
    WORD(E, 5 * (y) + 3, half) = b3_##half ^ (~b4_##half & b0_##half);                    \
    WORD(E, 5 * (y) + 4, half) = b4_##half ^ (~b0_##half & b1_##half);

static inline void __attribute__((always_inline))
keccak_round(uint32_t *restrict E, const uint32_t *restrict A, unsigned round) {
    const uint32_t c0_0 = PARITY(0, 0), c0_1 = PARITY(0, 1);
    const uint32_t c1_0 = PARITY(1, 0), c1_1 = PARITY(1, 1);
    const uint32_t c2_0 = PARITY(2, 0), c2_1 = PARITY(2, 1);
    const uint32_t c3_0 = PARITY(3, 0), c3_1 = PARITY(3, 1);
    const uint32_t c4_0 = PARITY(4, 0), c4_1 = PARITY(4, 1);
    EFFECT(0, 4, 1)
    EFFECT(1, 0, 2)
    EFFECT(2, 1, 3)
    EFFECT(3, 2, 4)
    EFFECT(4, 3, 0)
    ROW(0, 0, 0, 0, 6, 1, 44, 12, 2, 43, 18, 3, 21, 24, 4, 14)
    ROW(1, 3, 3, 28, 9, 4, 20, 10, 0, 3, 16, 1, 45, 22, 2, 61)
    ROW(2, 1, 1, 1, 7, 2, 6, 13, 3, 25, 19, 4, 8, 20, 0, 18)
    ROW(3, 4, 4, 27, 5, 0, 36, 11, 1, 10, 17, 2, 15, 23, 3, 56)
    ROW(4, 2, 2, 62, 8, 3, 55, 14, 4, 39, 15, 0, 41, 21, 1, 2)
    WORD(E, 0, 0) ^= CONSTANT(round, 0);
    WORD(E, 0, 1) ^= CONSTANT(round, 1);
}

void keccak_f1600(keccak_state *state) {
    keccak_state other;
    for (unsigned round = 0; round < KECCAK_ROUNDS; round += 2) {
        keccak_round(other.words, state->words, round);
        keccak_round(state->words, other.words, round + 1);
    }
}

#endif
