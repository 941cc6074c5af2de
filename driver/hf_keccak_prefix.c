// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Prefixes that the peripheral keeps (hf_keccak_prefix.h, docs/integrate/driver.md).

#include "hf_keccak_prefix.h"
#include "hf_keccak_access.h"
#include "hf_keccak_mac.h"

#define PHASE(name) ((uint32_t)HF_KECCAK_REGS__STATUS__PHASE__##name)
#define BAD_POSITION ((uint32_t)HF_KECCAK_REGS__ERROR__BAD_POSITION_bm)
#define WORDS_AT_ONCE 16u       // without a message FIFO, which would say how many there is room for
#define END_BYTES 5u            // of the length that ends KMAC's message, at most

// Also where a compiler sees that nothing reads the bytes again.
static void wipe(volatile uint8_t *bytes, size_t count) {
    size_t i;
    for (i = 0u; i < count; i++) bytes[i] = 0u;
}

// The hash in the hardware, and the copy, are lost.
static hf_keccak_error failed(hf_keccak_device *device, hf_keccak_error error) {
    const uint32_t causes = get(device, REGISTER(ERROR));
    (void)hf_keccak_reset(device);
    device->causes = causes;
    return error;
}

static int is_wrong(uint32_t status) {
    return (status & NOT_STATUS) != 0u || FIELD(status, HF_KECCAK_REGS__STATUS__ERROR) != 0u;
}

// Of an output that is awaited: wrong as well if another master has ended it.
static int is_gone(uint32_t status) {
    return is_wrong(status) || (FIELD(status, HF_KECCAK_REGS__STATUS__PHASE) == PHASE(IDLE) &&
                                FIELD(status, HF_KECCAK_REGS__STATUS__DONE) == 0u);
}

////////////////////
// Keep           //
////////////////////

static int has_copy(const hf_keccak_device *device) {
    return FIELD(get(device, REGISTER(VERSION)), HF_KECCAK_REGS__VERSION__MINOR) >= OF_OPTIONS &&
           FIELD(get(device, REGISTER(OPTIONS)), HF_KECCAK_REGS__OPTIONS__PREFIX) != 0u;
}

// The command has been given: waits for its end.
static hf_keccak_error end_keep(hf_keccak_device *device) {
    uint32_t polls;
    for (polls = 0u; polls < device->polls; polls++) {
        const uint32_t status = get(device, REGISTER(STATUS));
        const uint32_t phase = FIELD(status, HF_KECCAK_REGS__STATUS__PHASE);
        if (phase == PHASE(CHANGE)) continue;
        if (phase == PHASE(IDLE) && !is_wrong(status)) return HF_KECCAK_OK;
        if (phase == PHASE(ABSORB) && get(device, REGISTER(ERROR)) == BAD_POSITION) {
            put(device, REGISTER(ERROR), BAD_POSITION);
            return HF_KECCAK_SEQUENCE;
        }
        return failed(device, HF_KECCAK_LOST);
    }
    return failed(device, HF_KECCAK_TIMEOUT);
}

hf_keccak_error hf_keccak_keep(hf_keccak_prefix *prefix, hf_keccak_context *context) {
    hf_keccak_device *device;
    hf_keccak_error error;
    if (prefix == NULL) return HF_KECCAK_ARGUMENT;
    error = hf_keccak_update(context, NULL, 0u);  // whether it takes a message
    if (error != HF_KECCAK_OK) return error;
    device = context->device;
    if (!has_copy(device)) return HF_KECCAK_FUNCTION;
    error = hf_keccak_restore(context);
    if (error != HF_KECCAK_OK) return error;
    if (device->owner != context) return HF_KECCAK_SEQUENCE;
    put(device, REGISTER(COMMAND), COMMAND(KEEP));
    error = end_keep(device);
    if (error == HF_KECCAK_SEQUENCE) return error;
    // The hash has left the hardware: nothing is cleared.
    device->owner = NULL;
    prefix->device = device;
    prefix->function = context->function;
    prefix->number = 0u;
    (void)hf_keccak_stop(context);
    if (error != HF_KECCAK_OK) return error;
    prefix->number = FIELD(get(device, REGISTER(OPTIONS)), HF_KECCAK_REGS__OPTIONS__KEPT);
    return (prefix->number != 0u) ? HF_KECCAK_OK : HF_KECCAK_LOST;
}

hf_keccak_error hf_keccak_forget(hf_keccak_prefix *prefix) {
    hf_keccak_device *device;
    if (prefix == NULL || prefix->device == NULL) return HF_KECCAK_ARGUMENT;
    device = prefix->device;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    prefix->number = 0u;
    // Either clears the peripheral.
    return (device->owner != NULL) ? hf_keccak_save(device->owner) : hf_keccak_reset(device);
}

////////////////////
// Message        //
////////////////////

// A peripheral in which a message is written. `room`: words that may be written without a look at
// STATUS, for a driver that waits.
typedef struct {
    hf_keccak_device *device;
    uint32_t room;
} writer;

static hf_keccak_error make_room(writer *to) {
    hf_keccak_device *const device = to->device;
    uint32_t polls;
    if (device->waits == HF_KECCAK_BUS_WAITS) to->room = 1u;
    for (polls = 0u; to->room == 0u && polls < device->polls; polls++) {
        const uint32_t status = get(device, REGISTER(STATUS));
        const uint32_t phase = FIELD(status, HF_KECCAK_REGS__STATUS__PHASE);
        if (is_wrong(status) || (phase != PHASE(ABSORB) && phase != PHASE(CHANGE))) {
            return failed(device, HF_KECCAK_LOST);
        }
        if (phase == PHASE(ABSORB)) {
            to->room = (device->message_words == 0u)
                           ? WORDS_AT_ONCE
                           : FIELD(status, HF_KECCAK_REGS__STATUS__MESSAGE_FREE);
        }
    }
    if (to->room == 0u) return failed(device, HF_KECCAK_TIMEOUT);
    to->room--;
    return HF_KECCAK_OK;
}

// Whole words of it; returns how many bytes they are.
static hf_keccak_error write_words(writer *to, const uint8_t *bytes, size_t count, size_t *written) {
    hf_keccak_error error = HF_KECCAK_OK;
    size_t at;
    for (at = 0u; error == HF_KECCAK_OK && count - at >= 4u; at += 4u) {
        error = make_room(to);
        if (error == HF_KECCAK_OK) put(to->device, REGISTER(MESSAGE), load(&bytes[at]));
    }
    *written = at;
    return error;
}

// The message, then `end_bytes` bytes that end it. Bytes that fill no word of the first are written
// with the second.
static hf_keccak_error write_message(hf_keccak_device *device, const uint8_t *message, size_t bytes,
                                     const uint8_t *end, size_t end_bytes) {
    writer to;
    uint8_t rest[3u + END_BYTES];
    size_t at, count = 0u, i;
    hf_keccak_error error;
    to.device = device;
    to.room = 0u;
    error = write_words(&to, message, bytes, &at);
    if (error != HF_KECCAK_OK) return error;
    for (; at < bytes; at++) rest[count++] = message[at];
    for (i = 0u; i < end_bytes; i++) rest[count++] = end[i];
    error = write_words(&to, rest, count, &at);
    for (; error == HF_KECCAK_OK && at < count; at++) {
        error = make_room(&to);
        if (error == HF_KECCAK_OK) hf_keccak_write8(device->base, REGISTER(MESSAGE), rest[at]);
    }
    wipe(rest, sizeof rest);
    return error;
}

////////////////////
// Output         //
////////////////////

// The next word, which is there first if the bus is not to wait.
static hf_keccak_error read_word(hf_keccak_device *device, uint32_t *word) {
    uint32_t polls, status;
    for (polls = 0u; device->waits != HF_KECCAK_BUS_WAITS; polls++) {
        if (polls == device->polls) return failed(device, HF_KECCAK_TIMEOUT);
        status = get(device, REGISTER(STATUS));
        if (is_gone(status)) return failed(device, HF_KECCAK_LOST);
        if (FIELD(status, HF_KECCAK_REGS__STATUS__DIGEST_WORDS) != 0u) break;
    }
    *word = get(device, REGISTER(DIGEST));
    return HF_KECCAK_OK;
}

static hf_keccak_error read_digest(hf_keccak_device *device, uint8_t *digest, size_t bytes) {
    uint32_t word = 0u, polls;
    size_t at;
    for (at = 0u; at < bytes; at++) {
        if ((at & 3u) == 0u) {
            const hf_keccak_error error = read_word(device, &word);
            if (error != HF_KECCAK_OK) return error;
        }
        digest[at] = (uint8_t)(word & 0xffu);
        word >>= 8;
    }
    // All words have been read, and the output is complete. What was wrong before shows here.
    for (polls = 0u; polls < device->polls; polls++) {
        const uint32_t status = get(device, REGISTER(STATUS));
        if (is_gone(status)) return failed(device, HF_KECCAK_LOST);
        if (FIELD(status, HF_KECCAK_REGS__STATUS__DONE) != 0u) return HF_KECCAK_OK;
    }
    return failed(device, HF_KECCAK_TIMEOUT);
}

////////////////////
// Hashes         //
////////////////////

static hf_keccak_error hash_after(const hf_keccak_prefix *prefix, const uint8_t *message,
                                  size_t bytes, const uint8_t *end, size_t end_bytes,
                                  uint8_t *digest, size_t digest_bytes) {
    hf_keccak_device *device;
    uint32_t rate, fixed;
    hf_keccak_error error;
    if (prefix == NULL || prefix->device == NULL || (message == NULL && bytes != 0u) ||
        (digest == NULL && digest_bytes != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    device = prefix->device;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    error = hf_keccak_sizes(prefix->function, &rate, &fixed);
    if (error != HF_KECCAK_OK) return error;
    if ((fixed != 0u) ? digest_bytes != (size_t)fixed
                      : digest_bytes > (size_t)(HF_KECCAK_OPEN / 8u)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (digest_bytes == 0u) return HF_KECCAK_OK;
    // A context that is in the hardware has cleared it before, or would be put aside by a `clear`.
    if (device->owner != NULL || prefix->number == 0u || FIELD(get(device, REGISTER(OPTIONS)),
                                      HF_KECCAK_REGS__OPTIONS__KEPT) != prefix->number) {
        return HF_KECCAK_LOST;
    }
    put(device, REGISTER(CONFIG), (uint32_t)prefix->function);
    if (fixed == 0u) put(device, REGISTER(LENGTH), (uint32_t)digest_bytes * 8u);
    put(device, REGISTER(COMMAND), COMMAND(RECALL));
    error = write_message(device, message, bytes, end, end_bytes);
    if (error != HF_KECCAK_OK) return error;
    put(device, REGISTER(COMMAND), COMMAND(LAST));
    return read_digest(device, digest, digest_bytes);
}

hf_keccak_error hf_keccak_hash_after(const hf_keccak_prefix *prefix, const uint8_t *message,
                                     size_t bytes, uint8_t *digest, size_t digest_bytes) {
    return hash_after(prefix, message, bytes, NULL, 0u, digest, digest_bytes);
}

hf_keccak_error hf_kmac_keep(hf_keccak_prefix *prefix, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes,
                             const uint8_t *custom, size_t custom_bytes) {
    hf_keccak_context context;
    hf_keccak_error error;
    if (prefix == NULL || device == NULL) return HF_KECCAK_ARGUMENT;
    error = hf_kmac_init(&context, device, function, key, key_bytes, custom, custom_bytes);
    if (error != HF_KECCAK_OK) return error;
    error = hf_keccak_keep(prefix, &context);
    if (error != HF_KECCAK_OK) (void)hf_keccak_stop(&context);
    return error;
}

hf_keccak_error hf_kmac_after(const hf_keccak_prefix *prefix, const uint8_t *message, size_t bytes,
                              uint8_t *mac, size_t mac_bytes) {
    uint8_t end[END_BYTES];  // right_encode() of the MAC's bits
    uint32_t shift = 24u, bits;
    size_t length = 0u;
    if (mac_bytes == 0u || mac_bytes > (size_t)(HF_KECCAK_OPEN / 8u)) return HF_KECCAK_ARGUMENT;
    bits = (uint32_t)mac_bytes * 8u;
    while (shift != 0u && (bits >> shift) == 0u) shift -= 8u;
    for (;; shift -= 8u) {
        end[length++] = (uint8_t)((bits >> shift) & 0xffu);
        if (shift == 0u) break;
    }
    end[length] = (uint8_t)length;
    return hash_after(prefix, message, bytes, end, length + 1u, mac, mac_bytes);
}
