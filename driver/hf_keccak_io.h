// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Access of the driver to the registers (docs/integrate/driver.md): the three functions below, for
// registers in the processor's address space. For other access (a bus reached by calls, a
// simulator), another file with the same three functions replaces this one:
// -DHF_KECCAK_IO='"file.h"'. If it defines HF_KECCAK_IO_BLOCKS, it has two more functions, for a
// bus on which N words at rising addresses cost less than N accesses (a bridge with bursts, for
// example): at most 16, from `offset` on.
//
//   void hf_keccak_write_block(uintptr_t base, uint32_t offset, const uint32_t *words, uint32_t count);
//   void hf_keccak_read_block(uintptr_t base, uint32_t offset, uint32_t *words, uint32_t count);
//
// If it defines HF_KECCAK_IO_HALVES, it has hf_keccak_write16(), as below.
//
// A word of a register is a number: bits 7 to 0 are its first byte. Little-endian processors, and
// big-endian ones whose bus keeps bits 31 to 0 of a word in place (that of LEON, for example), need
// no more. For a big-endian processor whose bus keeps bytes at their addresses, and so reverses
// words, define HF_KECCAK_BYTES_AT_ADDRESSES.

#ifndef HF_KECCAK_IO_H
#define HF_KECCAK_IO_H

#include <stdint.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HF_KECCAK_BIG_ENDIAN
#endif
#endif

#if defined(HF_KECCAK_BIG_ENDIAN) && defined(HF_KECCAK_BYTES_AT_ADDRESSES)
#define HF_KECCAK_HALF_SHIFT 16u  // the first two bytes of a word that was reversed
static inline uint32_t hf_keccak_bus_word(uint32_t word) {
    return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
}
#else
#define HF_KECCAK_HALF_SHIFT 0u
static inline uint32_t hf_keccak_bus_word(uint32_t word) {
    return word;
}
#endif

// Where the first byte of a word is.
#if defined(HF_KECCAK_BIG_ENDIAN) && !defined(HF_KECCAK_BYTES_AT_ADDRESSES)
#define HF_KECCAK_FIRST_BYTE ((uintptr_t)3u)
#define HF_KECCAK_FIRST_HALF ((uintptr_t)2u)
#else
#define HF_KECCAK_FIRST_BYTE ((uintptr_t)0u)
#define HF_KECCAK_FIRST_HALF ((uintptr_t)0u)
#endif

static inline uint32_t hf_keccak_read32(uintptr_t base, uint32_t offset) {
    return hf_keccak_bus_word(*(const volatile uint32_t *)(base + (uintptr_t)offset));
}

static inline void hf_keccak_write32(uintptr_t base, uint32_t offset, uint32_t value) {
    *(volatile uint32_t *)(base + (uintptr_t)offset) = hf_keccak_bus_word(value);
}

// The word's first byte (bits 7 to 0): only that one is enabled on the bus.
static inline void hf_keccak_write8(uintptr_t base, uint32_t offset, uint8_t value) {
    *(volatile uint8_t *)(base + (uintptr_t)offset + HF_KECCAK_FIRST_BYTE) = value;
}

// Its first two bytes (bits 15 to 0), and no other one.
#define HF_KECCAK_IO_HALVES
static inline void hf_keccak_write16(uintptr_t base, uint32_t offset, uint16_t value) {
    const uint32_t word = hf_keccak_bus_word(value);
    *(volatile uint16_t *)(base + (uintptr_t)offset + HF_KECCAK_FIRST_HALF) =
        (uint16_t)((word >> HF_KECCAK_HALF_SHIFT) & 0xffffu);
}

#endif
