// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] in words of 32 bits: every lane is its low and its high word, the rounds are
// written out.

#include "systems/firmware/keccak/constants.h"
#include "systems/firmware/keccak/intrinsics.h"
#include "systems/firmware/keccak/lanes.h"

#define ROTATE(to, to_1, from, from_1, amount)                                            \
    do {                                                                                  \
        const uint32_t in_low = (from), in_high = (from_1);                               \
        if ((amount) != 0) {                                                              \
            ROL64_WORDS(to, to_1, in_low, in_high, amount);                               \
        } else {                                                                          \
            (to) = in_low, (to_1) = in_high;                                              \
        }                                                                                 \
    } while (0)
#define CONSTANT(round, half) (uint32_t)(round_constants[round] >> 32 * (half))

#ifdef HF_XOR

// The low word of a lane comes with its second instruction, the high one with the next lane's first.
#define LANE(to, last, lane, x, amount)                                                   \
    last = KEEP_XOR(WORD(A, lane, 0), d##x##_0);                                          \
    to = XOR_ROL64(amount, WORD(A, lane, 1), d##x##_1);

#define CHI_ROW(y, half)                                                                  \
    WORD(E, 5 * (y), half) = NEXT_CHI(b1_##half, b2_##half);                              \
    WORD(E, 5 * (y) + 1, half) = NEXT_CHI(b2_##half, b3_##half);                          \
    WORD(E, 5 * (y) + 2, half) = NEXT_CHI(b3_##half, b4_##half);                          \
    WORD(E, 5 * (y) + 3, half) = NEXT_CHI(b4_##half, b0_##half);                          \
    WORD(E, 5 * (y) + 4, half) = NEXT_CHI(b0_##half, b1_##half);

#define ROW(y, l0, x0, n0, l1, x1, n1, l2, x2, n2, l3, x3, n3, l4, x4, n4)                \
    {                                                                                     \
        uint32_t none, b0_0, b0_1, b1_0, b1_1, b2_0, b2_1, b3_0, b3_1, b4_0, b4_1;        \
        LANE(b0_0, none, l0, x0, n0)                                                      \
        LANE(b1_0, b0_1, l1, x1, n1)                                                      \
        LANE(b2_0, b1_1, l2, x2, n2)                                                      \
        LANE(b3_0, b2_1, l3, x3, n3)                                                      \
        LANE(b4_0, b3_1, l4, x4, n4)                                                      \
        (void)none;                                                                       \
        b4_1 = KEEP_XOR(b0_0, 0);                                                         \
        CHI_ROW(y, 0)                                                                     \
        (void)KEEP_XOR(b0_1, 0);                                                          \
        CHI_ROW(y, 1)                                                                     \
    }

#endif

#include "systems/firmware/keccak/halves.h"
