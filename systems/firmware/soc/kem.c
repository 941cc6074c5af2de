// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program that has ML-KEM-768's functions computed for whoever is at the serial line, each WHO being
// `driver` (hashes by the peripheral) or `software` (by the processor only):
//
//   keys WHO COINS  a pair of keys: clock cycles, SHA3-256 of the public key, of the secret key
//   enc WHO COINS   encapsulation for that public key: clock cycles, SHA3-256 of the ciphertext, secret
//   dec WHO         decapsulation of that ciphertext: clock cycles, secret
//   flip            turns the ciphertext's first bit round
//
// COINS are hexadecimal: 64 bytes, 32 bytes.

#include "systems/firmware/soc/board.h"
#include "systems/firmware/soc/console.h"
#include "systems/firmware/soc/software.h"
#include "driver/hf_native.h"

#define KEYS(who) \
    int kem_##who##_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *coins); \
    int kem_##who##_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins); \
    int kem_##who##_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
KEYS(driver)
KEYS(software)

static const struct {
    const char *name;
    int (*keys)(uint8_t *pk, uint8_t *sk, const uint8_t *coins);
    int (*enc)(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins);
    int (*dec)(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
} libraries[] = {
    {"driver", kem_driver_keypair_derand, kem_driver_enc_derand, kem_driver_dec},
    {"software", kem_software_keypair_derand, kem_software_enc_derand, kem_software_dec},
};

static hf_keccak_device device;
static uint8_t pk[1184] __attribute__((aligned(4))), sk[2400] __attribute__((aligned(4)));
static uint8_t ct[1088] __attribute__((aligned(4))), ss[32] __attribute__((aligned(4)));
static uint8_t coins[64] __attribute__((aligned(4)));

// Called by crt0.S; no interrupt is enabled.
void trap(uint32_t cause, uint32_t address);
void trap(uint32_t cause, uint32_t address) {
    trapped(cause, address);
}

static void digest(const uint8_t *bytes, uint32_t count) {
    uint8_t found[32];
    software_sha3_256(found, bytes, count);
    text(" ");
    hexadecimal(found, sizeof found);
}

static uint32_t obey(const char *line) {
    const char *who, *rest = 0;
    enum { KEYS, ENC, DEC } what = KEYS;
    if (text_after(line, "flip") != 0) {
        ct[0] ^= 1;
        return 0;
    }
    if ((who = text_after(line, "keys")) == 0) {
        what = ENC;
        if ((who = text_after(line, "enc")) == 0) {
            what = DEC;
            if ((who = text_after(line, "dec")) == 0) return NO_COMMAND;
        }
    }
    uint32_t i = 0;
    while (i < 2 && (rest = text_after(who, libraries[i].name)) == 0) i++;
    if (i == 2) return NO_COMMAND;
    const uint32_t wanted = what == KEYS ? 64 : what == ENC ? 32 : 0;
    if (bytes_of(rest, coins, sizeof coins) != wanted) return NO_LENGTH;
    const uint32_t nothing = clocks_of_nothing();
    int result = 0;
    clocks_begin();
    if (what == KEYS) result = libraries[i].keys(pk, sk, coins);
    if (what == ENC) result = libraries[i].enc(ct, ss, pk, coins);
    if (what == DEC) result = libraries[i].dec(ss, ct, sk);
    const uint32_t clocks = clocks_since() - nothing;
    if (result != 0) return NO_COMMAND + 2;
    const uint32_t error = hf_native_take_error();
    if (error != 0) return error;
    decimal(clocks);
    if (what == KEYS) digest(pk, sizeof pk);
    if (what == KEYS) digest(sk, sizeof sk);
    if (what == ENC) digest(ct, sizeof ct);
    if (what != KEYS) {
        text(" ");
        hexadecimal(ss, sizeof ss);
    }
    text("\n");
    return 0;
}

int main(void) {
    if (hf_keccak_open(&device, KECCAK_BASE) != HF_KECCAK_OK) text("no peripheral\n");
    hf_native_use(&device);
    for (;;) {
        char line[160];
        read_line(line, sizeof line);
        answer(obey(line));
    }
}
