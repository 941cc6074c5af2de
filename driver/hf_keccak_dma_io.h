// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Memory as the peripheral's DMA master sees it (docs/integrate/dma.md): the three functions below,
// for a system whose caches see the master's accesses, or that has none, and where an address of the
// processor is one of the bus. For another one, a file with the same three functions replaces this
// one: -DHF_KECCAK_DMA_IO='"file.h"'.

#ifndef HF_KECCAK_DMA_IO_H
#define HF_KECCAK_DMA_IO_H

#include <stddef.h>
#include <stdint.h>

// Earlier accesses to memory come before later ones to the registers, and the other way round.
static inline void hf_keccak_dma_fence(void) {
#if defined(__GNUC__)
    __sync_synchronize();
#else
#error "hf_keccak_dma: no fence for this compiler; give a file by HF_KECCAK_DMA_IO"
#endif
}

// The address on the master's bus.
static inline uint32_t hf_keccak_dma_address(const void *memory) {
    return (uint32_t)(uintptr_t)memory;
}

// What the processor has written there is in memory when this returns: before the master reads.
static inline void hf_keccak_dma_flush(const void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    hf_keccak_dma_fence();
}

// No copy of it is in a cache when this returns: the processor's next read is one of memory. Called
// before the master writes, so that nothing is written back over it, and again after that.
static inline void hf_keccak_dma_invalidate(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    hf_keccak_dma_fence();
}

#endif
