// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory as the DMA master of the SoC sees it (driver/hf_keccak_dma_io.h). VexRiscv's data cache is
// written through, so memory has what the processor wrote; the instruction 0x500F empties it.

#ifndef HF_DMA_IO_H
#define HF_DMA_IO_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t hf_keccak_dma_address(const void *memory) {
    return (uint32_t)(uintptr_t)memory;
}

static inline void hf_keccak_dma_flush(const void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    __asm__ volatile("" ::: "memory");
}

static inline void hf_keccak_dma_invalidate(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    __asm__ volatile(".word 0x500F" ::: "memory");
}

#endif
