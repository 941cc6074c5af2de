/* Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0 */
/* mldsa_config.h with the matrix by the peripheral's sampler. */

#include "mldsa_config.h"
#define MLD_CONFIG_USE_NATIVE_BACKEND_ARITH
#define MLD_CONFIG_ARITH_BACKEND_FILE "hf_mldsa_sampler.h"
