// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What a program sees of the system that it runs in (docs/integrate/riscv.md).

#ifndef HF_SYSTEM_H
#define HF_SYSTEM_H

#include <stdint.h>

// What a program says by the mailbox.
#define HF_BEGIN 1u  // The clocks that are counted begin here,
#define HF_END 2u    // and end here: what it was to do is done.
#define HF_PAUSE 3u  // In between: what follows up to the end is not counted.

static inline void hf_mail(uint32_t word) {
    *(volatile uint32_t *)0x80000000u = word;
}

// Variables that the host writes or reads, by their names in the ELF file: neither cleared at the
// start nor counted as the program's own memory.
#define HF_SHARED __attribute__((section(".shared"), used))

// Variables of the program that are not cleared at the start: they outlast a reset.
#define HF_KEPT __attribute__((section(".noinit")))

#endif
