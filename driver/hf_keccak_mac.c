// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// cSHAKE, KMAC, TupleHash, ParallelHash and HMAC in software, on the driver (hf_keccak_mac.h, docs/integrate/driver.md).

#include "hf_keccak_mac.h"

#define ENCODED_BYTES (sizeof(size_t) + 2u)  // of a number of bits, which has three more than size_t

static void wipe_words(uint32_t *words, uint32_t count) {
    volatile uint32_t *const at = words;
    uint32_t i;
    for (i = 0u; i < count; i++) at[i] = 0u;
}

static void wipe_bytes(uint8_t *bytes, size_t count) {
    volatile uint8_t *const at = bytes;
    size_t i;
    for (i = 0u; i < count; i++) at[i] = 0u;
}

////////////////////
// SP 800-185     //
////////////////////

// The bytes of 8 * `count`, the highest first and none that is zero but a single one; how many.
static size_t number_of_bits(uint8_t *bytes, size_t count) {
    uint8_t lowest_first[ENCODED_BYTES];
    size_t i, length = 0u, rest = count >> 5;
    lowest_first[length++] = (uint8_t)((count & 31u) << 3);
    while (rest != 0u) {
        lowest_first[length++] = (uint8_t)(rest & 0xffu);
        rest >>= 8;
    }
    for (i = 0u; i < length; i++) bytes[i] = lowest_first[length - 1u - i];
    return length;
}

// A string of bytes that is absorbed, counted for the zeros after it.
typedef struct {
    hf_keccak_context *context;
    size_t count;  // of its bytes, modulo the rate
    uint32_t rate;
    hf_keccak_error error;
} padded;

static void add(padded *to, const uint8_t *bytes, size_t count) {
    if (to->error == HF_KECCAK_OK) to->error = hf_keccak_update(to->context, bytes, count);
    to->count = (to->count + (count % to->rate)) % to->rate;
}

static void add_string(padded *to, const uint8_t *string, size_t count) {
    uint8_t encoded[ENCODED_BYTES + 1u];
    const size_t length = number_of_bits(&encoded[1], count);
    encoded[0] = (uint8_t)length;
    add(to, encoded, length + 1u);
    add(to, string, count);
}

static void begin_padded(padded *to, hf_keccak_context *context, uint32_t rate) {
    uint8_t encoded[2];
    to->context = context;
    to->count = 0u;
    to->rate = rate;
    to->error = HF_KECCAK_OK;
    encoded[0] = 1u;
    encoded[1] = (uint8_t)rate;
    add(to, encoded, sizeof encoded);
}

static hf_keccak_error end_padded(padded *to) {
    static const uint8_t zeros[64] = {0u};
    while (to->error == HF_KECCAK_OK && to->count != 0u) {
        const size_t left = (size_t)to->rate - to->count;
        add(to, zeros, (left < sizeof zeros) ? left : sizeof zeros);
    }
    return to->error;
}

// A hash that cannot go on as it should is over.
static hf_keccak_error given_up(hf_keccak_context *context, hf_keccak_error error) {
    if (error != HF_KECCAK_OK) (void)hf_keccak_stop(context);
    return error;
}

hf_keccak_error hf_cshake_init(hf_keccak_context *context, hf_keccak_device *device,
                               hf_keccak_function function, const uint8_t *name, size_t name_bytes,
                               const uint8_t *custom, size_t custom_bytes) {
    const int plain = (name_bytes == 0u) && (custom_bytes == 0u);
    padded front;
    uint32_t rate, digest;
    hf_keccak_error error;
    if (function != HF_CSHAKE128 && function != HF_CSHAKE256) return HF_KECCAK_FUNCTION;
    if ((name == NULL && name_bytes != 0u) || (custom == NULL && custom_bytes != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (plain) {
        return hf_keccak_init(context, device,
                              (function == HF_CSHAKE128) ? HF_SHAKE128 : HF_SHAKE256);
    }
    error = hf_keccak_init(context, device, function);
    if (error == HF_KECCAK_OK) error = hf_keccak_sizes(function, &rate, &digest);
    if (error != HF_KECCAK_OK) return error;
    begin_padded(&front, context, rate);
    add_string(&front, name, name_bytes);
    add_string(&front, custom, custom_bytes);
    return given_up(context, end_padded(&front));
}

hf_keccak_error hf_kmac_init(hf_keccak_context *context, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes,
                             const uint8_t *custom, size_t custom_bytes) {
    static const uint8_t name[4] = {0x4bu, 0x4du, 0x41u, 0x43u};  // "KMAC"
    padded front;
    uint32_t rate, digest;
    hf_keccak_error error;
    if (key == NULL && key_bytes != 0u) return HF_KECCAK_ARGUMENT;
    error = hf_cshake_init(context, device, function, name, sizeof name, custom, custom_bytes);
    if (error == HF_KECCAK_OK) error = hf_keccak_sizes(function, &rate, &digest);
    if (error != HF_KECCAK_OK) return error;
    begin_padded(&front, context, rate);
    add_string(&front, key, key_bytes);
    return given_up(context, end_padded(&front));
}

// The message ends with the length of the output: right_encode() of its bits.
static hf_keccak_error end_framed(hf_keccak_context *context, size_t output_bytes) {
    uint8_t encoded[ENCODED_BYTES + 1u];
    const size_t length = number_of_bits(encoded, output_bytes);
    encoded[length] = (uint8_t)length;
    return hf_keccak_update(context, encoded, length + 1u);
}

// Whether an output may have this length.
static int is_output(const uint8_t *output, size_t bytes) {
    return output != NULL && bytes != 0u && bytes <= (size_t)(HF_KECCAK_OPEN / 8u);
}

static hf_keccak_error final_framed(hf_keccak_context *context, uint8_t *digest, size_t bytes) {
    hf_keccak_error error;
    if (!is_output(digest, bytes)) return HF_KECCAK_ARGUMENT;
    error = end_framed(context, bytes);
    if (error == HF_KECCAK_OK) error = given_up(context, hf_keccak_final(context, digest, bytes));
    return error;
}

static hf_keccak_error xof_framed(hf_keccak_context *context) {
    hf_keccak_error error = end_framed(context, 0u);
    if (error == HF_KECCAK_OK) error = hf_keccak_end(context, HF_KECCAK_OPEN);
    return error;
}

hf_keccak_error hf_kmac_final(hf_keccak_context *context, uint8_t *mac, size_t bytes) {
    return final_framed(context, mac, bytes);
}

hf_keccak_error hf_kmac_xof(hf_keccak_context *context) {
    return xof_framed(context);
}

hf_keccak_error hf_kmac(hf_keccak_device *device, hf_keccak_function function, const uint8_t *key,
                        size_t key_bytes, const uint8_t *custom, size_t custom_bytes,
                        const uint8_t *message, size_t bytes, uint8_t *mac, size_t mac_bytes) {
    hf_keccak_context context;
    hf_keccak_error error;
    if (mac == NULL || mac_bytes == 0u || (message == NULL && bytes != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    error = hf_kmac_init(&context, device, function, key, key_bytes, custom, custom_bytes);
    if (error == HF_KECCAK_OK) error = hf_keccak_update(&context, message, bytes);
    if (error == HF_KECCAK_OK) error = hf_kmac_final(&context, mac, mac_bytes);
    return error;
}

////////////////////
// TupleHash      //
////////////////////

hf_keccak_error hf_tuplehash_init(hf_keccak_context *context, hf_keccak_device *device,
                                  hf_keccak_function function, const uint8_t *custom,
                                  size_t custom_bytes) {
    // "TupleHash"
    static const uint8_t name[9] = {0x54u, 0x75u, 0x70u, 0x6cu, 0x65u, 0x48u, 0x61u, 0x73u, 0x68u};
    return hf_cshake_init(context, device, function, name, sizeof name, custom, custom_bytes);
}

hf_keccak_error hf_tuplehash_begin_string(hf_keccak_context *context, size_t bytes) {
    uint8_t encoded[ENCODED_BYTES + 1u];
    const size_t length = number_of_bits(&encoded[1], bytes);
    encoded[0] = (uint8_t)length;
    return hf_keccak_update(context, encoded, length + 1u);
}

hf_keccak_error hf_tuplehash_add(hf_keccak_context *context, const uint8_t *string, size_t bytes) {
    hf_keccak_error error;
    if (string == NULL && bytes != 0u) return HF_KECCAK_ARGUMENT;
    error = hf_tuplehash_begin_string(context, bytes);
    if (error == HF_KECCAK_OK) error = hf_keccak_update(context, string, bytes);
    return error;
}

hf_keccak_error hf_tuplehash_final(hf_keccak_context *context, uint8_t *digest, size_t bytes) {
    return final_framed(context, digest, bytes);
}

hf_keccak_error hf_tuplehash_xof(hf_keccak_context *context) {
    return xof_framed(context);
}

////////////////////
// ParallelHash   //
////////////////////

// The bytes of `value`, the highest first and none that is zero but a single one; how many.
static size_t number_of(uint8_t *bytes, size_t value) {
    size_t i, length = 1u, rest = value >> 8;
    while (rest != 0u) {
        length++;
        rest >>= 8;
    }
    rest = value;
    for (i = length; i > 0u; i--) {
        bytes[i - 1u] = (uint8_t)(rest & 0xffu);
        rest >>= 8;
    }
    return length;
}

// After an error nothing of the hash goes on.
static hf_keccak_error ended(hf_parallelhash_context *context, hf_keccak_error error) {
    if (error != HF_KECCAK_OK) (void)hf_parallelhash_stop(context);
    return error;
}

hf_keccak_error hf_parallelhash_init(hf_parallelhash_context *context, hf_keccak_device *device,
                                     hf_keccak_function function, size_t block_bytes,
                                     const uint8_t *custom, size_t custom_bytes) {
    // "ParallelHash"
    static const uint8_t name[12] = {0x50u, 0x61u, 0x72u, 0x61u, 0x6cu, 0x6cu,
                                     0x65u, 0x6cu, 0x48u, 0x61u, 0x73u, 0x68u};
    uint8_t encoded[ENCODED_BYTES + 1u];
    size_t length;
    hf_keccak_error error;
    if (context == NULL || block_bytes == 0u) return HF_KECCAK_ARGUMENT;
    error = hf_cshake_init(&context->outer, device, function, name, sizeof name, custom,
                           custom_bytes);
    if (error != HF_KECCAK_OK) return error;
    context->shake = (function == HF_CSHAKE128) ? HF_SHAKE128 : HF_SHAKE256;
    context->digest_bytes = (function == HF_CSHAKE128) ? 32u : 64u;
    context->block_bytes = block_bytes;
    context->filled = 0u;
    context->blocks = 0u;
    context->kept = 0u;
    length = number_of(&encoded[1], block_bytes);
    encoded[0] = (uint8_t)length;
    return ended(context, hf_keccak_update(&context->outer, encoded, length + 1u));
}

// The digests that wait go to the outer hash.
static hf_keccak_error pass_digests(hf_parallelhash_context *context) {
    const hf_keccak_error error =
        hf_keccak_update(&context->outer, context->digests, (size_t)context->kept);
    if (error != HF_KECCAK_OK) return error;
    wipe_bytes(context->digests, (size_t)context->kept);
    context->kept = 0u;
    return error;
}

static hf_keccak_error end_block(hf_parallelhash_context *context) {
    hf_keccak_error error = hf_keccak_final(&context->inner, &context->digests[context->kept],
                                            (size_t)context->digest_bytes);
    if (error != HF_KECCAK_OK) return error;
    context->filled = 0u;
    context->blocks++;
    context->kept += context->digest_bytes;
    if (context->kept == HF_PARALLELHASH_DIGESTS) error = pass_digests(context);
    return error;
}

hf_keccak_error hf_parallelhash_update(hf_parallelhash_context *context, const uint8_t *message,
                                       size_t bytes) {
    size_t at = 0u;
    hf_keccak_error error = HF_KECCAK_OK;
    if (context == NULL || (message == NULL && bytes != 0u)) return HF_KECCAK_ARGUMENT;
    // A hash that has ended takes no message; a job that is running changes nothing.
    if (context->filled == 0u) error = hf_keccak_update(&context->outer, message, 0u);
    if (error != HF_KECCAK_OK) return error;
    while (error == HF_KECCAK_OK && at < bytes) {
        const size_t room = context->block_bytes - context->filled;
        const size_t count = (bytes - at < room) ? bytes - at : room;
        if (context->filled == 0u) {
            error = hf_keccak_init(&context->inner, context->outer.device, context->shake);
        }
        if (error == HF_KECCAK_OK) error = hf_keccak_update(&context->inner, &message[at], count);
        if (error == HF_KECCAK_BUSY && at == 0u) return error;
        at += count;
        context->filled += count;
        if (error == HF_KECCAK_OK && context->filled == context->block_bytes) {
            error = end_block(context);
        }
    }
    return ended(context, error);
}

// The last block, the digests that wait, and the number of blocks. After an error nothing of the hash
// goes on, but one of the sequence, or of a job that is running, changes nothing.
static hf_keccak_error end_blocks(hf_parallelhash_context *context) {
    uint8_t encoded[ENCODED_BYTES + 1u];
    size_t length;
    hf_keccak_error error = hf_keccak_update(&context->outer, context->digests, 0u);
    if (error != HF_KECCAK_OK) return error;
    if (context->filled != 0u) error = end_block(context);
    if (error == HF_KECCAK_OK) error = pass_digests(context);
    length = number_of(encoded, context->blocks);
    encoded[length] = (uint8_t)length;
    if (error == HF_KECCAK_OK) error = hf_keccak_update(&context->outer, encoded, length + 1u);
    return ended(context, error);
}

hf_keccak_error hf_parallelhash_final(hf_parallelhash_context *context, uint8_t *digest,
                                      size_t bytes) {
    hf_keccak_error error;
    if (context == NULL || !is_output(digest, bytes)) return HF_KECCAK_ARGUMENT;
    error = end_blocks(context);
    if (error != HF_KECCAK_OK) return error;
    return ended(context, final_framed(&context->outer, digest, bytes));
}

hf_keccak_error hf_parallelhash_xof(hf_parallelhash_context *context) {
    hf_keccak_error error;
    if (context == NULL) return HF_KECCAK_ARGUMENT;
    error = end_blocks(context);
    if (error != HF_KECCAK_OK) return error;
    return ended(context, xof_framed(&context->outer));
}

hf_keccak_error hf_parallelhash_stop(hf_parallelhash_context *context) {
    hf_keccak_error error = HF_KECCAK_OK, other;
    if (context == NULL) return HF_KECCAK_ARGUMENT;
    if (context->filled != 0u) error = hf_keccak_stop(&context->inner);
    other = hf_keccak_stop(&context->outer);
    if (error == HF_KECCAK_OK) error = other;
    if (error == HF_KECCAK_BUSY) return error;
    context->filled = 0u;
    context->kept = 0u;
    wipe_bytes(context->digests, HF_PARALLELHASH_DIGESTS);
    return error;
}

////////////////////
// HMAC           //
////////////////////

// Of the key, in the order of its bytes whatever the processor's is.
static uint8_t *key_bytes_of(hf_hmac_context *context) {
    return (uint8_t *)context->key;
}

// Begins the inner or the outer hash with the key, changed by `pad` in each byte.
static hf_keccak_error begin_keyed(hf_hmac_context *context, hf_keccak_device *device,
                                   hf_keccak_function function, uint32_t pad) {
    hf_keccak_error error = hf_keccak_init(&context->hash, device, function);
    uint32_t i;
    if (error != HF_KECCAK_OK) return error;
    for (i = 0u; i < context->block_words; i++) context->key[i] ^= pad;
    error = hf_keccak_update(&context->hash, key_bytes_of(context),
                             (size_t)context->block_words * 4u);
    for (i = 0u; i < context->block_words; i++) context->key[i] ^= pad;
    return error;
}

static hf_keccak_error forget_key(hf_hmac_context *context, hf_keccak_error error) {
    wipe_words(context->key, HF_HMAC_BLOCK / 4u);
    return error;
}

hf_keccak_error hf_hmac_init(hf_hmac_context *context, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes) {
    uint32_t block;
    size_t i;
    hf_keccak_error error;
    if (context == NULL || (key == NULL && key_bytes != 0u)) return HF_KECCAK_ARGUMENT;
    if (function != HF_SHA3_224 && function != HF_SHA3_256 && function != HF_SHA3_384 &&
        function != HF_SHA3_512) {
        return HF_KECCAK_FUNCTION;
    }
    // Before the key is used: after an error, no part of it is left.
    error = hf_keccak_init(&context->hash, device, function);
    if (error == HF_KECCAK_OK) error = hf_keccak_sizes(function, &block, &context->digest);
    if (error != HF_KECCAK_OK) return error;
    context->block_words = block / 4u;
    wipe_words(context->key, HF_HMAC_BLOCK / 4u);
    if (key_bytes > (size_t)block) {
        error = hf_keccak_hash(device, function, key, key_bytes, key_bytes_of(context),
                               (size_t)context->digest);
    } else {
        for (i = 0u; i < key_bytes; i++) key_bytes_of(context)[i] = key[i];
    }
    if (error == HF_KECCAK_OK) error = begin_keyed(context, device, function, 0x36363636u);
    return (error == HF_KECCAK_OK) ? error : forget_key(context, error);
}

hf_keccak_error hf_hmac_update(hf_hmac_context *context, const uint8_t *message, size_t bytes) {
    if (context == NULL) return HF_KECCAK_ARGUMENT;
    return hf_keccak_update(&context->hash, message, bytes);
}

hf_keccak_error hf_hmac_final(hf_hmac_context *context, uint8_t *mac, size_t bytes) {
    uint8_t digest[64];
    size_t i;
    hf_keccak_error error;
    if (context == NULL || mac == NULL || bytes > (size_t)context->digest) {
        return HF_KECCAK_ARGUMENT;
    }
    error = hf_keccak_final(&context->hash, digest, (size_t)context->digest);
    if (error == HF_KECCAK_BUSY) return error;
    if (error == HF_KECCAK_OK) {
        error = begin_keyed(context, context->hash.device, context->hash.function, 0x5c5c5c5cu);
    }
    if (error == HF_KECCAK_OK) {
        error = hf_keccak_update(&context->hash, digest, (size_t)context->digest);
    }
    if (error == HF_KECCAK_OK) {
        error = hf_keccak_final(&context->hash, digest, (size_t)context->digest);
    }
    for (i = 0u; error == HF_KECCAK_OK && i < bytes; i++) mac[i] = digest[i];
    wipe_bytes(digest, sizeof digest);
    return forget_key(context, error);
}

hf_keccak_error hf_hmac_stop(hf_hmac_context *context) {
    hf_keccak_error error;
    if (context == NULL) return HF_KECCAK_ARGUMENT;
    error = hf_keccak_stop(&context->hash);
    return (error == HF_KECCAK_BUSY) ? error : forget_key(context, error);
}

hf_keccak_error hf_hmac(hf_keccak_device *device, hf_keccak_function function, const uint8_t *key,
                        size_t key_bytes, const uint8_t *message, size_t bytes, uint8_t *mac,
                        size_t mac_bytes) {
    hf_hmac_context context;
    hf_keccak_error error = hf_hmac_init(&context, device, function, key, key_bytes);
    if (error != HF_KECCAK_OK) return error;
    error = hf_hmac_update(&context, message, bytes);
    if (error == HF_KECCAK_OK) error = hf_hmac_final(&context, mac, mac_bytes);
    if (error != HF_KECCAK_OK) (void)hf_hmac_stop(&context);
    return error;
}

int hf_mac_equal(const uint8_t *mac, const uint8_t *other, size_t bytes) {
    volatile uint8_t different = 0u;
    size_t i;
    for (i = 0u; i < bytes; i++) different = (uint8_t)(different | (mac[i] ^ other[i]));
    return (different == 0u) ? 1 : 0;
}
