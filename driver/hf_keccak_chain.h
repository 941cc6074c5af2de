// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the unit for chains of hashes (docs/integrate/chain.md): F of SLH-DSA with SHAKE256,
// any number of times in a row (FIPS 205, algorithm 5), and whole trees where the unit has them
// (algorithms 9 and 15). C99, freestanding.

#ifndef HF_KECCAK_CHAIN_H
#define HF_KECCAK_CHAIN_H

#include "hf_keccak.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HF_CHAIN_ADDRESS_BYTES 32u
#define HF_CHAIN_VALUE_BYTES 32u  // the longest value
#define HF_CHAIN_COUNT 0xffffu    // the longest chain, in hashes
#define HF_CHAIN_HEIGHT 15u       // the highest tree
#define HF_CHAIN_NO_LEAF 0xffffu  // a leaf that no tree has

// Reads of STATUS for each hash of a chain or a tree, at most, until a wait ends with HF_KECCAK_TIMEOUT. A
// hash takes 26 clock cycles.
#ifndef HF_CHAIN_POLLS
#define HF_CHAIN_POLLS 32u
#endif

// A unit; hf_chain_open() fills it in.
typedef struct {
    uintptr_t base;        // the address of its registers, or whatever hf_keccak_read32() takes
    uint32_t value_bytes;  // n of FIPS 205: of a value, and of the prefix
    uint32_t trees;        // 1: it has trees
} hf_chain_device;

// What the leaves of a tree are: public keys of WOTS+ (XMSS), or hashes of secret values (FORS).
typedef enum { HF_CHAIN_XMSS = 0, HF_CHAIN_FORS = 1 } hf_chain_leaves;

// Finds the unit at `base`, sees what it can do, and clears it.
hf_keccak_error hf_chain_open(hf_chain_device *device, uintptr_t base);

// Ends a chain or a tree at once. Nothing of prefix, secret, address and value remains in the
// hardware.
hf_keccak_error hf_chain_clear(const hf_chain_device *device);

// Sets the prefix (PK.seed), `value_bytes` bytes.
hf_keccak_error hf_chain_prefix(const hf_chain_device *device, const uint8_t *prefix);

// Sets the address (ADRS). A chain counts its last four bytes up, the rest stays as it is.
hf_keccak_error hf_chain_address(const hf_chain_device *device,
                                 const uint8_t address[HF_CHAIN_ADDRESS_BYTES]);

// Sets a word of the address: bytes 4 `word` to 4 `word` + 3, as a big-endian number, as FIPS 205
// has its fields. 5 is the key pair, 6 the chain, 7 the hash.
hf_keccak_error hf_chain_address_word(const hf_chain_device *device, uint32_t word, uint32_t number);

// Replaces `value`, of `value_bytes` bytes, by the end of a chain of `count` hashes.
hf_keccak_error hf_chain_run(const hf_chain_device *device, uint8_t *value, uint32_t count);

// The same in three calls, so that the processor has other work meanwhile: the chain begins; it has
// ended (HF_KECCAK_OK) or not yet (HF_KECCAK_PENDING); its value is read.
hf_keccak_error hf_chain_begin(const hf_chain_device *device, const uint8_t *value, uint32_t count);
hf_keccak_error hf_chain_poll(const hf_chain_device *device);
hf_keccak_error hf_chain_end(const hf_chain_device *device, uint8_t *value);

// Trees. The address is that of algorithms 9 and 15: words 0 to 3, the layer and the tree; for FORS
// word 5, the key pair, and word 7, the number of the tree's first leaf, too. The calls return
// HF_KECCAK_FUNCTION where the unit has no trees.

// Sets the secret (SK.seed), `value_bytes` bytes, which stays until hf_chain_clear().
hf_keccak_error hf_chain_secret(const hf_chain_device *device, const uint8_t *secret);

// Computes a tree of 2^`height` leaves and its root, `value_bytes` bytes. What a signature has of leaf
// `leaf` is written to `part`, hf_chain_part_bytes() bytes: for XMSS the signature of `message`
// (`value_bytes` bytes) by its key, for FORS its secret value; then the authentication path. With
// HF_CHAIN_NO_LEAF, `message` and `part` are ignored; `message` is with FORS.
hf_keccak_error hf_chain_tree(const hf_chain_device *device, hf_chain_leaves leaves,
                              uint32_t height, uint32_t leaf, const uint8_t *message, uint8_t *part,
                              uint8_t *root);

// The bytes of a leaf's part of a signature.
size_t hf_chain_part_bytes(const hf_chain_device *device, hf_chain_leaves leaves, uint32_t height);

// The same in pieces: the tree begins; hf_chain_poll(); the part is read; hf_chain_end() reads the root.
hf_keccak_error hf_chain_tree_begin(const hf_chain_device *device, hf_chain_leaves leaves,
                                    uint32_t height, uint32_t leaf, const uint8_t *message);
hf_keccak_error hf_chain_tree_part(const hf_chain_device *device, uint8_t *part, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
