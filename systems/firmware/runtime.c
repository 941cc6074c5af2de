// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a compiler for 32 bits may call for a shift of 64. Debian's library for SPARC has
// instructions of SPARC V9, and our programs are linked without any.

#include <stdint.h>

uint64_t __ashldi3(uint64_t number, int amount);
uint64_t __lshrdi3(uint64_t number, int amount);

#define WORDS(high, low) ((uint64_t)(high) << 32 | (low))

uint64_t __ashldi3(uint64_t number, int amount) {
    const uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);
    if (amount == 0) return number;
    if (amount >= 32) return WORDS(low << (amount - 32), 0);
    return WORDS(high << amount | low >> (32 - amount), low << amount);
}

uint64_t __lshrdi3(uint64_t number, int amount) {
    const uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);
    if (amount == 0) return number;
    if (amount >= 32) return WORDS(0, high >> (amount - 32));
    return WORDS(high >> amount, low >> amount | high << (32 - amount));
}
