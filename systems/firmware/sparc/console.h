// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Text to the console, an APBUART where a LEON3 has its first.

#ifndef HF_CONSOLE_H
#define HF_CONSOLE_H

#include <stdint.h>

#define HF_UART ((volatile uint32_t *)0x80000100u)

static inline void hf_put(char character) {
    HF_UART[2] = 2;                     // control: the transmitter is enabled
    while ((HF_UART[1] & 4) == 0) {     // status: there is room
    }
    HF_UART[0] = (uint8_t)character;
}

static inline void hf_put_text(const char *text) {
    while (*text) hf_put(*text++);
}

static inline void hf_put_bytes(const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        hf_put("0123456789abcdef"[bytes[i] >> 4]);
        hf_put("0123456789abcdef"[bytes[i] & 15]);
    }
}

#endif
