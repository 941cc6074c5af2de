// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] in a unit that holds the state (systems/rtl/hf_unit_state.sv): what is in memory is
// only the state of a sponge that has stepped aside. One sponge is in the unit at a time.

#include "systems/firmware/keccak/keccak.h"

#define HF_STATE(operation, rs1, rs2)                                                     \
    ({                                                                                    \
        uint32_t hf_rd;                                                                   \
        __asm__ volatile(".insn r 0x0b, 6, 64 + %1, %0, %z2, %z3"                         \
                         : "=r"(hf_rd)                                                    \
                         : "i"(operation), "rJ"((uint32_t)(rs1)), "rJ"((uint32_t)(rs2))); \
        hf_rd;                                                                            \
    })
#define ABSORB(low, high) (void)HF_STATE(0, low, high)
#define READ_LOW() HF_STATE(1, 0, 0)
#define READ_HIGH() HF_STATE(2, 0, 0)
#define PERMUTE() (void)HF_STATE(3, 0, 0)
#define CLEAR() (void)HF_STATE(4, 0, 0)

void keccak_clear(keccak_state *state) {
    (void)state;
    CLEAR();
}

void keccak_add_lanes(keccak_state *state, uint32_t first, const keccak_word *words,
                      uint32_t lanes) {
    (void)state, (void)first;
    // Words by fours of lanes: a loop's own instructions count here.
    for (; lanes >= 4; lanes -= 4, words += 8) {
        ABSORB(keccak_little(words[0]), keccak_little(words[1]));
        ABSORB(keccak_little(words[2]), keccak_little(words[3]));
        ABSORB(keccak_little(words[4]), keccak_little(words[5]));
        ABSORB(keccak_little(words[6]), keccak_little(words[7]));
    }
    for (; lanes != 0; lanes--, words += 2) {
        ABSORB(keccak_little(words[0]), keccak_little(words[1]));
    }
}

void keccak_skip_lanes(keccak_state *state, uint32_t first, uint32_t lanes) {
    (void)state, (void)first;
    while (lanes-- != 0) ABSORB(0, 0);
}

void keccak_get_lanes(const keccak_state *state, uint32_t first, keccak_word *words,
                      uint32_t lanes) {
    (void)state, (void)first;
    for (; lanes >= 4; lanes -= 4, words += 8) {
        for (unsigned i = 0; i < 8; i += 2) {
            words[i] = keccak_little(READ_LOW());
            words[i + 1] = keccak_little(READ_HIGH());
        }
    }
    for (; lanes != 0; lanes--, words += 2) {
        words[0] = keccak_little(READ_LOW());
        words[1] = keccak_little(READ_HIGH());
    }
}

void keccak_f1600(keccak_state *state) {
    (void)state;
    PERMUTE();
}

void keccak_suspend(keccak_state *state, uint32_t first) {
    keccak_skip_lanes(state, first, KECCAK_LANES - first);  // It is lane 0's turn.
    keccak_get_lanes(state, 0, (keccak_word *)state->words, KECCAK_LANES);
}

void keccak_resume(keccak_state *state, uint32_t first) {
    keccak_clear(state);
    keccak_add_lanes(state, 0, (const keccak_word *)state->words, KECCAK_LANES);
    keccak_skip_lanes(state, 0, first);
}
