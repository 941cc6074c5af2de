// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// FIPS 202 in software as mlkem-native requires it, by the sponge of systems/firmware/keccak.

#ifndef HF_KEM_FIPS202_H
#define HF_KEM_FIPS202_H

#include <stddef.h>

#include "systems/firmware/keccak/sha3.h"

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_384_RATE 104
#define SHA3_512_RATE 72

typedef keccak_sponge mlk_shake128ctx;

static inline void mlk_shake128_init(mlk_shake128ctx *state) {
    keccak_init(state, SHAKE128_RATE, 0x1f);
}

static inline void mlk_shake128_absorb_once(mlk_shake128ctx *state, const uint8_t *input,
                                            size_t inlen) {
    keccak_init(state, SHAKE128_RATE, 0x1f);
    keccak_absorb(state, input, inlen);
}

static inline void mlk_shake128_squeezeblocks(uint8_t *output, size_t nblocks,
                                              mlk_shake128ctx *state) {
    keccak_squeeze(state, output, nblocks * SHAKE128_RATE);
}

static inline void mlk_shake128_release(mlk_shake128ctx *state) {
    (void)state;
}

static inline void mlk_shake256(uint8_t *output, size_t outlen, const uint8_t *input,
                                size_t inlen) {
    shake256(output, outlen, input, inlen);
}

static inline void mlk_sha3_256(uint8_t *output, const uint8_t *input, size_t inlen) {
    sha3_256(output, input, inlen);
}

static inline void mlk_sha3_512(uint8_t *output, const uint8_t *input, size_t inlen) {
    sha3_512(output, input, inlen);
}

#endif
