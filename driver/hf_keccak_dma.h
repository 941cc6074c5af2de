// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the peripheral's DMA master (docs/integrate/dma.md): the hardware reads messages
// from memory and writes their digests there. C99, freestanding: no allocation, no library.
//
// It and hf_keccak.h may be used in turns: while a list runs, the peripheral is the master's, and
// while a hash of hf_keccak.h is in the hardware, a list does not begin (HF_KECCAK_DMA_BUSY).

#ifndef HF_KECCAK_DMA_H
#define HF_KECCAK_DMA_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

// How often STATUS is read for one wait, at most, unless the device says otherwise.
#ifndef HF_KECCAK_DMA_POLLS
#define HF_KECCAK_DMA_POLLS 10000000u
#endif

// An address that descriptors begin at is a multiple of this.
#define HF_KECCAK_DMA_ALIGN 32u

// A descriptor, as the hardware reads it. The hardware writes `status`.
typedef struct {
    uint32_t control, source, bytes, length, tail, digest, next;
    volatile uint32_t status;
} hf_keccak_dma_descriptor;

// A part of a message, anywhere in memory.
typedef struct {
    const void *data;
    uint32_t bytes;
} hf_keccak_dma_segment;

typedef enum {
    HF_KECCAK_DMA_OK = 0,
    // What stopped a list, by its number in STATUS.cause: `fault` of the device is the address.
    HF_KECCAK_DMA_ABORTED,
    HF_KECCAK_DMA_BUSY,     // the peripheral had a hash of hf_keccak.h, or unread output of one
    HF_KECCAK_DMA_ILLEGAL,  // a descriptor has values that it may not have
    HF_KECCAK_DMA_DESCRIPTOR_READ,  // errors of the bus
    HF_KECCAK_DMA_DATA_READ,
    HF_KECCAK_DMA_DIGEST_WRITE,
    HF_KECCAK_DMA_STATUS_WRITE,
    // Others.
    HF_KECCAK_DMA_PENDING,    // a list runs
    HF_KECCAK_DMA_NO_DEVICE,  // no such master at this address
    HF_KECCAK_DMA_VERSION,    // its registers have another major version
    HF_KECCAK_DMA_ARGUMENT,   // a null pointer, or a length or an address that cannot be
    HF_KECCAK_DMA_FUNCTION,   // no such function
    HF_KECCAK_DMA_TIMEOUT     // the list did not end
} hf_keccak_dma_error;

// A master. hf_keccak_dma_open() fills it in; `polls` may be set after that.
typedef struct {
    uintptr_t base;  // of the peripheral's registers
    uint32_t polls;  // how often STATUS is read for one wait, at most
    uint32_t fault;  // FAULT, when a list was found to be stopped
} hf_keccak_dma;

// Finds the master of the peripheral at `base`, and stops its list, if one runs.
hf_keccak_dma_error hf_keccak_dma_open(hf_keccak_dma *dma, uintptr_t base);

////////////////////
// One call       //
////////////////////

// Hashes a message; `digest_bytes` is the function's, or any where it has none. `descriptor` is
// memory for it, aligned to HF_KECCAK_DMA_ALIGN. The digest is at a multiple of four. A list that takes
// too long is stopped: HF_KECCAK_DMA_ABORTED, or HF_KECCAK_DMA_TIMEOUT if it runs nevertheless and may yet
// write to the memory.
hf_keccak_dma_error hf_keccak_dma_hash(hf_keccak_dma *dma, hf_keccak_dma_descriptor *descriptor,
                                       hf_keccak_function function, const void *message,
                                       uint32_t bytes, void *digest, uint32_t digest_bytes);

////////////////////
// Lists          //
////////////////////

// Makes a message of `count` segments, at least one, in as many descriptors in a row. Until
// hf_keccak_dma_join() it is a list of its own.
hf_keccak_dma_error hf_keccak_dma_message(hf_keccak_dma_descriptor *descriptors,
                                          hf_keccak_function function,
                                          const hf_keccak_dma_segment *segments, uint32_t count,
                                          void *digest, uint32_t digest_bytes);

// The message ends inside a byte: adds the lowest `bits` (1 to 7) of `last_byte`. `last` is the
// message's last descriptor.
hf_keccak_dma_error hf_keccak_dma_last_bits(hf_keccak_dma_descriptor *last, uint8_t last_byte,
                                            uint32_t bits);

// `next` follows the last descriptor of a message.
hf_keccak_dma_error hf_keccak_dma_join(hf_keccak_dma_descriptor *last,
                                       const hf_keccak_dma_descriptor *next);

// The interrupt `descriptor` comes when this one is done.
hf_keccak_dma_error hf_keccak_dma_report(hf_keccak_dma_descriptor *descriptor);

// Begins a list; `interrupts` (0 or 1): its end, an error, and each descriptor that reports set
// `irq_o`. The descriptors, messages and digests belong to the hardware until it has ended. Each start
// of a list needs hf_keccak_dma_message before it, which clears statuses and flushes the message.
hf_keccak_dma_error hf_keccak_dma_start(hf_keccak_dma *dma, hf_keccak_dma_descriptor *first,
                                        int interrupts);

// Whether it has ended: HF_KECCAK_DMA_PENDING while it runs, HF_KECCAK_DMA_OK when all of it is done, or the
// error that stopped it. Also the handler of the interrupt, which it clears.
hf_keccak_dma_error hf_keccak_dma_poll(hf_keccak_dma *dma);

// Waits until it has ended.
hf_keccak_dma_error hf_keccak_dma_wait(hf_keccak_dma *dma);

// Stops it, and waits until it has ended: HF_KECCAK_DMA_OK if it was too late, or none ran.
hf_keccak_dma_error hf_keccak_dma_abort(hf_keccak_dma *dma);

// Whether a descriptor of a running list is done: HF_KECCAK_DMA_PENDING, HF_KECCAK_DMA_OK, or an error.
// A list that stops before a descriptor leaves it pending: hf_keccak_dma_poll says that it has ended.
hf_keccak_dma_error hf_keccak_dma_done(hf_keccak_dma_descriptor *descriptor);

// Makes a digest that a list has written visible to the processor, where caches do not see it.
void hf_keccak_dma_take(void *digest, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif
