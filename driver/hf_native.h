// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The peripheral under mlkem-native and mldsa-native (docs/integrate/driver.md): what their shims,
// hf_mlkem_fips202.h and hf_mldsa_fips202.h, call.
//
// The hash functions of those libraries return nothing, so an error is kept until
// hf_native_take_error() returns it. After an error every output is zeros: call
// hf_native_take_error() after each call of the library, and discard its results if it returns an
// error.

#ifndef HF_NATIVE_H
#define HF_NATIVE_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

// The peripheral that they use from now on. Call it before the first call of the library.
void hf_native_use(hf_keccak_device *device);

// That peripheral, and an error of it for hf_native_take_error(): for back ends.
hf_keccak_device *hf_native_device(void);
void hf_native_keep(hf_keccak_error error);

// Returns the first error since the last call, and clears it.
hf_keccak_error hf_native_take_error(void);

void hf_native_hash(hf_keccak_function function, uint8_t *output, size_t output_bytes,
                    const uint8_t *message, size_t bytes);
void hf_native_init(hf_keccak_context *context, hf_keccak_function function);
void hf_native_absorb(hf_keccak_context *context, const uint8_t *message, size_t bytes);
void hf_native_message(hf_keccak_context *context, hf_keccak_function function,
                       const uint8_t *message, size_t bytes);
void hf_native_end(hf_keccak_context *context);
void hf_native_squeeze(hf_keccak_context *context, uint8_t *output, size_t bytes);
void hf_native_release(hf_keccak_context *context);

#ifdef __cplusplus
}
#endif

#endif
