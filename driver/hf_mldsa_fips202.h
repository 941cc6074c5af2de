// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The FIPS 202 back end of mldsa-native on the peripheral (docs/integrate/driver.md). In its configuration:
//
//   #define MLD_CONFIG_SERIAL_FIPS202_ONLY
//   #define MLD_CONFIG_FIPS202_CUSTOM_HEADER "hf_mldsa_fips202.h"
//
// With a sampler in the peripheral, hf_mldsa_sampler.h too.

#ifndef HF_MLDSA_FIPS202_H
#define HF_MLDSA_FIPS202_H

#include "hf_native.h"

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_512_RATE 72

typedef hf_keccak_context mld_shake256ctx;

#ifdef HF_MLDSA_SAMPLER_H

typedef hf_native_seed mld_shake128ctx;

static inline void mld_shake128_init(mld_shake128ctx *state) {
    hf_native_seed_init(state);
}

static inline void mld_shake128_absorb(mld_shake128ctx *state, const uint8_t *input, size_t inlen) {
    hf_native_seed_absorb(state, input, inlen);
}

static inline void mld_shake128_finalize(mld_shake128ctx *state) {
    (void)state;
}

static inline void mld_shake128_squeeze(uint8_t *output, size_t outlen, mld_shake128ctx *state) {
    (void)outlen;
    hf_native_seed_squeeze(state, output);
}

static inline void mld_shake128_release(mld_shake128ctx *state) {
    (void)state;
}

#else

typedef hf_keccak_context mld_shake128ctx;

static inline void mld_shake128_init(mld_shake128ctx *state) {
    hf_native_init(state, HF_SHAKE128);
}

static inline void mld_shake128_absorb(mld_shake128ctx *state, const uint8_t *input, size_t inlen) {
    hf_native_absorb(state, input, inlen);
}

static inline void mld_shake128_finalize(mld_shake128ctx *state) {
    hf_native_end(state);
}

static inline void mld_shake128_squeeze(uint8_t *output, size_t outlen, mld_shake128ctx *state) {
    hf_native_squeeze(state, output, outlen);
}

static inline void mld_shake128_release(mld_shake128ctx *state) {
    hf_native_release(state);
}

#endif

static inline void mld_shake256_init(mld_shake256ctx *state) {
    hf_native_init(state, HF_SHAKE256);
}

static inline void mld_shake256_absorb(mld_shake256ctx *state, const uint8_t *input, size_t inlen) {
    hf_native_absorb(state, input, inlen);
}

static inline void mld_shake256_finalize(mld_shake256ctx *state) {
    hf_native_end(state);
}

static inline void mld_shake256_squeeze(uint8_t *output, size_t outlen, mld_shake256ctx *state) {
    hf_native_squeeze(state, output, outlen);
}

static inline void mld_shake256_release(mld_shake256ctx *state) {
    hf_native_release(state);
}

static inline void mld_shake256(uint8_t *output, size_t outlen, const uint8_t *input,
                                size_t inlen) {
    hf_native_hash(HF_SHAKE256, output, outlen, input, inlen);
}

static inline void mld_sha3_256(uint8_t *output, const uint8_t *input, size_t inlen) {
    hf_native_hash(HF_SHA3_256, output, 32u, input, inlen);
}

static inline void mld_sha3_512(uint8_t *output, const uint8_t *input, size_t inlen) {
    hf_native_hash(HF_SHA3_512, output, 64u, input, inlen);
}

#endif
