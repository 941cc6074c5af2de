// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// driver/hf_keccak_io.h on memory in a register's place: which bytes of it hold what.

#include "hf_keccak_io.h"

uint32_t driver_words(uint8_t bytes[4]);

// Leaves a word's bytes as they are in memory, of which the first two were written by themselves,
// then the first one; returns the word as it is read.
uint32_t driver_words(uint8_t bytes[4]) {
    static uint32_t memory[2];
    const uint8_t *const at = (const uint8_t *)&memory[1];
    int i;
    hf_keccak_write32((uintptr_t)memory, 4u, 0x04039999u);
    hf_keccak_write16((uintptr_t)memory, 4u, 0x0299u);
    hf_keccak_write8((uintptr_t)memory, 4u, 0x01u);
    for (i = 0; i < 4; i++) bytes[i] = at[i];
    return hf_keccak_read32((uintptr_t)memory, 4u);
}
