/* Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0 */
/* mlkem_config.h with the matrix by the peripheral's sampler. */

#include "mlkem_config.h"
#define MLK_CONFIG_USE_NATIVE_BACKEND_ARITH
#define MLK_CONFIG_ARITH_BACKEND_FILE "hf_mlkem_sampler.h"
