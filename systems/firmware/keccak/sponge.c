// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The sponge: whole lanes go to the permutation at once where the bytes lie on words, byte by byte
// into the lane in hand where they do not.

#include "systems/firmware/keccak/keccak.h"

static int on_words(const uint8_t *bytes) {
    return (uintptr_t)bytes % 4 == 0;
}

void keccak_init(keccak_sponge *sponge, uint32_t rate, uint8_t suffix) {
    keccak_clear(&sponge->state);
    sponge->rate = rate;
    sponge->place = 0;
    sponge->suffix = suffix;
    sponge->squeezing = 0;
}

void keccak_absorb(keccak_sponge *sponge, const uint8_t *message, uint32_t bytes) {
    uint32_t place = sponge->place;
    const uint32_t rate = sponge->rate;
    while (bytes != 0) {
        if (place % 8 == 0 && bytes >= 8 && on_words(message)) {
            const uint32_t room = rate - place;
            const uint32_t taken = (room < bytes ? room : bytes) & ~7u;
            keccak_add_lanes(&sponge->state, place / 8, (const keccak_word *)message, taken / 8);
            message += taken;
            bytes -= taken;
            place += taken;
        } else {
            sponge->lane.bytes[place++ % 8] = *message++;
            bytes--;
            if (place % 8 == 0) {
                keccak_add_lanes(&sponge->state, place / 8 - 1, sponge->lane.words, 1);
            }
        }
        if (place == rate) {
            keccak_f1600(&sponge->state);
            place = 0;
        }
    }
    sponge->place = place;
}

static void pad(keccak_sponge *sponge) {
    const uint32_t last = sponge->rate / 8 - 1;
    uint32_t lane = sponge->place / 8, at = sponge->place % 8;
    sponge->lane.bytes[at] = sponge->suffix;
    while (++at < 8) sponge->lane.bytes[at] = 0;
    if (lane != last) {
        keccak_add_lanes(&sponge->state, lane, sponge->lane.words, 1);
        keccak_skip_lanes(&sponge->state, lane + 1, last - lane - 1);
        sponge->lane.words[0] = sponge->lane.words[1] = 0;
    }
    sponge->lane.bytes[7] ^= 0x80;
    keccak_add_lanes(&sponge->state, last, sponge->lane.words, 1);
}

void keccak_squeeze(keccak_sponge *sponge, uint8_t *output, uint32_t bytes) {
    if (!sponge->squeezing) {
        pad(sponge);
        sponge->place = sponge->rate;
        sponge->squeezing = 1;
    }
    uint32_t place = sponge->place;
    const uint32_t rate = sponge->rate;
    while (bytes != 0) {
        if (place == rate) {
            keccak_f1600(&sponge->state);
            place = 0;
        }
        if (place % 8 == 0 && bytes >= 8 && on_words(output)) {
            const uint32_t left = rate - place;
            const uint32_t given = (left < bytes ? left : bytes) & ~7u;
            keccak_get_lanes(&sponge->state, place / 8, (keccak_word *)output, given / 8);
            output += given;
            bytes -= given;
            place += given;
        } else {
            if (place % 8 == 0) {
                keccak_get_lanes(&sponge->state, place / 8, sponge->lane.words, 1);
            }
            *output++ = sponge->lane.bytes[place++ % 8];
            bytes--;
        }
    }
    sponge->place = place;
}

void keccak_hash(uint32_t rate, uint8_t suffix, const uint8_t *message, uint32_t message_bytes,
                 uint8_t *output, uint32_t output_bytes) {
    keccak_sponge sponge;
    keccak_init(&sponge, rate, suffix);
    keccak_absorb(&sponge, message, message_bytes);
    keccak_squeeze(&sponge, output, output_bytes);
}
