// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the unit for chains of hashes (hf_keccak_chain.h, docs/integrate/chain.md).

#include "hf_keccak_chain.h"
#include "hf_keccak_chain_regs.h"

#ifdef HF_KECCAK_IO
#include HF_KECCAK_IO
#else
#include "hf_keccak_io.h"
#endif

#define REGISTER(name) ((uint32_t)offsetof(hf_keccak_chain_regs_t, name))
#define BIT(name) ((uint32_t)(HF_KECCAK_CHAIN_REGS__##name##_bm))
#define ID_VALUE 0x48464331u
#define MAJOR 1u
#define ALL_BITS 0xffffffffu  // clears what ones clear
#define LAST_BYTES 7u         // the word of the address that a chain counts up

static uint32_t get(const hf_chain_device *device, uint32_t offset) {
    return hf_keccak_read32(device->base, offset);
}

static void put(const hf_chain_device *device, uint32_t offset, uint32_t value) {
    hf_keccak_write32(device->base, offset, value);
}

static void put_bytes(const hf_chain_device *device, uint32_t offset, const uint8_t *bytes,
                      uint32_t count) {
    uint32_t i;
    for (i = 0u; i < count; i += 4u) {
        put(device, offset + i,
            (uint32_t)bytes[i] | ((uint32_t)bytes[i + 1u] << 8) | ((uint32_t)bytes[i + 2u] << 16) |
                ((uint32_t)bytes[i + 3u] << 24));
    }
}

// What INTR_STATE says, which is cleared: an error if a register was accessed while a chain ran.
static hf_keccak_error take_causes(const hf_chain_device *device) {
    const uint32_t causes = get(device, REGISTER(INTR_STATE));
    put(device, REGISTER(INTR_STATE), causes);
    return (causes & BIT(INTR_STATE__ERROR)) != 0u ? HF_KECCAK_BAD_ACCESS : HF_KECCAK_OK;
}

hf_keccak_error hf_chain_open(hf_chain_device *device, uintptr_t base) {
    uint32_t version;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    device->base = base;
    if (get(device, REGISTER(ID)) != ID_VALUE) return HF_KECCAK_NO_DEVICE;
    version = get(device, REGISTER(VERSION));
    if ((version & BIT(VERSION__MAJOR)) >> HF_KECCAK_CHAIN_REGS__VERSION__MAJOR_bp != MAJOR) {
        return HF_KECCAK_VERSION;
    }
    device->value_bytes = (get(device, REGISTER(CAPS)) & BIT(CAPS__VALUE_BYTES)) >>
                          HF_KECCAK_CHAIN_REGS__CAPS__VALUE_BYTES_bp;
    put(device, REGISTER(INTR_ENABLE), 0u);
    return hf_chain_clear(device);
}

hf_keccak_error hf_chain_clear(const hf_chain_device *device) {
    put(device, REGISTER(COMMAND), BIT(COMMAND__CLEAR));
    put(device, REGISTER(INTR_STATE), ALL_BITS);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_prefix(const hf_chain_device *device, const uint8_t *prefix) {
    if (prefix == NULL) return HF_KECCAK_ARGUMENT;
    put_bytes(device, REGISTER(PREFIX), prefix, device->value_bytes);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_address(const hf_chain_device *device,
                                 const uint8_t address[HF_CHAIN_ADDRESS_BYTES]) {
    if (address == NULL) return HF_KECCAK_ARGUMENT;
    put_bytes(device, REGISTER(ADDRESS), address, HF_CHAIN_ADDRESS_BYTES);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_address_word(const hf_chain_device *device, uint32_t word,
                                      uint32_t number) {
    if (word > LAST_BYTES) return HF_KECCAK_ARGUMENT;
    put(device, REGISTER(ADDRESS) + 4u * word,
        (number >> 24) | ((number >> 8) & 0xff00u) | ((number << 8) & 0xff0000u) | (number << 24));
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_begin(const hf_chain_device *device, const uint8_t *value,
                               uint32_t count) {
    if (value == NULL || count > HF_CHAIN_COUNT) return HF_KECCAK_ARGUMENT;
    put_bytes(device, REGISTER(VALUE), value, device->value_bytes);
    put(device, REGISTER(COMMAND), count);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_poll(const hf_chain_device *device) {
    return (get(device, REGISTER(STATUS)) & BIT(STATUS__BUSY)) != 0u ? HF_KECCAK_PENDING
                                                                      : HF_KECCAK_OK;
}

hf_keccak_error hf_chain_end(const hf_chain_device *device, uint8_t *value) {
    uint32_t i;
    if (value == NULL) return HF_KECCAK_ARGUMENT;
    for (i = 0u; i < device->value_bytes; i += 4u) {
        const uint32_t word = get(device, REGISTER(VALUE) + i);
        value[i] = (uint8_t)(word & 0xffu);
        value[i + 1u] = (uint8_t)((word >> 8) & 0xffu);
        value[i + 2u] = (uint8_t)((word >> 16) & 0xffu);
        value[i + 3u] = (uint8_t)(word >> 24);
    }
    return take_causes(device);
}

hf_keccak_error hf_chain_run(const hf_chain_device *device, uint8_t *value, uint32_t count) {
    uint32_t polls;
    hf_keccak_error error = hf_chain_begin(device, value, count);
    if (error != HF_KECCAK_OK) return error;
    for (polls = 0u; polls <= HF_CHAIN_POLLS * (count + 1u); polls++) {
        if (hf_chain_poll(device) == HF_KECCAK_OK) return hf_chain_end(device, value);
    }
    (void)hf_chain_clear(device);
    return HF_KECCAK_TIMEOUT;
}
