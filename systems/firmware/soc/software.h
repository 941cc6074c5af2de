// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0

#ifndef HF_SOFTWARE_H
#define HF_SOFTWARE_H

#include <stdint.h>

void software_sha3_256(uint8_t digest[32], const uint8_t *message, uint32_t bytes);

#endif
