// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Functions that software builds on those of the peripheral (docs/integrate/driver.md): cSHAKE with
// its names, KMAC, TupleHash and ParallelHash of SP 800-185, HMAC of FIPS 198-1 with the four
// functions of SHA-3.
//
// Contexts are those of hf_keccak.h, with the same rules; these hashes can be saved and continued
// by interrupt like any other.

#ifndef HF_KECCAK_MAC_H
#define HF_KECCAK_MAC_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

////////////////////
// cSHAKE         //
////////////////////

// Begins a hash of cSHAKE: `function` is HF_CSHAKE128 or HF_CSHAKE256, `name` is N and `custom` S.
// With both empty it is SHAKE. Go on with hf_keccak_update(), then _final() or _squeeze().
hf_keccak_error hf_cshake_init(hf_keccak_context *context, hf_keccak_device *device,
                               hf_keccak_function function, const uint8_t *name, size_t name_bytes,
                               const uint8_t *custom, size_t custom_bytes);

////////////////////
// KMAC           //
////////////////////

// Begins KMAC: `function` as above. Go on with hf_keccak_update(), then one of the next two.
hf_keccak_error hf_kmac_init(hf_keccak_context *context, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes,
                             const uint8_t *custom, size_t custom_bytes);

// The message ends: KMAC of `bytes` bytes.
hf_keccak_error hf_kmac_final(hf_keccak_context *context, uint8_t *mac, size_t bytes);

// The message ends: KMACXOF. Go on with hf_keccak_squeeze(), and hf_keccak_stop() at the end.
hf_keccak_error hf_kmac_xof(hf_keccak_context *context);

// KMAC in one call.
hf_keccak_error hf_kmac(hf_keccak_device *device, hf_keccak_function function, const uint8_t *key,
                        size_t key_bytes, const uint8_t *custom, size_t custom_bytes,
                        const uint8_t *message, size_t bytes, uint8_t *mac, size_t mac_bytes);

////////////////////
// TupleHash      //
////////////////////

// Begins TupleHash: `function` as above. Go on with its strings, then with _final() or _xof().
hf_keccak_error hf_tuplehash_init(hf_keccak_context *context, hf_keccak_device *device,
                                  hf_keccak_function function, const uint8_t *custom,
                                  size_t custom_bytes);

// The next string of the tuple.
hf_keccak_error hf_tuplehash_add(hf_keccak_context *context, const uint8_t *string, size_t bytes);

// The next string has `bytes` bytes, which hf_keccak_update() gives in pieces.
hf_keccak_error hf_tuplehash_begin_string(hf_keccak_context *context, size_t bytes);

// The tuple ends: TupleHash of `bytes` bytes.
hf_keccak_error hf_tuplehash_final(hf_keccak_context *context, uint8_t *digest, size_t bytes);

// The tuple ends: TupleHashXOF. Go on with hf_keccak_squeeze(), and hf_keccak_stop() at the end.
hf_keccak_error hf_tuplehash_xof(hf_keccak_context *context);

////////////////////
// ParallelHash   //
////////////////////

#define HF_PARALLELHASH_DIGESTS 256u  // bytes: inner digests that wait for the outer hash

typedef struct {
    hf_keccak_context outer, inner;  // they take turns on the hardware
    hf_keccak_function shake;
    size_t block_bytes, filled, blocks;  // bytes of the block being hashed; blocks that have ended
    uint32_t digest_bytes, kept;
    uint8_t digests[HF_PARALLELHASH_DIGESTS];
} hf_parallelhash_context;

// Begins ParallelHash with blocks of `block_bytes` bytes: `function` as above.
hf_keccak_error hf_parallelhash_init(hf_parallelhash_context *context, hf_keccak_device *device,
                                     hf_keccak_function function, size_t block_bytes,
                                     const uint8_t *custom, size_t custom_bytes);

hf_keccak_error hf_parallelhash_update(hf_parallelhash_context *context, const uint8_t *message,
                                       size_t bytes);

// The message ends: ParallelHash of `bytes` bytes.
hf_keccak_error hf_parallelhash_final(hf_parallelhash_context *context, uint8_t *digest,
                                      size_t bytes);

// The message ends: ParallelHashXOF. Go on with hf_keccak_squeeze() of `outer`, and with
// hf_parallelhash_stop() at the end.
hf_keccak_error hf_parallelhash_xof(hf_parallelhash_context *context);

// Before its end, or after an output of the XOF: nothing is left of it.
hf_keccak_error hf_parallelhash_stop(hf_parallelhash_context *context);

////////////////////
// HMAC           //
////////////////////

#define HF_HMAC_BLOCK 144u  // the largest block, SHA3-224's

typedef struct {
    hf_keccak_context hash;
    uint32_t block_words, digest;
    uint32_t key[HF_HMAC_BLOCK / 4u];  // for the outer hash
} hf_hmac_context;

// Begins HMAC: `function` is one of HF_SHA3_224 to HF_SHA3_512.
hf_keccak_error hf_hmac_init(hf_hmac_context *context, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes);

hf_keccak_error hf_hmac_update(hf_hmac_context *context, const uint8_t *message, size_t bytes);

// The first `bytes` bytes of the MAC, at most the function's digest.
hf_keccak_error hf_hmac_final(hf_hmac_context *context, uint8_t *mac, size_t bytes);

// Before its end: nothing is left of it.
hf_keccak_error hf_hmac_stop(hf_hmac_context *context);

// HMAC in one call.
hf_keccak_error hf_hmac(hf_keccak_device *device, hf_keccak_function function, const uint8_t *key,
                        size_t key_bytes, const uint8_t *message, size_t bytes, uint8_t *mac,
                        size_t mac_bytes);

// 1 if both are equal, else 0, in a time that does not depend on where they differ.
int hf_mac_equal(const uint8_t *mac, const uint8_t *other, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
