// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SHA3-256 of "abc", as text on the console.

#include "systems/firmware/keccak/keccak.h"
#include "systems/firmware/sparc/console.h"

int main(void) {
    static const uint8_t message[] = "abc";
    static uint8_t digest[32];
    static keccak_sponge sponge;
    keccak_init(&sponge, 136, 0x06);
    keccak_absorb(&sponge, message, 3);
    keccak_squeeze(&sponge, digest, sizeof digest);
    hf_put_bytes(digest, sizeof digest);
    hf_put('\n');
    return 0;
}
