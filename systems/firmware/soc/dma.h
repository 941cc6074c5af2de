// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA3-256 by the peripheral's DMA master, and the handler of its interrupt.

#ifndef HF_SOC_DMA_H
#define HF_SOC_DMA_H

#include <stdint.h>

// Finds the master. Each returns an error of hf_keccak_dma.h.
uint32_t dma_open(uint32_t base);

// The processor reads the master's STATUS until the list has ended.
uint32_t dma_sha3_256(uint8_t digest[32], const uint8_t *message, uint32_t bytes);

// It waits for the interrupt.
uint32_t dma_sha3_256_by_interrupt(uint8_t digest[32], const uint8_t *message, uint32_t bytes);

// Returns whether the interrupt was the master's; it is cleared then.
int dma_interrupt(void);

#endif
