// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The peripheral under mlkem-native and mldsa-native (hf_native.h, docs/integrate/driver.md).

#include "hf_native.h"

static hf_keccak_device *used = NULL;
static hf_keccak_error first_error = HF_KECCAK_OK;

void hf_native_keep(hf_keccak_error error) {
    if (first_error == HF_KECCAK_OK) first_error = error;
}

static void zero(uint8_t *output, size_t bytes) {
    size_t i;
    for (i = 0u; i < bytes; i++) output[i] = 0u;
}

void hf_native_use(hf_keccak_device *device) {
    used = device;
    first_error = HF_KECCAK_OK;
}

hf_keccak_device *hf_native_device(void) {
    return used;
}

hf_keccak_error hf_native_take_error(void) {
    const hf_keccak_error error = first_error;
    first_error = HF_KECCAK_OK;
    return error;
}

void hf_native_hash(hf_keccak_function function, uint8_t *output, size_t output_bytes,
                    const uint8_t *message, size_t bytes) {
    hf_native_keep(hf_keccak_hash(used, function, message, bytes, output, output_bytes));
    if (first_error != HF_KECCAK_OK) zero(output, output_bytes);
}

void hf_native_init(hf_keccak_context *context, hf_keccak_function function) {
    hf_native_keep(hf_keccak_init(context, used, function));
}

void hf_native_absorb(hf_keccak_context *context, const uint8_t *message, size_t bytes) {
    if (first_error == HF_KECCAK_OK) hf_native_keep(hf_keccak_update(context, message, bytes));
}

void hf_native_message(hf_keccak_context *context, hf_keccak_function function,
                       const uint8_t *message, size_t bytes) {
    hf_native_keep(hf_keccak_message(context, used, function, message, bytes, HF_KECCAK_OPEN));
}

void hf_native_end(hf_keccak_context *context) {
    if (first_error == HF_KECCAK_OK) hf_native_keep(hf_keccak_end(context, HF_KECCAK_OPEN));
}

void hf_native_squeeze(hf_keccak_context *context, uint8_t *output, size_t bytes) {
    if (first_error == HF_KECCAK_OK) hf_native_keep(hf_keccak_squeeze(context, output, bytes));
    if (first_error != HF_KECCAK_OK) zero(output, bytes);
}

// Always: the driver must not keep a context whose memory ends here.
void hf_native_release(hf_keccak_context *context) {
    if (used != NULL) hf_native_keep(hf_keccak_stop(context));
}
