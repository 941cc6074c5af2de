/* Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0 */
/* mldsa-native as the tests build it (tests/driver/native.py): ML-DSA-65, its hashes by the peripheral. */

#define MLD_CONFIG_PARAMETER_SET 65
#define MLD_CONFIG_NAMESPACE_PREFIX mldsa
#define MLD_CONFIG_NO_RANDOMIZED_API
#define MLD_CONFIG_SERIAL_FIPS202_ONLY
#define MLD_CONFIG_FIPS202_CUSTOM_HEADER "hf_mldsa_fips202.h"
