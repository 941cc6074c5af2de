/* Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0 */
/* mlkem-native as the tests build it (tests/driver/native.py): ML-KEM-768, its hashes by the peripheral. */

#define MLK_CONFIG_PARAMETER_SET 768
#define MLK_CONFIG_NAMESPACE_PREFIX mlkem
#define MLK_CONFIG_NO_RANDOMIZED_API
#define MLK_CONFIG_SERIAL_FIPS202_ONLY
#define MLK_CONFIG_FIPS202_CUSTOM_HEADER "hf_mlkem_fips202.h"
