// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SLH-DSA with SHAKE (FIPS 205) by the hardware (docs/integrate/slh-dsa.md): trees and chains by the
// unit of hf_keccak_chain.h, every other hash by the peripheral of hf_keccak.h. C99, freestanding.
//
// A public key is PK.seed and PK.root, 2n bytes; a secret key SK.seed, SK.prf and the public key, 4n
// bytes. n is the unit's `value_bytes`. Keys, messages and signatures may be anywhere in memory; words
// at aligned addresses take the fewest clocks. After each call, with an error too, the unit is clear.

#ifndef HF_SLH_DSA_H
#define HF_SLH_DSA_H

#include "hf_keccak_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

// The longest n of the sets that are used, which the stack has room for: 16 spares 1.6 KB of it.
#ifndef HF_SLH_MOST_BYTES
#define HF_SLH_MOST_BYTES HF_CHAIN_VALUE_BYTES
#endif

#define HF_SLH_CONTEXT_BYTES 255u  // the longest context string

// A parameter set (FIPS 205, table 2), with w = 16; h is d times h'.
typedef struct {
    uint8_t n;       // bytes of a value
    uint8_t d;       // layers of trees
    uint8_t height;  // h': of each of their trees
    uint8_t a;       // height of a FORS tree
    uint8_t k;       // FORS trees
} hf_slh_set;

extern const hf_slh_set hf_slh_shake_128s, hf_slh_shake_128f;
extern const hf_slh_set hf_slh_shake_192s, hf_slh_shake_192f;
extern const hf_slh_set hf_slh_shake_256s, hf_slh_shake_256f;

// A set on its hardware; hf_slh_open() fills it in.
typedef struct {
    const hf_slh_set *set;
    const hf_chain_device *chain;
    hf_keccak_device *keccak;
} hf_slh_device;

// Takes two devices that are open. HF_KECCAK_FUNCTION: the unit has no trees, or values of another
// length than the set's n.
hf_keccak_error hf_slh_open(hf_slh_device *slh, const hf_slh_set *set, const hf_chain_device *chain,
                            hf_keccak_device *keccak);

// The bytes of a signature: 17,088 for SLH-DSA-SHAKE-128f.
size_t hf_slh_signature_bytes(const hf_slh_set *set);

// Makes a pair of keys (algorithm 18) of 3n random bytes: SK.seed, SK.prf, PK.seed.
hf_keccak_error hf_slh_keys(const hf_slh_device *slh, const uint8_t *seeds, uint8_t *secret_key,
                            uint8_t *public_key);

// Signs a message with a context string (algorithm 22), which may be empty. `randomness` is n random
// bytes, or null: the signature is the deterministic one. HF_KECCAK_BAD_SIGNATURE: the key's root is
// not that of its seeds, or the hardware was disturbed. With any error the signature is wiped.
hf_keccak_error hf_slh_sign(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                            const uint8_t *context, size_t context_bytes,
                            const uint8_t *secret_key, const uint8_t *randomness,
                            uint8_t *signature);

// Verifies a signature (algorithm 24): HF_KECCAK_OK, or HF_KECCAK_BAD_SIGNATURE, also of another
// length.
hf_keccak_error hf_slh_verify(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                              const uint8_t *context, size_t context_bytes,
                              const uint8_t *signature, size_t signature_bytes,
                              const uint8_t *public_key);

// The same of M' itself (algorithms 19 and 20): for pre-hashed messages, and for tests.
hf_keccak_error hf_slh_sign_internal(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                                     const uint8_t *secret_key, const uint8_t *randomness,
                                     uint8_t *signature);
hf_keccak_error hf_slh_verify_internal(const hf_slh_device *slh, const uint8_t *message,
                                       size_t bytes, const uint8_t *signature,
                                       size_t signature_bytes, const uint8_t *public_key);

#ifdef __cplusplus
}
#endif

#endif
