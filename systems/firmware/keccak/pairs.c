// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] by the instructions of systems/rtl/hf_unit_pairs.sv: lanes go from one state in memory
// through the unit into another. The unit keeps lanes from one instruction to the next: whoever
// interrupts a permutation must not use it.

#include "systems/firmware/keccak/constants.h"
#include "systems/firmware/keccak/lanes.h"

#define HF_PAIR(funct3, funct7, rs1, rs2)                                                 \
    ({                                                                                    \
        uint32_t hf_rd;                                                                   \
        __asm__ volatile(".insn r 0x0b, %1, 64 + %2, %0, %z3, %z4"                        \
                         : "=r"(hf_rd)                                                    \
                         : "i"(funct3), "i"(funct7), "rJ"((uint32_t)(rs1)),               \
                           "rJ"((uint32_t)(rs2)));                                        \
        hf_rd;                                                                            \
    })
#define PARITY(low, high) (void)HF_PAIR(5, 0, low, high)
#define THETA() (void)HF_PAIR(5, 1, 0, 0)
#define ROW_LOW(added) HF_PAIR(5, 2, added, 0)
#define ROW_HIGH(added) HF_PAIR(5, 3, added, 0)

#define WORD(state, lane, half) (state)[2 * (lane) + ((half) ^ KECCAK_LOW)]
#define GATHER(lane, x, amount) (void)HF_PAIR(x, amount, WORD(A, lane, 0), WORD(A, lane, 1));

// Lane x of row y, to which `low` and `high` are added.
#define LEAVE(y, x, low, high)                                                            \
    WORD(E, 5 * (y) + (x), 0) = ROW_LOW(low);                                             \
    WORD(E, 5 * (y) + (x), 1) = ROW_HIGH(high);

// Lane x of row y of E comes from the lane of A that stands there, of the column named, rotated.
#define ROW_PLUS(y, low, high, l0, x0, n0, l1, x1, n1, l2, x2, n2, l3, x3, n3, l4, x4, n4) \
    GATHER(l0, x0, n0)                                                                    \
    GATHER(l1, x1, n1)                                                                    \
    GATHER(l2, x2, n2)                                                                    \
    GATHER(l3, x3, n3)                                                                    \
    GATHER(l4, x4, n4)                                                                    \
    LEAVE(y, 0, low, high)                                                                \
    LEAVE(y, 1, 0, 0)                                                                     \
    LEAVE(y, 2, 0, 0)                                                                     \
    LEAVE(y, 3, 0, 0)                                                                     \
    LEAVE(y, 4, 0, 0)
#define ROW(y, ...) ROW_PLUS(y, 0, 0, __VA_ARGS__)

void keccak_f1600(keccak_state *state) {
    keccak_state other;
    uint32_t *A = state->words, *E = other.words;
    THETA();  // The parities are zero.
    for (unsigned i = 0; i < KECCAK_LANES; i++) PARITY(WORD(A, i, 0), WORD(A, i, 1));
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        const uint64_t constant = round_constants[round];
        THETA();
        ROW_PLUS(0, (uint32_t)constant, (uint32_t)(constant >> 32), 0, 0, 0, 6, 1, 44, 12, 2, 43, 18, 3, 21, 24, 4, 14)
        ROW(1, 3, 3, 28, 9, 4, 20, 10, 0, 3, 16, 1, 45, 22, 2, 61)
        ROW(2, 1, 1, 1, 7, 2, 6, 13, 3, 25, 19, 4, 8, 20, 0, 18)
        ROW(3, 4, 4, 27, 5, 0, 36, 11, 1, 10, 17, 2, 15, 23, 3, 56)
        ROW(4, 2, 2, 62, 8, 3, 55, 14, 4, 39, 15, 0, 41, 21, 1, 2)
        uint32_t *const next = E;
        E = A;
        A = next;
    }
}
