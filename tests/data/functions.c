// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Every function of sha3.h of one message, one digest after the other; then SHA3-256 of the same
// message in two parts while another sponge takes its turn in between.

#include "systems/firmware/keccak/sha3.h"
#include "systems/firmware/system.h"

HF_SHARED uint8_t hf_message[300];
HF_SHARED uint8_t hf_output[28 + 32 + 48 + 64 + 32 + 200 + 300 + 32 + 32];

static keccak_sponge one HF_KEPT, other HF_KEPT;

// Leaves off with the one sponge and goes on with the other.
static void take_turns(keccak_sponge *from, keccak_sponge *to) {
    keccak_suspend(&from->state, from->place / 8);
    keccak_resume(&to->state, to->place / 8);
}

int main(void) {
    uint8_t *output = hf_output;
    hf_mail(HF_BEGIN);
    sha3_224(output, hf_message, sizeof hf_message);
    sha3_256(output += 28, hf_message, sizeof hf_message);
    sha3_384(output += 32, hf_message, sizeof hf_message);
    sha3_512(output += 48, hf_message, sizeof hf_message);
    keccak_256(output += 64, hf_message, sizeof hf_message);
    shake128(output += 32, 200, hf_message, sizeof hf_message);
    shake256(output += 200, 300, hf_message, sizeof hf_message);
    output += 300;

    keccak_init(&one, 136, 0x06);
    keccak_absorb(&one, hf_message, 45);
    keccak_suspend(&one.state, one.place / 8);
    keccak_init(&other, 136, 0x06);
    keccak_absorb(&other, hf_message + 1, 200);
    take_turns(&other, &one);
    keccak_absorb(&one, hf_message + 45, 255);
    keccak_squeeze(&one, output, 3);
    take_turns(&one, &other);
    keccak_absorb(&other, hf_message + 201, 99);
    keccak_squeeze(&other, output + 32, 32);
    take_turns(&other, &one);
    keccak_squeeze(&one, output + 3, 29);
    hf_mail(HF_END);
    return 0;
}
