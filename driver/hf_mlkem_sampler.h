// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The arithmetic back end of mlkem-native that has its matrix by the peripheral's sampler
// (docs/integrate/driver.md). In its configuration, beside hf_mlkem_fips202.h:
//
//   #define MLK_CONFIG_USE_NATIVE_BACKEND_ARITH
//   #define MLK_CONFIG_ARITH_BACKEND_FILE "hf_mlkem_sampler.h"

#ifndef HF_MLKEM_SAMPLER_H
#define HF_MLKEM_SAMPLER_H

#include "hf_native_sampler.h"

// As in the interface of mlkem-native's back ends, whose header lies in different places in its versions.
#define MLK_NATIVE_FUNC_FALLBACK (-1)

#define MLK_USE_NATIVE_REJ_UNIFORM

// All `len` coefficients (256), so mlkem-native squeezes nothing more.
static inline int mlk_rej_uniform_native(int16_t *r, unsigned len, const uint8_t *buf,
                                         unsigned buflen) {
    (void)buflen;
    hf_native_sample_mlkem(buf, r);
    return (int)len;
}

#endif
