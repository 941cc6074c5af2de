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

static uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16) |
           ((uint32_t)bytes[3] << 24);
}

static void store(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)(word & 0xffu);
    bytes[1] = (uint8_t)((word >> 8) & 0xffu);
    bytes[2] = (uint8_t)((word >> 16) & 0xffu);
    bytes[3] = (uint8_t)(word >> 24);
}

static void put_bytes(const hf_chain_device *device, uint32_t offset, const uint8_t *bytes,
                      uint32_t count) {
    uint32_t i;
    for (i = 0u; i < count; i += 4u) put(device, offset + i, load(&bytes[i]));
}

// What INTR_STATE says, which is cleared: an error if a register was accessed while a chain ran.
static hf_keccak_error take_causes(const hf_chain_device *device) {
    const uint32_t causes = get(device, REGISTER(INTR_STATE));
    put(device, REGISTER(INTR_STATE), causes);
    return (causes & BIT(INTR_STATE__ERROR)) != 0u ? HF_KECCAK_BAD_ACCESS : HF_KECCAK_OK;
}

hf_keccak_error hf_chain_open(hf_chain_device *device, uintptr_t base) {
    uint32_t version, caps;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    device->base = base;
    if (get(device, REGISTER(ID)) != ID_VALUE) return HF_KECCAK_NO_DEVICE;
    version = get(device, REGISTER(VERSION));
    if ((version & BIT(VERSION__MAJOR)) >> HF_KECCAK_CHAIN_REGS__VERSION__MAJOR_bp != MAJOR) {
        return HF_KECCAK_VERSION;
    }
    caps = get(device, REGISTER(CAPS));
    device->value_bytes = (caps & BIT(CAPS__VALUE_BYTES)) >>
                          HF_KECCAK_CHAIN_REGS__CAPS__VALUE_BYTES_bp;
    device->trees = (caps & BIT(CAPS__TREES)) >> HF_KECCAK_CHAIN_REGS__CAPS__TREES_bp;
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
        store(&value[i], get(device, REGISTER(VALUE) + i));
    }
    return take_causes(device);
}

// Waits for the end of at most `hashes` hashes; the unit is cleared if it does not come.
static hf_keccak_error wait_for(const hf_chain_device *device, uint32_t hashes) {
    uint32_t hash, polls;
    for (hash = 0u; hash <= hashes; hash++) {
        for (polls = 0u; polls < HF_CHAIN_POLLS; polls++) {
            if (hf_chain_poll(device) == HF_KECCAK_OK) return HF_KECCAK_OK;
        }
    }
    (void)hf_chain_clear(device);
    return HF_KECCAK_TIMEOUT;
}

hf_keccak_error hf_chain_run(const hf_chain_device *device, uint8_t *value, uint32_t count) {
    hf_keccak_error error = hf_chain_begin(device, value, count);
    if (error == HF_KECCAK_OK) error = wait_for(device, count);
    return (error == HF_KECCAK_OK) ? hf_chain_end(device, value) : error;
}

////////////////////
// Trees          //
////////////////////

// Chains of a key of WOTS+ with w = 16: a digit for each half of a byte, and three of the checksum.
static uint32_t chains(const hf_chain_device *device) {
    return (2u * device->value_bytes) + 3u;
}

// No fewer than the hashes of the time that a leaf takes, with the node above it: for XMSS the chains
// of 1 + 15 hashes and T_len, whose blocks take the time of less than three.
static uint32_t hashes_of_leaf(const hf_chain_device *device, hf_chain_leaves leaves) {
    const uint32_t count = chains(device);
    if (leaves == HF_CHAIN_FORS) return 3u;
    return (16u * count) + (3u * ((count * device->value_bytes / 136u) + 2u)) + 1u;
}

// Writes what the key signs: the message, and the checksum of its digits (algorithm 7).
static void put_digits(const hf_chain_device *device, const uint8_t *message) {
    uint32_t checksum = 0u, i;
    for (i = 0u; i < device->value_bytes; i++) {
        checksum += 30u - ((uint32_t)message[i] >> 4) - ((uint32_t)message[i] & 15u);
    }
    for (i = 0u; i < device->value_bytes; i += 4u) {
        put(device, REGISTER(DIGITS), load(&message[i]));
    }
    // Three digits at the beginning of two bytes, of which the first is the lower one of the word.
    put(device, REGISTER(DIGITS), (checksum >> 4) | ((checksum & 15u) << 12));
}

hf_keccak_error hf_chain_secret(const hf_chain_device *device, const uint8_t *secret) {
    if (secret == NULL) return HF_KECCAK_ARGUMENT;
    if (device->trees == 0u) return HF_KECCAK_FUNCTION;
    put_bytes(device, REGISTER(SECRET), secret, device->value_bytes);
    return HF_KECCAK_OK;
}

size_t hf_chain_part_bytes(const hf_chain_device *device, hf_chain_leaves leaves, uint32_t height) {
    const uint32_t values = (leaves == HF_CHAIN_FORS) ? 1u : chains(device);
    return (size_t)(values + height) * device->value_bytes;
}

hf_keccak_error hf_chain_tree_begin(const hf_chain_device *device, hf_chain_leaves leaves,
                                    uint32_t height, uint32_t leaf, const uint8_t *message) {
    uint32_t word;
    if (device->trees == 0u) return HF_KECCAK_FUNCTION;
    if (height == 0u || height > HF_CHAIN_HEIGHT ||
        (leaf != HF_CHAIN_NO_LEAF && (leaf >> height) != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    word = height << HF_KECCAK_CHAIN_REGS__TREE__HEIGHT_bp;
    if (leaves == HF_CHAIN_FORS) {
        word |= BIT(TREE__FORS);
    } else if (leaf != HF_CHAIN_NO_LEAF) {
        if (message == NULL) return HF_KECCAK_ARGUMENT;
        put_digits(device, message);
    } else {
        // No leaf signs.
    }
    put(device, REGISTER(CHOSEN), leaf);
    put(device, REGISTER(TREE), word);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_tree_part(const hf_chain_device *device, uint8_t *part, size_t bytes) {
    size_t i;
    if (part == NULL || (bytes & 3u) != 0u) return HF_KECCAK_ARGUMENT;
    if (device->trees == 0u) return HF_KECCAK_FUNCTION;
    for (i = 0u; i < bytes; i += 4u) store(&part[i], get(device, REGISTER(SIGNATURE)));
    return HF_KECCAK_OK;
}

hf_keccak_error hf_chain_tree(const hf_chain_device *device, hf_chain_leaves leaves,
                              uint32_t height, uint32_t leaf, const uint8_t *message, uint8_t *part,
                              uint8_t *root) {
    hf_keccak_error error;
    if (root == NULL || (leaf != HF_CHAIN_NO_LEAF && part == NULL)) return HF_KECCAK_ARGUMENT;
    error = hf_chain_tree_begin(device, leaves, height, leaf, message);
    if (error == HF_KECCAK_OK) error = wait_for(device, hashes_of_leaf(device, leaves) << height);
    if (error == HF_KECCAK_OK && leaf != HF_CHAIN_NO_LEAF) {
        error = hf_chain_tree_part(device, part, hf_chain_part_bytes(device, leaves, height));
    }
    return (error == HF_KECCAK_OK) ? hf_chain_end(device, root) : error;
}
