// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the peripheral's DMA master (hf_keccak_dma.h, docs/integrate/dma.md).

#include "hf_keccak_dma.h"
#include "hf_keccak_dma_regs.h"
#include "hf_keccak_regs.h"

#ifdef HF_KECCAK_IO
#include HF_KECCAK_IO
#else
#include "hf_keccak_io.h"
#endif

#ifdef HF_KECCAK_DMA_IO
#include HF_KECCAK_DMA_IO
#else
#include "hf_keccak_dma_io.h"
#endif

#define PAGE 0x200u  // the master's registers begin here
#define REGISTER(name) (PAGE + (uint32_t)offsetof(hf_keccak_dma_regs_t, name))
#define BIT(name) ((uint32_t)(HF_KECCAK_DMA_REGS__##name##_bm))
#define FIELD(word, name)                                  \
    (((word) & (uint32_t)(HF_KECCAK_DMA_REGS__##name##_bm)) >> \
     (HF_KECCAK_DMA_REGS__##name##_bp))

#define IDENTITY 0x48464431u
#define MAJOR 1u
#define ALL_BITS 0xffffffffu

// Flags of a descriptor.
#define BEGINS 0x100u
#define ENDS 0x200u
#define REPORTS 0x400u
#define LAST 0x800u

// Of its status.
#define DONE 0x1u
#define CAUSE_FROM 4u
#define CAUSES 7u

// The longest output, in bytes: its bits are counted in a word, of which all ones is no length.
#define LONGEST 0x1fffffffu

#ifdef HF_KECCAK_BIG_ENDIAN
#define REVERSES
#elif defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define REVERSES
#endif
#endif

// A word of a descriptor is little-endian in memory.
static uint32_t little(uint32_t word) {
#ifdef REVERSES
    return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
#else
    return word;
#endif
}

static uint32_t get(const hf_keccak_dma *dma, uint32_t offset) {
    return hf_keccak_read32(dma->base, offset);
}

static void put(const hf_keccak_dma *dma, uint32_t offset, uint32_t value) {
    hf_keccak_write32(dma->base, offset, value);
}

// Whether it is an address of a descriptor.
static int aligned(const void *descriptor) {
    return descriptor != NULL && ((uintptr_t)descriptor & (HF_KECCAK_DMA_ALIGN - 1u)) == 0u;
}

static void flush(const hf_keccak_dma_descriptor *descriptor) {
    hf_keccak_dma_flush(descriptor, sizeof *descriptor);
}

hf_keccak_dma_error hf_keccak_dma_open(hf_keccak_dma *dma, uintptr_t base) {
    hf_keccak_dma_error error;
    if (dma == NULL) return HF_KECCAK_DMA_ARGUMENT;
    dma->base = base;
    dma->polls = HF_KECCAK_DMA_POLLS;
    dma->fault = 0u;
    if (get(dma, REGISTER(ID)) != IDENTITY) return HF_KECCAK_DMA_NO_DEVICE;
    if (FIELD(get(dma, REGISTER(VERSION)), VERSION__MAJOR) != MAJOR) return HF_KECCAK_DMA_VERSION;
    put(dma, REGISTER(INTR_ENABLE), 0u);
    error = hf_keccak_dma_abort(dma);
    put(dma, REGISTER(INTR_STATE), ALL_BITS);
    return error == HF_KECCAK_DMA_TIMEOUT ? error : HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_message(hf_keccak_dma_descriptor *descriptors,
                                          hf_keccak_function function,
                                          const hf_keccak_dma_segment *segments, uint32_t count,
                                          void *digest, uint32_t digest_bytes) {
    uint32_t rate, own, i;
    if (!aligned(descriptors) || segments == NULL || count == 0u || digest == NULL ||
        ((uintptr_t)digest & 3u) != 0u) {
        return HF_KECCAK_DMA_ARGUMENT;
    }
    if (hf_keccak_sizes(function, &rate, &own) != HF_KECCAK_OK) return HF_KECCAK_DMA_FUNCTION;
    if (digest_bytes == 0u || digest_bytes > LONGEST || (own != 0u && digest_bytes != own)) {
        return HF_KECCAK_DMA_ARGUMENT;
    }
    for (i = 0u; i < count; i++) {
        hf_keccak_dma_descriptor *const at = &descriptors[i];
        uint32_t control = (uint32_t)function;
        if (segments[i].data == NULL && segments[i].bytes != 0u) return HF_KECCAK_DMA_ARGUMENT;
        if (i == 0u) control |= BEGINS;
        if (i == count - 1u) control |= ENDS | LAST;
        at->control = little(control);
        at->source = little(hf_keccak_dma_address(segments[i].data));
        at->bytes = little(segments[i].bytes);
        at->length = little(digest_bytes * 8u);
        at->tail = 0u;
        at->digest = little(hf_keccak_dma_address(digest));
        at->next = (i == count - 1u) ? 0u : little(hf_keccak_dma_address(at + 1));
        at->status = 0u;
        hf_keccak_dma_flush(segments[i].data, segments[i].bytes);
        flush(at);
    }
    hf_keccak_dma_flush(digest, digest_bytes);
    hf_keccak_dma_invalidate(digest, digest_bytes);
    return HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_last_bits(hf_keccak_dma_descriptor *last, uint8_t last_byte,
                                            uint32_t bits) {
    if (!aligned(last) || bits > 7u || (little(last->control) & ENDS) == 0u) {
        return HF_KECCAK_DMA_ARGUMENT;
    }
    last->tail = little(((uint32_t)last_byte << 8) | bits);
    flush(last);
    return HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_join(hf_keccak_dma_descriptor *last,
                                       const hf_keccak_dma_descriptor *next) {
    if (!aligned(last) || !aligned(next) || (little(last->control) & ENDS) == 0u) {
        return HF_KECCAK_DMA_ARGUMENT;
    }
    last->control = little(little(last->control) & ~LAST);
    last->next = little(hf_keccak_dma_address(next));
    flush(last);
    return HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_report(hf_keccak_dma_descriptor *descriptor) {
    if (!aligned(descriptor)) return HF_KECCAK_DMA_ARGUMENT;
    descriptor->control = little(little(descriptor->control) | REPORTS);
    flush(descriptor);
    return HF_KECCAK_DMA_OK;
}

// Whether the peripheral has a hash, or output of one that has not been read: a list would discard
// that. A hash may become complete at any time, so the hardware's own check comes too late.
static int has_hash(const hf_keccak_dma *dma) {
    uint32_t status, i = 0u;
    do {
        status = get(dma, (uint32_t)offsetof(hf_keccak_regs_t, STATUS));
    } while ((status & HF_KECCAK_REGS__STATUS__PHASE_bm) ==
                 (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__CHANGE &&
             ++i < dma->polls);
    return (status & HF_KECCAK_REGS__STATUS__PHASE_bm) !=
               (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__IDLE ||
           (status & HF_KECCAK_REGS__STATUS__DIGEST_WORDS_bm) != 0u;
}

hf_keccak_dma_error hf_keccak_dma_start(hf_keccak_dma *dma, hf_keccak_dma_descriptor *first,
                                        int interrupts) {
    uint32_t enabled = 0u;
    if (dma == NULL || !aligned(first)) return HF_KECCAK_DMA_ARGUMENT;
    if ((get(dma, REGISTER(STATUS)) & BIT(STATUS__RUNNING)) != 0u) return HF_KECCAK_DMA_PENDING;
    if (has_hash(dma) != 0) return HF_KECCAK_DMA_BUSY;
    if (interrupts != 0) {
        enabled = BIT(INTR_ENABLE__DONE) | BIT(INTR_ENABLE__DESCRIPTOR) | BIT(INTR_ENABLE__ERROR);
    }
    put(dma, REGISTER(INTR_STATE), ALL_BITS);
    put(dma, REGISTER(INTR_ENABLE), enabled);
    put(dma, REGISTER(HEAD), hf_keccak_dma_address(first));
    put(dma, REGISTER(COMMAND), BIT(COMMAND__START));
    return HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_poll(hf_keccak_dma *dma) {
    uint32_t status, cause;
    if (dma == NULL) return HF_KECCAK_DMA_ARGUMENT;
    put(dma, REGISTER(INTR_STATE), ALL_BITS);
    status = get(dma, REGISTER(STATUS));
    if ((status & BIT(STATUS__RUNNING)) != 0u) return HF_KECCAK_DMA_PENDING;
    // It may have ended between the two accesses: its interrupt belongs to what is returned here.
    put(dma, REGISTER(INTR_STATE), ALL_BITS);
    cause = FIELD(status, STATUS__CAUSE);
    if (cause != 0u) dma->fault = get(dma, REGISTER(FAULT));
    return (hf_keccak_dma_error)cause;
}

// Reads STATUS only: the interrupts stay for a handler.
static hf_keccak_dma_error ended(hf_keccak_dma *dma) {
    uint32_t i;
    for (i = 0u; i < dma->polls; i++) {
        const uint32_t status = get(dma, REGISTER(STATUS));
        if ((status & BIT(STATUS__RUNNING)) == 0u) {
            const uint32_t cause = FIELD(status, STATUS__CAUSE);
            if (cause != 0u) dma->fault = get(dma, REGISTER(FAULT));
            return (hf_keccak_dma_error)cause;
        }
    }
    return HF_KECCAK_DMA_TIMEOUT;
}

hf_keccak_dma_error hf_keccak_dma_wait(hf_keccak_dma *dma) {
    if (dma == NULL) return HF_KECCAK_DMA_ARGUMENT;
    return ended(dma);
}

hf_keccak_dma_error hf_keccak_dma_abort(hf_keccak_dma *dma) {
    hf_keccak_dma_error error;
    if (dma == NULL) return HF_KECCAK_DMA_ARGUMENT;
    put(dma, REGISTER(COMMAND), BIT(COMMAND__ABORT));
    error = ended(dma);
    return error == HF_KECCAK_DMA_TIMEOUT ? error : HF_KECCAK_DMA_OK;
}

hf_keccak_dma_error hf_keccak_dma_done(hf_keccak_dma_descriptor *descriptor) {
    uint32_t status;
    if (!aligned(descriptor)) return HF_KECCAK_DMA_ARGUMENT;
    hf_keccak_dma_invalidate(descriptor, sizeof *descriptor);
    status = little(descriptor->status);
    if (status == 0u) return HF_KECCAK_DMA_PENDING;
    return (hf_keccak_dma_error)((status & DONE) != 0u ? 0u : (status >> CAUSE_FROM) & CAUSES);
}

void hf_keccak_dma_take(void *digest, uint32_t bytes) {
    hf_keccak_dma_invalidate(digest, bytes);
}

hf_keccak_dma_error hf_keccak_dma_hash(hf_keccak_dma *dma, hf_keccak_dma_descriptor *descriptor,
                                       hf_keccak_function function, const void *message,
                                       uint32_t bytes, void *digest, uint32_t digest_bytes) {
    hf_keccak_dma_segment segment;
    hf_keccak_dma_error error;
    segment.data = message;
    segment.bytes = bytes;
    error = hf_keccak_dma_message(descriptor, function, &segment, 1u, digest, digest_bytes);
    if (error != HF_KECCAK_DMA_OK) return error;
    error = hf_keccak_dma_start(dma, descriptor, 0);
    if (error != HF_KECCAK_DMA_OK) return error;
    error = hf_keccak_dma_wait(dma);
    if (error == HF_KECCAK_DMA_TIMEOUT) {
        if (hf_keccak_dma_abort(dma) != HF_KECCAK_DMA_OK) return error;
        error = ended(dma);  // it may have ended before the abort
    }
    hf_keccak_dma_take(digest, digest_bytes);
    return error;
}
