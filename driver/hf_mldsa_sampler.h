// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The arithmetic back end of mldsa-native that has its matrix by the peripheral's sampler
// (docs/integrate/driver.md). In its configuration, beside hf_mldsa_fips202.h:
//
//   #define MLD_CONFIG_USE_NATIVE_BACKEND_ARITH
//   #define MLD_CONFIG_ARITH_BACKEND_FILE "hf_mldsa_sampler.h"

#ifndef HF_MLDSA_SAMPLER_H
#define HF_MLDSA_SAMPLER_H

#include "hf_native_sampler.h"

// As in the interface of mldsa-native's back ends, whose header lies in different places in its versions.
#define MLD_NATIVE_FUNC_FALLBACK (-1)

#define MLD_USE_NATIVE_REJ_UNIFORM

// All `len` coefficients (256), so mldsa-native squeezes nothing more.
static inline int mld_rej_uniform_native(int32_t *r, unsigned len, const uint8_t *buf,
                                         unsigned buflen) {
    (void)buflen;
    hf_native_sample_mldsa(buf, r);
    return (int)len;
}

#endif
