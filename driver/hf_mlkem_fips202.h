// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The FIPS 202 back end of mlkem-native on the peripheral (docs/integrate/driver.md). In its configuration:
//
//   #define MLK_CONFIG_SERIAL_FIPS202_ONLY
//   #define MLK_CONFIG_FIPS202_CUSTOM_HEADER "hf_mlkem_fips202.h"
//
// With a sampler in the peripheral, hf_mlkem_sampler.h too.

#ifndef HF_MLKEM_FIPS202_H
#define HF_MLKEM_FIPS202_H

#include "hf_native.h"

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_384_RATE 104
#define SHA3_512_RATE 72

#ifdef HF_MLKEM_SAMPLER_H

typedef hf_native_seed mlk_shake128ctx;

static inline void mlk_shake128_init(mlk_shake128ctx *state) {
    hf_native_seed_init(state);
}

static inline void mlk_shake128_absorb_once(mlk_shake128ctx *state, const uint8_t *input,
                                            size_t inlen) {
    hf_native_seed_init(state);
    hf_native_seed_absorb(state, input, inlen);
}

static inline void mlk_shake128_squeezeblocks(uint8_t *output, size_t nblocks,
                                              mlk_shake128ctx *state) {
    (void)nblocks;
    hf_native_seed_squeeze(state, output);
}

static inline void mlk_shake128_release(mlk_shake128ctx *state) {
    (void)state;
}

#else

typedef hf_keccak_context mlk_shake128ctx;

static inline void mlk_shake128_init(mlk_shake128ctx *state) {
    hf_native_init(state, HF_SHAKE128);
}

static inline void mlk_shake128_absorb_once(mlk_shake128ctx *state, const uint8_t *input,
                                            size_t inlen) {
    hf_native_message(state, HF_SHAKE128, input, inlen);
}

static inline void mlk_shake128_squeezeblocks(uint8_t *output, size_t nblocks,
                                              mlk_shake128ctx *state) {
    hf_native_squeeze(state, output, nblocks * (size_t)SHAKE128_RATE);
}

static inline void mlk_shake128_release(mlk_shake128ctx *state) {
    hf_native_release(state);
}

#endif

static inline void mlk_shake256(uint8_t *output, size_t outlen, const uint8_t *input,
                                size_t inlen) {
    hf_native_hash(HF_SHAKE256, output, outlen, input, inlen);
}

static inline void mlk_sha3_256(uint8_t *output, const uint8_t *input, size_t inlen) {
    hf_native_hash(HF_SHA3_256, output, 32u, input, inlen);
}

static inline void mlk_sha3_512(uint8_t *output, const uint8_t *input, size_t inlen) {
    hf_native_hash(HF_SHA3_512, output, 64u, input, inlen);
}

#endif
