// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a compiler may call of a C library, and mlkem-native does. Words where both lie on words.

#include "systems/firmware/soc/string.h"

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    uint8_t *d = to;
    const uint8_t *s = from;
    if ((((uintptr_t)d | (uintptr_t)s) & 3u) == 0) {
        for (; bytes >= 4; bytes -= 4, d += 4, s += 4) *(word *)(void *)d = *(const word *)(const void *)s;
    }
    while (bytes-- != 0) *d++ = *s++;
    return to;
}

void *memset(void *to, int value, size_t bytes) {
    uint8_t *d = to;
    const uint32_t four = 0x01010101u * (uint8_t)value;
    if (((uintptr_t)d & 3u) == 0) {
        for (; bytes >= 4; bytes -= 4, d += 4) *(word *)(void *)d = four;
    }
    while (bytes-- != 0) *d++ = (uint8_t)value;
    return to;
}
