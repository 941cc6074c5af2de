// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The hash in software, in a file of its own: its headers and the driver's have names in common.

#include "systems/firmware/soc/software.h"

#include "systems/firmware/keccak/sha3.h"

void software_sha3_256(uint8_t digest[32], const uint8_t *message, uint32_t bytes) {
    sha3_256(digest, message, bytes);
}
