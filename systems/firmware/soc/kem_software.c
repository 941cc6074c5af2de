// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// ML-KEM-768 of mlkem-native with its hashes by the processor only. The library is not in this tree
// (tests/driver/native.py).

#define KEM_SOFTWARE
#define MLK_CONFIG_FILE "systems/firmware/soc/kem_config.h"
#include "mlkem_native_bcm.c"
