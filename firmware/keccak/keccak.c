// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak in C for a processor of 32 bits: theta and chi in loops, rho and pi as one walk over 24
// lanes with its rotates written out, since a rotate by a constant is what a processor can do well.
// Right in either byte order: bytes are moved by shifts. No shift needs the compiler's library.

#include "firmware/keccak/keccak.h"

// A rotate to the left by 1 .. 63. HF_ROL64: by the instructions of rtl/cpu/hf_pcpi_rol64.sv.
#ifdef HF_ROL64
#define ROL64(lane, amount)                                                               \
    ({                                                                                    \
        const uint64_t rol_in = (lane);                                                   \
        uint32_t rol_low, rol_high;                                                       \
        __asm__(".insn r 0x0b, 0, %3, %0, %1, %2"                                         \
                : "=r"(rol_low)                                                           \
                : "r"((uint32_t)rol_in), "r"((uint32_t)(rol_in >> 32)), "i"(amount));     \
        __asm__(".insn r 0x0b, 1, %3, %0, %1, %2"                                         \
                : "=r"(rol_high)                                                          \
                : "r"((uint32_t)rol_in), "r"((uint32_t)(rol_in >> 32)), "i"(amount));     \
        (uint64_t)rol_high << 32 | rol_low;                                               \
    })
#else
#define ROL64(lane, amount) ((lane) << (amount) | (lane) >> (64 - (amount)))
#endif

static const uint64_t round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

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

void keccak_f1600(uint64_t state[KECCAK_LANES]) {
    for (unsigned round = 0; round < 24; round++) {
        theta(state);
        rho_pi(state);
        chi(state);
        state[0] ^= round_constants[round];
    }
}

// Adds a byte to the state's string at `place`.
static void add_byte(uint64_t *state, uint32_t place, uint8_t byte) {
    const uint32_t word = (uint32_t)byte << 8 * (place % 4);
    state[place / 8] ^= place % 8 < 4 ? (uint64_t)word : (uint64_t)word << 32;
}

static uint8_t byte_of(const uint64_t *state, uint32_t place) {
    const uint64_t lane = state[place / 8];
    const uint32_t word = place % 8 < 4 ? (uint32_t)lane : (uint32_t)(lane >> 32);
    return (uint8_t)(word >> 8 * (place % 4));
}

void keccak_hash(uint32_t rate, uint8_t suffix, const uint8_t *message, uint32_t message_bytes,
                 uint8_t *output, uint32_t output_bytes) {
    uint64_t state[KECCAK_LANES];
    for (unsigned i = 0; i < KECCAK_LANES; i++) state[i] = 0;
    uint32_t place = 0;
    while (message_bytes-- != 0) {
        add_byte(state, place++, *message++);
        if (place == rate) {
            keccak_f1600(state);
            place = 0;
        }
    }
    add_byte(state, place, suffix);
    add_byte(state, rate - 1, 0x80);
    place = rate;
    while (output_bytes-- != 0) {
        if (place == rate) {
            keccak_f1600(state);
            place = 0;
        }
        *output++ = byte_of(state, place++);
    }
}
