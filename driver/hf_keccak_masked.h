// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the masked peripheral (docs/integrate/masked.md): hashes of messages in two Boolean
// shares, whose XOR is the message, and KMAC with a key in shares. C99, freestanding.
//
// The driver never has both shares of a word in one expression, and writes or reads something else
// between the last word of one share and the first of the other. What compiler and processor make
// of it is not protected by this: see the page.

#ifndef HF_KECCAK_MASKED_H
#define HF_KECCAK_MASKED_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HF_MASKED_SEED_BYTES 10u

// Reads of STATUS until a wait ends with HF_KECCAK_TIMEOUT.
#ifndef HF_MASKED_POLLS
#define HF_MASKED_POLLS 100000u
#endif

// A peripheral; hf_masked_open() fills it in. All of it is the driver's own.
typedef struct {
    uintptr_t base;  // the address of its registers, or whatever hf_keccak_read32() takes
    uint32_t fifo_words;
    uint32_t left;      // bytes of the digest that are still to be read; HF_KECCAK_OPEN: any number
    uint32_t rate;      // bytes of a block
    uint32_t position;  // bytes of the block that the peripheral has
    uint8_t phase;
    uint8_t function;
    uint8_t has_states;  // the peripheral can save and restore a state
    uint8_t begun;       // it has words of the message
    uint8_t is_mac;      // the hash is a KMAC
    uint8_t kept_bytes;  // of a word: of the message, or of the output
    uint8_t kept_0[4];   // its shares, in words of their own
    uint8_t apart[4];
    uint8_t kept_1[4];
} hf_masked_device;

// Bytes of a share of a saved hash: the state, and up to three of the message after it.
#define HF_MASKED_STATE_BYTES 204u

// A hash that was saved. All of it is the driver's own. It is as secret as the message: what is not
// used any more is to be overwritten.
typedef struct {
    uint32_t position;
    uint8_t function;
    uint8_t begun;
    uint8_t is_mac;
    uint8_t kept_bytes;
    uint8_t share_0[HF_MASKED_STATE_BYTES];
    uint8_t apart[4];
    uint8_t share_1[HF_MASKED_STATE_BYTES];
} hf_masked_state;

// Finds the peripheral at `base`, sees what it can do, and clears it.
hf_keccak_error hf_masked_open(hf_masked_device *device, uintptr_t base);

// Seeds the masks with 80 bits of a true random number generator, and waits for the core. Needed
// after each reset of the hardware; HF_KECCAK_ARGUMENT if all bits are equal. It is allowed at any
// time after hf_masked_open(), also where that has failed with HF_KECCAK_TIMEOUT.
hf_keccak_error hf_masked_seed(const hf_masked_device *device,
                               const uint8_t seed[HF_MASKED_SEED_BYTES]);

// Ends a hash at any point. Its message and its output cannot be read any more; what the hardware
// keeps until it is overwritten is in the page.
hf_keccak_error hf_masked_clear(hf_masked_device *device);

// Begins a hash.
hf_keccak_error hf_masked_init(hf_masked_device *device, hf_keccak_function function);

// The next bytes of the message, which is share_0 XOR share_1. Of a public part share_1 may be
// NULL: zeros.
hf_keccak_error hf_masked_update(hf_masked_device *device, const uint8_t *share_0,
                                 const uint8_t *share_1, size_t bytes);

// The message ends. Its digest is read by hf_masked_squeeze().
hf_keccak_error hf_masked_end(hf_masked_device *device);

// The next bytes of the digest, in shares. The hash of a function with a digest of its own length
// ends with its last byte; hf_masked_stop() ends an output of any length, or an earlier one.
hf_keccak_error hf_masked_squeeze(hf_masked_device *device, uint8_t *share_0, uint8_t *share_1,
                                  size_t bytes);
hf_keccak_error hf_masked_stop(hf_masked_device *device);

// A hash in one call; `digest_bytes` is the function's, or any number where it has none.
hf_keccak_error hf_masked_hash(hf_masked_device *device, hf_keccak_function function,
                               const uint8_t *share_0, const uint8_t *share_1, size_t bytes,
                               uint8_t *digest_0, uint8_t *digest_1, size_t digest_bytes);

// Saves the hash as far as its message has come. The hash continues; hf_masked_clear() ends it. HF_KECCAK_FUNCTION if the peripheral cannot (CAPS.states).
hf_keccak_error hf_masked_save(hf_masked_device *device, hf_masked_state *state);

// Begins a hash where a saved one was; a KMAC as well, whose key it has. Any number of hashes may
// begin in the same state, with hf_masked_remask() before each.
hf_keccak_error hf_masked_restore(hf_masked_device *device, const hf_masked_state *state);

// Gives a saved hash other shares: `masks` are fresh random bytes. Before each hf_masked_restore(),
// as the core's protection assumes of what it gets.
hf_keccak_error hf_masked_remask(hf_masked_state *state,
                                 const uint8_t masks[HF_MASKED_STATE_BYTES]);

// KMAC (SP 800-185, section 4): `function` is HF_CSHAKE128 or HF_CSHAKE256. The key is in shares,
// the customization is public, and the message comes by hf_masked_update(). hf_masked_mac() ends it.
hf_keccak_error hf_masked_kmac(hf_masked_device *device, hf_keccak_function function,
                               const uint8_t *key_0, const uint8_t *key_1, size_t key_bytes,
                               const uint8_t *custom, size_t custom_bytes);
hf_keccak_error hf_masked_mac(hf_masked_device *device, uint8_t *mac_0, uint8_t *mac_1,
                              size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
