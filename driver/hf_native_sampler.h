// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The matrix of mlkem-native and mldsa-native by the peripheral's sampler (docs/integrate/driver.md): what
// hf_mlkem_sampler.h and hf_mldsa_sampler.h call.
//
// These libraries get bytes of SHAKE128 for a seed, only for the matrix, and take coefficients out of
// them. Here the seed is in the place of the bytes, and the coefficients come from the sampler. With
// a peripheral that has none, hf_native_take_error() returns HF_KECCAK_FUNCTION.

#ifndef HF_NATIVE_SAMPLER_H
#define HF_NATIVE_SAMPLER_H

#include "hf_native.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HF_NATIVE_SEED 34u  // bytes: the seed and two indices

typedef struct {
    uint8_t bytes[HF_NATIVE_SEED];
    size_t count;
} hf_native_seed;

void hf_native_seed_init(hf_native_seed *seed);
void hf_native_seed_absorb(hf_native_seed *seed, const uint8_t *input, size_t bytes);

// `output` has 34 bytes at least.
void hf_native_seed_squeeze(const hf_native_seed *seed, uint8_t *output);

// All 256 coefficients of a polynomial, in the order of the NTT, out of what was squeezed.
void hf_native_sample_mlkem(const uint8_t *squeezed, int16_t *coefficients);
void hf_native_sample_mldsa(const uint8_t *squeezed, int32_t *coefficients);

#ifdef __cplusplus
}
#endif

#endif
