// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The hash functions of FIPS 202, section 6, and Ethereum's Keccak-256, each in one call. For a
// message that comes in parts: keccak_init() with the same rate and suffix, then keccak_absorb().

#ifndef HF_SHA3_H
#define HF_SHA3_H

#include "systems/firmware/keccak/keccak.h"

#define SHA3_FUNCTION(name, digest_bits, suffix)                                          \
    static inline void name(uint8_t digest[(digest_bits) / 8], const uint8_t *message,    \
                            uint32_t bytes) {                                             \
        keccak_hash(200 - (digest_bits) / 4, suffix, message, bytes, digest,              \
                    (digest_bits) / 8);                                                   \
    }
#define SHAKE_FUNCTION(name, strength)                                                    \
    static inline void name(uint8_t *output, uint32_t output_bytes, const uint8_t *message, \
                            uint32_t bytes) {                                             \
        keccak_hash(200 - (strength) / 4, 0x1f, message, bytes, output, output_bytes);    \
    }

SHA3_FUNCTION(sha3_224, 224, 0x06)
SHA3_FUNCTION(sha3_256, 256, 0x06)
SHA3_FUNCTION(sha3_384, 384, 0x06)
SHA3_FUNCTION(sha3_512, 512, 0x06)
SHA3_FUNCTION(keccak_256, 256, 0x01)
SHAKE_FUNCTION(shake128, 128)
SHAKE_FUNCTION(shake256, 256)

#undef SHA3_FUNCTION
#undef SHAKE_FUNCTION

#endif
