// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Many short messages after one prefix, whose state a peripheral with COMMAND.keep has in a copy
// (OPTIONS.prefix; docs/integrate/driver.md): whole blocks that are absorbed once, KMAC's key for
// example. C99, freestanding.
//
// A peripheral has one copy, which hf_keccak_keep() replaces: a prefix that was kept before is lost
// then. The copy is lost as well whenever the driver clears the peripheral: contexts take turns,
// hf_keccak_stop(), hf_keccak_reset(), an error; and as long as a context's hash is in the hardware.
// Hashes in one call and outputs that are read to their end leave it where it is.
//
// A prefix is found out to be lost by the copy's number (OPTIONS.kept), which begins again after a
// reset of the hardware, and after 16,777,215 keeps: do not keep an hf_keccak_prefix that long.

#ifndef HF_KECCAK_PREFIX_H
#define HF_KECCAK_PREFIX_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

// A prefix that the peripheral keeps. All of it is the driver's own.
typedef struct {
    hf_keccak_device *device;
    hf_keccak_function function;
    uint32_t number;  // of the copy, as OPTIONS has it
} hf_keccak_prefix;

// What the context has absorbed, which is whole blocks, is kept in place of any other prefix, and the
// context is over. HF_KECCAK_SEQUENCE: it is inside a block, or has no message; it goes on.
// HF_KECCAK_FUNCTION: the peripheral cannot keep a prefix.
hf_keccak_error hf_keccak_keep(hf_keccak_prefix *prefix, hf_keccak_context *context);

// Hashes the prefix and a message after it; `digest_bytes` as in hf_keccak_hash(). HF_KECCAK_LOST:
// the peripheral does not have the copy any more; keep it again.
hf_keccak_error hf_keccak_hash_after(const hf_keccak_prefix *prefix, const uint8_t *message,
                                     size_t bytes, uint8_t *digest, size_t digest_bytes);

// KMAC with a key that is kept: `function` is HF_CSHAKE128 or HF_CSHAKE256, as in hf_kmac().
hf_keccak_error hf_kmac_keep(hf_keccak_prefix *prefix, hf_keccak_device *device,
                             hf_keccak_function function, const uint8_t *key, size_t key_bytes,
                             const uint8_t *custom, size_t custom_bytes);

// KMAC of a message, with the key that hf_kmac_keep() has kept. HF_KECCAK_LOST as above.
hf_keccak_error hf_kmac_after(const hf_keccak_prefix *prefix, const uint8_t *message, size_t bytes,
                              uint8_t *mac, size_t mac_bytes);

// The copy is wiped. A hash that is in the hardware is put aside.
hf_keccak_error hf_keccak_forget(hf_keccak_prefix *prefix);

#ifdef __cplusplus
}
#endif

#endif
