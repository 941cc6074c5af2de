// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak's sponge for messages and outputs of any length, and the permutation that it requires.
//
// A permutation is one file of this folder, each in a different style: compact.c, table.c,
// textbook.c, split.c and interleaved.c are C for any processor of 32 bits, with the instructions of
// intrinsics.h where the processor has them; pairs.c and state.c are for processors with those
// units. All are right in either byte order and need no library but runtime.c.

#ifndef HF_KECCAK_H
#define HF_KECCAK_H

#include <stdint.h>

#define KECCAK_LANES 25
#define KECCAK_ROUNDS 24

// The processor's byte order: where the low word of a lane is among its two.
#define KECCAK_LOW (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

// 1600 bits: lane (x, y) is at 5y + x. What the words of a lane hold is the permutation's affair.
typedef union {
    uint64_t lanes[KECCAK_LANES];
    uint32_t words[2 * KECCAK_LANES];
} keccak_state;

// Four bytes in memory, whatever they were declared as.
typedef uint32_t __attribute__((may_alias)) keccak_word;

// What a permutation offers. Lanes are taken and given in ascending order from lane 0, without a
// gap, each permutation's anew: a unit that holds the state counts them. `words` has two for each
// lane, which are its eight bytes in the order of the message.
void keccak_clear(keccak_state *state);
void keccak_add_lanes(keccak_state *state, uint32_t first, const keccak_word *words,
                      uint32_t lanes);
void keccak_skip_lanes(keccak_state *state, uint32_t first, uint32_t lanes);
void keccak_get_lanes(const keccak_state *state, uint32_t first, keccak_word *words,
                      uint32_t lanes);
void keccak_f1600(keccak_state *state);

// A unit that holds the state puts it into `state`, to work for another one, and takes it back;
// `first` is the lane whose turn it is. For the others there is nothing to do.
void keccak_suspend(keccak_state *state, uint32_t first);
void keccak_resume(keccak_state *state, uint32_t first);

typedef struct {
    keccak_state state;
    union {
        uint8_t bytes[8];
        keccak_word words[2];
    } lane;           // the lane that is not all there, or not all given
    uint32_t rate;    // bytes
    uint32_t place;   // the next byte's in the block
    uint8_t suffix;
    uint8_t squeezing;
} keccak_sponge;

// The sponge over whole bytes (FIPS 202, section 4): blocks of `rate` bytes, a multiple of eight and
// below 200. `suffix` holds the bits that follow the message and the padding's first 1, first bit
// lowest: 0x06 for SHA-3, 0x1f for SHAKE, 0x01 for Keccak.
void keccak_init(keccak_sponge *sponge, uint32_t rate, uint8_t suffix);

// Adds to the message; nothing may be added after the first squeeze.
void keccak_absorb(keccak_sponge *sponge, const uint8_t *message, uint32_t bytes);

// Gives the output's next bytes; the first call pads.
void keccak_squeeze(keccak_sponge *sponge, uint8_t *output, uint32_t bytes);

void keccak_hash(uint32_t rate, uint8_t suffix, const uint8_t *message, uint32_t message_bytes,
                 uint8_t *output, uint32_t output_bytes);

// Four bytes of a message as a number, and back.
static inline uint32_t keccak_little(uint32_t word) {
    return KECCAK_LOW ? word >> 24 | (word >> 8 & 0xff00) | (word & 0xff00) << 8 | word << 24 : word;
}

#endif
