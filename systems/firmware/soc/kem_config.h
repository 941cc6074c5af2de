// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// mlkem-native as kem_driver.c and kem_software.c have it: ML-KEM-768, its hashes by the peripheral or
// by the processor, without a C library.

#define MLK_CONFIG_PARAMETER_SET 768
#define MLK_CONFIG_NO_RANDOMIZED_API
#define MLK_CONFIG_SERIAL_FIPS202_ONLY
#ifdef KEM_SOFTWARE
#define MLK_CONFIG_NAMESPACE_PREFIX kem_software
#define MLK_CONFIG_FIPS202_CUSTOM_HEADER "systems/firmware/soc/kem_fips202.h"
#else
#define MLK_CONFIG_NAMESPACE_PREFIX kem_driver
#define MLK_CONFIG_FIPS202_CUSTOM_HEADER "driver/hf_mlkem_fips202.h"
#define MLK_CONFIG_USE_NATIVE_BACKEND_ARITH
#define MLK_CONFIG_ARITH_BACKEND_FILE "driver/hf_mlkem_sampler.h"
#endif
