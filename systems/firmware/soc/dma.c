// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA3-256 by the peripheral's DMA master (dma.h).

#include "systems/firmware/soc/dma.h"

#include "driver/hf_keccak_dma.h"
#include "systems/firmware/soc/board.h"

static hf_keccak_dma master;
static hf_keccak_dma_descriptor descriptor __attribute__((aligned(HF_KECCAK_DMA_ALIGN)));
static volatile int waits;  // for the interrupt
static volatile uint32_t result;

uint32_t dma_open(uint32_t base) {
    return hf_keccak_dma_open(&master, base);
}

uint32_t dma_sha3_256(uint8_t digest[32], const uint8_t *message, uint32_t bytes) {
    return hf_keccak_dma_hash(&master, &descriptor, HF_SHA3_256, message, bytes, digest, 32u);
}

uint32_t dma_sha3_256_by_interrupt(uint8_t digest[32], const uint8_t *message, uint32_t bytes) {
    const hf_keccak_dma_segment segment = {.data = message, .bytes = bytes};
    uint32_t error = hf_keccak_dma_message(&descriptor, HF_SHA3_256, &segment, 1u, digest, 32u);
    if (error != HF_KECCAK_DMA_OK) return error;
    // An interrupt of the peripheral that comes before the list runs is not the master's.
    interrupts_hold();
    error = hf_keccak_dma_start(&master, &descriptor, 1);
    waits = error == HF_KECCAK_DMA_OK;
    interrupts_release();
    if (error != HF_KECCAK_DMA_OK) return error;
    while (waits) {}
    hf_keccak_dma_take(digest, 32u);
    return result;
}

int dma_interrupt(void) {
    if (!waits) return 0;
    const hf_keccak_dma_error error = hf_keccak_dma_poll(&master);
    if (error == HF_KECCAK_DMA_PENDING) return 1;
    result = error;
    waits = 0;
    return 1;
}
