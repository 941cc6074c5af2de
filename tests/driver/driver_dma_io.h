// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory of the DMA master's driver on a PC: the program has a cache as large as the memory, of which
// the master sees only what was flushed, and which has only what was invalidated of its writes.

#ifndef HF_DRIVER_DMA_IO_H
#define HF_DRIVER_DMA_IO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Set by the test.
extern uint8_t *hf_test_cache, *hf_test_memory;
extern uint32_t hf_test_base;
uint8_t *hf_test_cache, *hf_test_memory;
uint32_t hf_test_base;

static inline size_t hf_test_offset(const void *memory) {
    return (size_t)((uintptr_t)memory - (uintptr_t)hf_test_cache);
}

static inline uint32_t hf_keccak_dma_address(const void *memory) {
    return hf_test_base + (uint32_t)hf_test_offset(memory);
}

static inline void hf_keccak_dma_flush(const void *memory, size_t bytes) {
    const size_t offset = hf_test_offset(memory);
    if (bytes != 0u) memcpy(hf_test_memory + offset, hf_test_cache + offset, bytes);
}

static inline void hf_keccak_dma_invalidate(void *memory, size_t bytes) {
    const size_t offset = hf_test_offset(memory);
    if (bytes != 0u) memcpy(hf_test_cache + offset, hf_test_memory + offset, bytes);
}

#endif
