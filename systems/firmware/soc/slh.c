// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program that makes keys of SLH-DSA-SHAKE-128f, signs and verifies for whoever is at the serial line,
// by the unit for trees and chains and the Keccak peripheral:
//
//   keys SEEDS               a pair of keys: clock cycles, the public key
//   sign MESSAGE             the deterministic signature, of an empty context: clock cycles, its SHA3-256
//   hedge RANDOM MESSAGE     the same with these random bytes
//   verify MESSAGE           of the last signature: clock cycles, 1 if it is good
//   flip BYTE                turns a bit of the signature round
//
// SEEDS are 48 bytes, RANDOM 16, MESSAGE up to 64, all hexadecimal; BYTE is decimal.

#include "systems/firmware/soc/board.h"
#include "systems/firmware/soc/console.h"
#include "systems/firmware/soc/software.h"
#include "driver/hf_slh_dsa.h"

#define N 16u
#define SIGNATURE 17088u

static hf_keccak_device keccak;
static hf_chain_device chain;
static hf_slh_device slh;
static uint8_t secret_key[4u * N] __attribute__((aligned(4)));
static uint8_t public_key[2u * N] __attribute__((aligned(4)));
static uint8_t signature[SIGNATURE] __attribute__((aligned(4)));
static uint8_t bytes[3u * N + 64u] __attribute__((aligned(4)));

// Called by crt0.S; no interrupt is enabled.
void trap(uint32_t cause, uint32_t address);
void trap(uint32_t cause, uint32_t address) {
    trapped(cause, address);
}

enum { KEYS, SIGN, HEDGE, VERIFY, COMMANDS };

static const struct {
    const char *name;
    uint32_t least;  // bytes after it
} commands[COMMANDS] = {{"keys", 3u * N}, {"sign", 0u}, {"hedge", N}, {"verify", 0u}};

static uint32_t obey(const char *line) {
    const char *rest = text_after(line, "flip");
    uint32_t what = 0;
    if (rest != 0) {
        signature[number(rest, SIGNATURE) % SIGNATURE] ^= 1u;
        return 0;
    }
    while (what < COMMANDS && (rest = text_after(line, commands[what].name)) == 0) what++;
    if (what == COMMANDS) return NO_COMMAND;
    const uint32_t count = bytes_of(rest, bytes, sizeof bytes), least = commands[what].least;
    if (count < least || count > least + (what == KEYS ? 0u : 64u)) return NO_LENGTH;
    const uint8_t *const message = &bytes[least], *const random = what == HEDGE ? bytes : 0;
    const uint32_t nothing = clocks_of_nothing();
    hf_keccak_error error;
    clocks_begin();
    if (what == KEYS) {
        error = hf_slh_keys(&slh, bytes, secret_key, public_key);
    } else if (what == VERIFY) {
        error = hf_slh_verify(&slh, message, count, 0, 0, signature, sizeof signature, public_key);
    } else {
        error = hf_slh_sign(&slh, message, count - least, 0, 0, secret_key, random, signature);
    }
    const uint32_t clocks = clocks_since() - nothing;
    const uint32_t good = error == HF_KECCAK_OK;
    if (!good && (what != VERIFY || error != HF_KECCAK_BAD_SIGNATURE)) return error;
    decimal(clocks);
    text(" ");
    if (what == KEYS) {
        hexadecimal(public_key, sizeof public_key);
    } else if (what == VERIFY) {
        decimal(good);
    } else {
        uint8_t digest[32];
        software_sha3_256(digest, signature, sizeof signature);
        hexadecimal(digest, sizeof digest);
    }
    text("\n");
    return 0;
}

int main(void) {
    if (hf_keccak_open(&keccak, KECCAK_BASE) != HF_KECCAK_OK ||
        hf_chain_open(&chain, CHAIN_BASE) != HF_KECCAK_OK ||
        hf_slh_open(&slh, &hf_slh_shake_128f, &chain, &keccak) != HF_KECCAK_OK) {
        text("no peripheral\n");
    }
    for (;;) {
        char line[300];
        read_line(line, sizeof line);
        answer(obey(line));
    }
}
