// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Lines at the serial line. A command is a line, its answer some lines and a last one, "ok" or
// "error NUMBER".

#ifndef HF_CONSOLE_H
#define HF_CONSOLE_H

#include "systems/firmware/soc/board.h"

#define NO_COMMAND 1000u  // errors of our own, above the driver's
#define NO_LENGTH 1001u

static inline void text(const char *letters) {
    while (*letters != 0) put(*letters++);
}

static inline void hexadecimal(const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        put("0123456789abcdef"[bytes[i] >> 4]);
        put("0123456789abcdef"[bytes[i] & 15u]);
    }
}

static inline void decimal(uint32_t number) {
    char digits[10];
    uint32_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number != 0);
    while (count != 0) put(digits[--count]);
}

static inline void word(uint32_t number) {
    for (int bit = 28; bit >= 0; bit -= 4) put("0123456789abcdef"[number >> bit & 15u]);
}

static inline void trapped(uint32_t cause, uint32_t address) {
    text("trap ");
    word(cause);
    text(" at ");
    word(address);
    text("\n");
    for (;;) {}
}

static inline void answer(uint32_t result) {
    if (result == 0) {
        text("ok\n");
        return;
    }
    text("error ");
    decimal(result);
    text("\n");
}

// What is too long of a line is left out.
static inline void read_line(char *line, uint32_t size) {
    uint32_t count = 0;
    for (char letter = get(); letter != '\n'; letter = get()) {
        if (count < size - 1) line[count++] = letter;
    }
    line[count] = 0;
}

// The text after the word `name` at the beginning of `line`; null if the line has another word.
static inline const char *text_after(const char *line, const char *name) {
    while (*name != 0) {
        if (*line++ != *name++) return 0;
    }
    if (*line != 0 && *line != ' ') return 0;
    while (*line == ' ') line++;
    return line;
}

// A decimal number, 0 if there is none; digits after a value above `most` are ignored.
static inline uint32_t number(const char *line, uint32_t most) {
    uint32_t found = 0;
    while (*line >= '0' && *line <= '9' && found <= most) {
        found = 10u * found + (uint32_t)(*line++ - '0');
    }
    return found;
}

// Hexadecimal bytes, lower case; returns how many there are, at most `size`.
static inline uint32_t bytes_of(const char *line, uint8_t *bytes, uint32_t size) {
    uint32_t count = 0;
    for (; line[0] != 0 && line[1] != 0 && count < size; line += 2) {
        uint32_t byte = 0;
        for (uint32_t i = 0; i < 2; i++) {
            const char letter = line[i];
            byte = byte << 4 | (uint32_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
        }
        bytes[count++] = (uint8_t)byte;
    }
    return count;
}

#endif
