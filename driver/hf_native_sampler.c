// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The peripheral's sampler under mlkem-native and mldsa-native (hf_native_sampler.h,
// docs/integrate/driver.md).

#include "hf_native_sampler.h"
#include "hf_keccak_polynomial.h"

void hf_native_seed_init(hf_native_seed *seed) {
    seed->count = 0u;
}

void hf_native_seed_absorb(hf_native_seed *seed, const uint8_t *input, size_t bytes) {
    size_t i;
    if (bytes > HF_NATIVE_SEED - seed->count) {
        hf_native_keep(HF_KECCAK_ARGUMENT);
        return;
    }
    for (i = 0u; i < bytes; i++) seed->bytes[seed->count + i] = input[i];
    seed->count += bytes;
}

void hf_native_seed_squeeze(const hf_native_seed *seed, uint8_t *output) {
    size_t i;
    if (seed->count != HF_NATIVE_SEED) hf_native_keep(HF_KECCAK_ARGUMENT);
    for (i = 0u; i < HF_NATIVE_SEED; i++) output[i] = (i < seed->count) ? seed->bytes[i] : 0u;
}

void hf_native_sample_mlkem(const uint8_t *squeezed, int16_t *coefficients) {
    size_t i;
    const hf_keccak_error error = hf_mlkem_polynomial(hf_native_device(), HF_SAMPLE_NTT, squeezed,
                                                      HF_NATIVE_SEED, coefficients);
    hf_native_keep(error);
    if (error == HF_KECCAK_OK) return;
    for (i = 0u; i < HF_KECCAK_COEFFICIENTS; i++) coefficients[i] = 0;
}

void hf_native_sample_mldsa(const uint8_t *squeezed, int32_t *coefficients) {
    size_t i;
    const hf_keccak_error error = hf_mldsa_polynomial(hf_native_device(), HF_REJ_NTT_POLY, squeezed,
                                                      HF_NATIVE_SEED, coefficients);
    hf_native_keep(error);
    if (error == HF_KECCAK_OK) return;
    for (i = 0u; i < HF_KECCAK_COEFFICIENTS; i++) coefficients[i] = 0;
}
