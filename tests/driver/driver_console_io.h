// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver's registers by way of a LEON3's console: whoever is at the other end makes the accesses
// (test_driver_sparc.py).

#ifndef HF_DRIVER_CONSOLE_IO_H
#define HF_DRIVER_CONSOLE_IO_H

#include <stdint.h>

#define CONSOLE(offset) (*(volatile uint32_t *)(uintptr_t)(0x80000100u + (offset)))

static inline void console_put(uint8_t byte) {
    while ((CONSOLE(4u) & 4u) == 0u) {
    }
    CONSOLE(0u) = byte;
}

static inline uint8_t console_get(void) {
    while ((CONSOLE(4u) & 1u) == 0u) {
    }
    return (uint8_t)CONSOLE(0u);
}

static inline void console_put_word(uint32_t word) {
    int shift;
    for (shift = 24; shift >= 0; shift -= 8) console_put((uint8_t)(word >> shift));
}

static inline uint32_t hf_keccak_read32(uintptr_t base, uint32_t offset) {
    uint32_t word = 0u;
    int i;
    (void)base;
    console_put('R');
    console_put_word(offset);
    for (i = 0; i < 4; i++) word = (word << 8) | console_get();
    return word;
}

static inline void console_write(uint32_t offset, uint32_t value, uint8_t strobe) {
    console_put('W');
    console_put_word(offset);
    console_put_word(value);
    console_put(strobe);
}

static inline void hf_keccak_write32(uintptr_t base, uint32_t offset, uint32_t value) {
    (void)base;
    console_write(offset, value, 15u);
}

static inline void hf_keccak_write8(uintptr_t base, uint32_t offset, uint8_t value) {
    (void)base;
    console_write(offset, value, 1u);
}

#endif
