// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0

#ifndef HF_KECCAK_H
#define HF_KECCAK_H

#include <stdint.h>

#define KECCAK_LANES 25

// Keccak-f[1600] (FIPS 202, section 3.3): lane (x, y) is at 5y + x.
void keccak_f1600(uint64_t state[KECCAK_LANES]);

// The sponge over whole bytes (FIPS 202, section 4): blocks of `rate` bytes, a multiple of four and
// below 200. `suffix` holds the bits that follow the message and the padding's first 1, first bit
// lowest: 0x06 for SHA-3, 0x1f for SHAKE, 0x01 for Keccak.
void keccak_hash(uint32_t rate, uint8_t suffix, const uint8_t *message, uint32_t message_bytes,
                 uint8_t *output, uint32_t output_bytes);

#endif
