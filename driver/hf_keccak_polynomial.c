// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Polynomials by the peripheral's sampler (hf_keccak_polynomial.h, docs/integrate/driver.md).

#include "hf_keccak_polynomial.h"
#include "hf_keccak_access.h"

static hf_keccak_error failed(hf_keccak_device *device, hf_keccak_error error) {
    const uint32_t causes = get(device, REGISTER(ERROR));
    (void)hf_keccak_reset(device);
    put(device, REGISTER(CONFIG), (uint32_t)HF_SHA3_256);
    device->causes = causes;
    return error;
}

// The seed is absorbed, and the message ends.
static hf_keccak_error begin(hf_keccak_device *device, hf_keccak_sampling sampling,
                             const uint8_t *seed, size_t bytes) {
    const int uniform = sampling == HF_SAMPLE_NTT || sampling == HF_REJ_NTT_POLY;
    const uint32_t code = (uint32_t)(uniform ? HF_SHAKE128 : HF_SHAKE256);
    size_t at = 0u;
    if (device == NULL || seed == NULL) return HF_KECCAK_ARGUMENT;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    if (FIELD(get(device, REGISTER(VERSION)), HF_KECCAK_REGS__VERSION__MINOR) < OF_OPTIONS ||
        FIELD(get(device, REGISTER(OPTIONS)), HF_KECCAK_REGS__OPTIONS__SAMPLER) == 0u) {
        return HF_KECCAK_FUNCTION;
    }
    if (device->owner != NULL) {
        const hf_keccak_error error = hf_keccak_save(device->owner);
        if (error != HF_KECCAK_OK) return error;
    }
    put(device, REGISTER(CONFIG),
        code | ((uint32_t)sampling << HF_KECCAK_REGS__CONFIG__SAMPLING_bp));
    put(device, REGISTER(COMMAND), COMMAND(START));
    for (; bytes - at >= 4u; at += 4u) {
        put(device, REGISTER(MESSAGE), load(&seed[at]));
    }
    for (; at < bytes; at++) hf_keccak_write8(device->base, REGISTER(MESSAGE), seed[at]);
    put(device, REGISTER(COMMAND), COMMAND(LAST));
    return HF_KECCAK_OK;
}

// The next word, which is there first if the bus is not to wait.
static hf_keccak_error word(hf_keccak_device *device, uint32_t *found) {
    uint32_t polls, status;
    for (polls = 0u; device->waits != HF_KECCAK_BUS_WAITS; polls++) {
        status = get(device, REGISTER(STATUS));
        if (polls == device->polls || (status & NOT_STATUS) != 0u ||
            FIELD(status, HF_KECCAK_REGS__STATUS__ERROR) != 0u) {
            return failed(device, polls == device->polls ? HF_KECCAK_TIMEOUT : HF_KECCAK_LOST);
        }
        if (FIELD(status, HF_KECCAK_REGS__STATUS__DIGEST_WORDS) != 0u) break;
    }
    *found = get(device, REGISTER(DIGEST));
    return HF_KECCAK_OK;
}

// All words have been read, and the output is complete. CONFIG.sampling would stay for a hash by RUN.
static hf_keccak_error end(hf_keccak_device *device) {
    uint32_t polls;
    for (polls = 0u; polls < device->polls; polls++) {
        const uint32_t status = get(device, REGISTER(STATUS));
        if ((status & NOT_STATUS) != 0u || FIELD(status, HF_KECCAK_REGS__STATUS__ERROR) != 0u) {
            return failed(device, HF_KECCAK_LOST);
        }
        if (FIELD(status, HF_KECCAK_REGS__STATUS__DONE) != 0u) {
            put(device, REGISTER(CONFIG), (uint32_t)HF_SHA3_256);
            return HF_KECCAK_OK;
        }
    }
    return failed(device, HF_KECCAK_TIMEOUT);
}

hf_keccak_error hf_mlkem_polynomial(hf_keccak_device *device, hf_keccak_sampling sampling,
                                    const uint8_t *seed, size_t bytes,
                                    int16_t coefficients[HF_KECCAK_COEFFICIENTS]) {
    hf_keccak_error error;
    uint32_t i, found;
    if (coefficients == NULL) return HF_KECCAK_ARGUMENT;
    if (sampling < HF_SAMPLE_NTT || sampling > HF_SAMPLE_CBD_3) return HF_KECCAK_FUNCTION;
    error = begin(device, sampling, seed, bytes);
    for (i = 0u; error == HF_KECCAK_OK && i < HF_KECCAK_COEFFICIENTS; i += 2u) {
        error = word(device, &found);
        if (error != HF_KECCAK_OK) return error;
        coefficients[i] = (int16_t)(uint16_t)(found & 0xffffu);
        coefficients[i + 1u] = (int16_t)(uint16_t)(found >> 16);
    }
    return (error == HF_KECCAK_OK) ? end(device) : error;
}

hf_keccak_error hf_mldsa_polynomial(hf_keccak_device *device, hf_keccak_sampling sampling,
                                    const uint8_t *seed, size_t bytes,
                                    int32_t coefficients[HF_KECCAK_COEFFICIENTS]) {
    hf_keccak_error error;
    uint32_t i, found;
    if (coefficients == NULL) return HF_KECCAK_ARGUMENT;
    if (sampling < HF_REJ_NTT_POLY || sampling > HF_REJ_BOUNDED_4) return HF_KECCAK_FUNCTION;
    error = begin(device, sampling, seed, bytes);
    for (i = 0u; error == HF_KECCAK_OK && i < HF_KECCAK_COEFFICIENTS; i++) {
        error = word(device, &found);
        if (error != HF_KECCAK_OK) return error;
        coefficients[i] = (int32_t)found;
    }
    return (error == HF_KECCAK_OK) ? end(device) : error;
}
