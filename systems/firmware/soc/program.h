// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The basis of a custom program on the SoC (docs/integrate/soc-programs.md): the serial line,
// clock cycles, interrupts (board.h), text (console.h), and the end of the program.

#ifndef HF_PROGRAM_H
#define HF_PROGRAM_H

#include <stddef.h>

#include "systems/firmware/soc/board.h"
#include "systems/firmware/soc/console.h"
#include "systems/firmware/soc/string.h"

// Ends the program, as a return from main() does: whoever is at the serial line reads HF_END and then
// the lowest eight bits of `status`.
void finish(uint32_t status) __attribute__((noreturn));

#define HF_END 4  // ASCII's end of transmission
#define HF_TRAPPED 255u  // the status after a trap that nothing handles

// Called at every trap and interrupt. A program that enables interrupts has its own; else the cause and
// the address are printed, and the program ends with HF_TRAPPED.
void trap(uint32_t cause, uint32_t address);

void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *one, const void *other, size_t bytes);

#endif
