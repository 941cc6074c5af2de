// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Polynomials of ML-KEM and ML-DSA out of a seed, by a peripheral with a sampler (OPTIONS.sampler;
// docs/integrate/driver.md). C99, freestanding.

#ifndef HF_KECCAK_POLYNOMIAL_H
#define HF_KECCAK_POLYNOMIAL_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HF_KECCAK_COEFFICIENTS 256u  // of a polynomial

// CONFIG.sampling: algorithms of FIPS 203 (7, 8) and FIPS 204 (30, 31), each with its function.
typedef enum {
    HF_SAMPLE_NTT = 1,  // ML-KEM, 0 to 3,328, out of SHAKE128
    HF_SAMPLE_CBD_2,    // ML-KEM, -2 to 2, out of SHAKE256
    HF_SAMPLE_CBD_3,    // ML-KEM, -3 to 3, out of SHAKE256
    HF_REJ_NTT_POLY,    // ML-DSA, 0 to 8,380,416, out of SHAKE128
    HF_REJ_BOUNDED_2,   // ML-DSA, -2 to 2, out of SHAKE256
    HF_REJ_BOUNDED_4    // ML-DSA, -4 to 4, out of SHAKE256
} hf_keccak_sampling;

// A polynomial of ML-KEM, or of ML-DSA, out of `seed` (which is the whole message: with its indices
// or its nonce). HF_KECCAK_FUNCTION: the peripheral has no sampler, or the sampling is of the other
// one. A hash that is in the hardware is put aside.
hf_keccak_error hf_mlkem_polynomial(hf_keccak_device *device, hf_keccak_sampling sampling,
                                    const uint8_t *seed, size_t bytes,
                                    int16_t coefficients[HF_KECCAK_COEFFICIENTS]);
hf_keccak_error hf_mldsa_polynomial(hf_keccak_device *device, hf_keccak_sampling sampling,
                                    const uint8_t *seed, size_t bytes,
                                    int32_t coefficients[HF_KECCAK_COEFFICIENTS]);

#ifdef __cplusplus
}
#endif

#endif
