// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver on a big-endian processor, its registers at the other end of the console: digests that
// test_driver_sparc.py compares, each as D, its length in one byte, and its bytes.

#include "driver_console_io.h"
#include "hf_keccak_mac.h"

uint32_t driver_words(uint8_t bytes[4]);

static uint8_t message[300], output[200];
static hf_keccak_device device;
static hf_keccak_context first, second;

// What a freestanding compiler may call.
void *memcpy(void *to, const void *from, size_t count);
void *memcpy(void *to, const void *from, size_t count) {
    volatile uint8_t *out = to;
    const volatile uint8_t *in = from;
    while (count-- != 0u) *out++ = *in++;
    return to;
}
void *memset(void *to, int byte, size_t count);
void *memset(void *to, int byte, size_t count) {
    volatile uint8_t *out = to;
    while (count-- != 0u) *out++ = (uint8_t)byte;
    return to;
}

static void tell(const uint8_t *bytes, uint8_t count) {
    uint8_t i;
    console_put('D');
    console_put(count);
    for (i = 0u; i < count; i++) console_put(bytes[i]);
}

// Ends the program where something goes wrong: the error in place of what follows.
static void check(hf_keccak_error error) {
    if (error == HF_KECCAK_OK) return;
    console_put('E');
    console_put((uint8_t)error);
    for (;;) {
    }
}

int main(void) {
    uint32_t i, word;
    CONSOLE(8u) = 3u;
    for (i = 0u; i < sizeof message; i++) message[i] = (uint8_t)(7u * i + 1u);

    word = driver_words(output);
    output[4] = (uint8_t)(word >> 24);
    output[5] = (uint8_t)(word >> 16);
    output[6] = (uint8_t)(word >> 8);
    output[7] = (uint8_t)word;
    tell(output, 8u);

    check(hf_keccak_open(&device, 0u));
    // Lengths and addresses that are no whole words.
    for (i = 0u; i < 4u; i++) {
        check(hf_keccak_hash(&device, HF_SHA3_256, &message[i], 139u + i, &output[3u - i], 32u));
        tell(&output[3u - i], 32u);
    }
    check(hf_keccak_hash_bits(&device, HF_SHAKE128, message, 13u, output, 77u));
    tell(output, 10u);

    // Two that take turns, in odd pieces.
    check(hf_keccak_init(&first, &device, HF_SHA3_512));
    check(hf_keccak_init(&second, &device, HF_SHAKE256));
    for (i = 0u; i < 5u; i++) {
        check(hf_keccak_update(&first, &message[i], 30u + i));
        check(hf_keccak_update(&second, &message[2u * i], 7u + i));
    }
    check(hf_keccak_squeeze(&second, output, 5u));
    check(hf_keccak_final(&first, &output[100], 64u));
    check(hf_keccak_squeeze(&second, &output[5], 83u));
    check(hf_keccak_stop(&second));
    tell(&output[100], 64u);
    tell(output, 88u);

    check(hf_hmac(&device, HF_SHA3_256, message, 140u, &message[1], 50u, output, 32u));
    tell(output, 32u);
    check(hf_kmac(&device, HF_CSHAKE128, message, 40u, &message[2], 9u, &message[3], 80u, output,
                  45u));
    tell(output, 45u);
    console_put('.');
    return 0;
}
