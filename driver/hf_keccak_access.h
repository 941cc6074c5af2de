// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// How the parts of the driver access the peripheral's registers. For them only: a program includes
// hf_keccak.h.
//
// The fields of hf_keccak_regs_t are packed, which makes some compilers reach them byte by byte:
// only their offsets are used.

#ifndef HF_KECCAK_ACCESS_H
#define HF_KECCAK_ACCESS_H

#include "hf_keccak.h"
#include "hf_keccak_regs.h"

#ifdef HF_KECCAK_IO
#include HF_KECCAK_IO
#else
#include "hf_keccak_io.h"
#endif

#define REGISTER(name) ((uint32_t)offsetof(hf_keccak_regs_t, name))
#define FIELD(word, name) (((word) & (uint32_t)(name##_bm)) >> (name##_bp))
#define BIT(name) ((uint32_t)(name##_bm))
#define COMMAND(name) BIT(HF_KECCAK_REGS__COMMAND__##name)
#define NOT_STATUS 0xff0000c0u  // bits that STATUS does not have
#define OF_OPTIONS 3u           // the minor version of registers from which OPTIONS is there

static inline uint32_t get(const hf_keccak_device *device, uint32_t offset) {
    return hf_keccak_read32(device->base, offset);
}

static inline void put(const hf_keccak_device *device, uint32_t offset, uint32_t value) {
    hf_keccak_write32(device->base, offset, value);
}

static inline uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16) |
           ((uint32_t)bytes[3] << 24);
}

#endif
