// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// SLH-DSA with SHAKE by the hardware (hf_slh_dsa.h, docs/integrate/slh-dsa.md). Names of algorithms are
// those of FIPS 205.

#include "hf_slh_dsa.h"

#define ADDRESS_BYTES HF_CHAIN_ADDRESS_BYTES
#define MOST HF_SLH_MOST_BYTES
#define MOST_CHAINS ((2u * MOST) + 3u)  // more values than any set has FORS trees
#define MOST_DIGEST 49u                 // m of the largest set
#define DIGITS 15u                      // hashes of a whole chain: w - 1

// Words of ADRS. A word has one name for each type of address.
enum { LAYER = 0, TREE = 1, TYPE = 4, KEY_PAIR = 5, CHAIN = 6, HASH = 7 };
#define NODE_HEIGHT CHAIN
#define NODE_INDEX HASH

// Types of addresses: WOTS_HASH and so on.
enum { OF_CHAIN = 0, OF_KEY = 1, OF_NODE = 2, OF_FORS_NODE = 3, OF_FORS_ROOTS = 4 };

const hf_slh_set hf_slh_shake_128s = {16u, 7u, 9u, 12u, 14u};
const hf_slh_set hf_slh_shake_128f = {16u, 22u, 3u, 6u, 33u};
const hf_slh_set hf_slh_shake_192s = {24u, 7u, 9u, 14u, 17u};
const hf_slh_set hf_slh_shake_192f = {24u, 22u, 3u, 8u, 33u};
const hf_slh_set hf_slh_shake_256s = {32u, 8u, 8u, 14u, 22u};
const hf_slh_set hf_slh_shake_256f = {32u, 17u, 4u, 9u, 35u};

// A message as it is hashed: M', or what M' is made of.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    const uint8_t *context;
    size_t context_bytes;
    int pure;  // not 0: two bytes and the context are before the message
} message_part;

// PK.seed, ADRS and values, as they are hashed: of words, so that all of it is aligned.
typedef struct {
    uint32_t list[(MOST + ADDRESS_BYTES + (MOST_CHAINS * MOST)) / 4u];  // T_k, T_len
    uint32_t node[(MOST + ADDRESS_BYTES + (2u * MOST)) / 4u];           // H
} hash_input;

// The digest of a message, divided: where in the trees its signature is.
typedef struct {
    uint8_t bytes[MOST_DIGEST];
    uint32_t tree[2];  // idx_tree, the higher word first
    uint32_t leaf;     // idx_leaf
} position;

////////////////////
// Bytes          //
////////////////////

static void copy(uint8_t *to, const uint8_t *from, size_t count) {
    size_t i;
    for (i = 0u; i < count; i++) to[i] = from[i];
}

static int differ(const uint8_t *one, const uint8_t *other, size_t count) {
    uint32_t found = 0u;
    size_t i;
    for (i = 0u; i < count; i++) found |= (uint32_t)one[i] ^ (uint32_t)other[i];
    return found != 0u;
}

static void put_word(uint8_t *address, uint32_t word, uint32_t number) {
    uint8_t *const at = &address[4u * word];
    at[0] = (uint8_t)(number >> 24);
    at[1] = (uint8_t)((number >> 16) & 0xffu);
    at[2] = (uint8_t)((number >> 8) & 0xffu);
    at[3] = (uint8_t)(number & 0xffu);
}

// Digit `number` of `bits` bits, at most 16 (base_2b).
static uint32_t digit(const uint8_t *bytes, uint32_t number, uint32_t bits) {
    const uint32_t first = number * bits, end = first + bits;
    uint32_t value = 0u, at;
    for (at = first / 8u; (8u * at) < end; at++) value = (value << 8) | bytes[at];
    return (value >> ((8u * at) - end)) & ((1u << bits) - 1u);
}

////////////////////
// Hashes         //
////////////////////

static uint8_t *address_of(const hf_slh_device *slh, uint32_t *input) {
    return &((uint8_t *)input)[slh->set->n];
}

static uint8_t *values_of(const hf_slh_device *slh, uint32_t *input) {
    return &((uint8_t *)input)[slh->set->n + ADDRESS_BYTES];
}

// Puts the key's seed and an empty address into an input.
static void begin_input(const hf_slh_device *slh, uint32_t *input, const uint8_t *seed) {
    uint8_t *const address = address_of(slh, input);
    uint32_t i;
    copy((uint8_t *)input, seed, slh->set->n);
    for (i = 0u; i < ADDRESS_BYTES; i++) address[i] = 0u;
}

// H or T of `count` values that are in the input.
static hf_keccak_error hash_values(const hf_slh_device *slh, const uint32_t *input, uint32_t count,
                                   uint8_t *value) {
    const size_t n = slh->set->n;
    return hf_keccak_hash(slh->keccak, HF_SHAKE256, (const uint8_t *)input,
                          n + ADDRESS_BYTES + (count * n), value, n);
}

// SHAKE256 of one value, others and the message: PRF_msg and H_msg.
static hf_keccak_error hash_message(const hf_slh_device *slh, const uint8_t *first,
                                    const uint8_t *second, size_t second_bytes,
                                    const message_part *message, uint8_t *digest, size_t bytes) {
    hf_keccak_context hash;
    hf_keccak_error error = hf_keccak_init(&hash, slh->keccak, HF_SHAKE256);
    if (error == HF_KECCAK_OK) error = hf_keccak_update(&hash, first, slh->set->n);
    if (error == HF_KECCAK_OK) error = hf_keccak_update(&hash, second, second_bytes);
    if (error == HF_KECCAK_OK && message->pure != 0) {
        uint8_t head[2];
        head[0] = 0u;
        head[1] = (uint8_t)message->context_bytes;
        error = hf_keccak_update(&hash, head, sizeof head);
        if (error == HF_KECCAK_OK && message->context_bytes != 0u) {
            error = hf_keccak_update(&hash, message->context, message->context_bytes);
        }
    }
    if (error == HF_KECCAK_OK && message->count != 0u) {
        error = hf_keccak_update(&hash, message->bytes, message->count);
    }
    return (error == HF_KECCAK_OK) ? hf_keccak_final(&hash, digest, bytes) : error;
}

// The digest of a message, of which the signature begins with R; `public_key` is PK.seed and PK.root.
static hf_keccak_error place(const hf_slh_device *slh, const uint8_t *signature,
                             const uint8_t *public_key, const message_part *message,
                             position *found) {
    const hf_slh_set *const set = slh->set;
    const uint32_t leaf_bits = set->height, tree_bits = ((uint32_t)set->d - 1u) * leaf_bits;
    const uint32_t indices = (((uint32_t)set->k * set->a) + 7u) / 8u;
    const uint32_t leaves = indices + ((tree_bits + 7u) / 8u);
    const uint32_t bytes = leaves + ((leaf_bits + 7u) / 8u);
    uint32_t i;
    const hf_keccak_error error =
        hash_message(slh, signature, public_key, 2u * (size_t)set->n, message, found->bytes, bytes);
    if (error != HF_KECCAK_OK) return error;
    found->tree[0] = 0u;
    found->tree[1] = 0u;
    for (i = indices; i < leaves; i++) {
        found->tree[0] = (found->tree[0] << 8) | (found->tree[1] >> 24);
        found->tree[1] = (found->tree[1] << 8) | found->bytes[i];
    }
    if (tree_bits < 32u) {
        found->tree[0] = 0u;
        found->tree[1] &= (1u << tree_bits) - 1u;
    } else if (tree_bits < 64u) {
        found->tree[0] &= (1u << (tree_bits - 32u)) - 1u;
    } else {
        // All bits of both words.
    }
    found->leaf = 0u;
    for (; i < bytes; i++) found->leaf = (found->leaf << 8) | found->bytes[i];
    found->leaf &= (1u << leaf_bits) - 1u;
    return HF_KECCAK_OK;
}

// The tree and the leaf of the next layer.
static void up(const hf_slh_set *set, position *at) {
    const uint32_t bits = set->height;
    at->leaf = at->tree[1] & ((1u << bits) - 1u);
    at->tree[1] = (at->tree[1] >> bits) | (at->tree[0] << (32u - bits));
    at->tree[0] >>= bits;
}

static void put_tree(uint8_t *address, uint32_t layer, const position *at) {
    put_word(address, LAYER, layer);
    put_word(address, TREE + 1u, at->tree[0]);
    put_word(address, TREE + 2u, at->tree[1]);
}

////////////////////
// Keys           //
////////////////////

// The unit is clear at the end of every call.
static hf_keccak_error leave(const hf_slh_device *slh, hf_keccak_error error) {
    (void)hf_chain_clear(slh->chain);
    return error;
}

hf_keccak_error hf_slh_open(hf_slh_device *slh, const hf_slh_set *set, const hf_chain_device *chain,
                            hf_keccak_device *keccak) {
    if (slh == NULL || set == NULL || chain == NULL || keccak == NULL || set->n > MOST) {
        return HF_KECCAK_ARGUMENT;
    }
    if (chain->trees == 0u || chain->value_bytes != set->n) return HF_KECCAK_FUNCTION;
    slh->set = set;
    slh->chain = chain;
    slh->keccak = keccak;
    return HF_KECCAK_OK;
}

size_t hf_slh_signature_bytes(const hf_slh_set *set) {
    const size_t n = set->n;
    const size_t fors = (size_t)set->k * ((size_t)set->a + 1u);
    return n * (1u + fors + ((size_t)set->d * ((2u * n) + 3u + set->height)));
}

// Gives the unit PK.seed and SK.seed.
static hf_keccak_error set_seeds(const hf_slh_device *slh, const uint8_t *public_seed,
                                 const uint8_t *secret_seed) {
    const hf_keccak_error error = hf_chain_prefix(slh->chain, public_seed);
    return (error == HF_KECCAK_OK) ? hf_chain_secret(slh->chain, secret_seed) : error;
}

hf_keccak_error hf_slh_keys(const hf_slh_device *slh, const uint8_t *seeds, uint8_t *secret_key,
                            uint8_t *public_key) {
    const size_t n = slh->set->n;
    uint8_t address[ADDRESS_BYTES] = {0u};
    uint8_t root[MOST];
    hf_keccak_error error;
    if (seeds == NULL || secret_key == NULL || public_key == NULL) return HF_KECCAK_ARGUMENT;
    put_word(address, LAYER, (uint32_t)slh->set->d - 1u);
    error = set_seeds(slh, &seeds[2u * n], seeds);
    if (error == HF_KECCAK_OK) error = hf_chain_address(slh->chain, address);
    if (error == HF_KECCAK_OK) {
        error = hf_chain_tree(slh->chain, HF_CHAIN_XMSS, slh->set->height, HF_CHAIN_NO_LEAF, NULL,
                              NULL, root);
    }
    if (error == HF_KECCAK_OK) {
        copy(secret_key, seeds, 3u * n);
        copy(&secret_key[3u * n], root, n);
        copy(public_key, &secret_key[2u * n], 2u * n);
    }
    return leave(slh, error);
}

////////////////////
// Signing        //
////////////////////

// Signs the digest by FORS (algorithm 16): `value` becomes the public key.
static hf_keccak_error sign_fors(const hf_slh_device *slh, hash_input *input, const position *at,
                                 uint8_t *signature, uint8_t *value) {
    const hf_slh_set *const set = slh->set;
    const size_t part = hf_chain_part_bytes(slh->chain, HF_CHAIN_FORS, set->a);
    uint8_t *const address = address_of(slh, input->list);
    uint8_t *const roots = values_of(slh, input->list);
    hf_keccak_error error;
    uint32_t i;
    put_tree(address, 0u, at);
    put_word(address, TYPE, OF_FORS_ROOTS);
    put_word(address, KEY_PAIR, at->leaf);
    error = hf_chain_address(slh->chain, address);
    for (i = 0u; i < set->k && error == HF_KECCAK_OK; i++) {
        error = hf_chain_address_word(slh->chain, NODE_INDEX, i << set->a);
        if (error == HF_KECCAK_OK) {
            error = hf_chain_tree(slh->chain, HF_CHAIN_FORS, set->a, digit(at->bytes, i, set->a),
                                  NULL, &signature[i * part], &roots[i * (size_t)set->n]);
        }
    }
    return (error == HF_KECCAK_OK) ? hash_values(slh, input->list, set->k, value) : error;
}

// Signs a value by the trees of all layers (algorithm 12): it becomes the root of the last one.
static hf_keccak_error sign_trees(const hf_slh_device *slh, position *at, uint8_t *signature,
                                  uint8_t *value) {
    const hf_slh_set *const set = slh->set;
    const size_t part = hf_chain_part_bytes(slh->chain, HF_CHAIN_XMSS, set->height);
    uint8_t address[ADDRESS_BYTES] = {0u};
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t layer;
    for (layer = 0u; layer < set->d && error == HF_KECCAK_OK; layer++) {
        put_tree(address, layer, at);
        error = hf_chain_address(slh->chain, address);
        if (error == HF_KECCAK_OK) {
            error = hf_chain_tree(slh->chain, HF_CHAIN_XMSS, set->height, at->leaf, value,
                                  &signature[layer * part], value);
        }
        up(set, at);
    }
    return error;
}

static hf_keccak_error sign(const hf_slh_device *slh, const message_part *message,
                            const uint8_t *secret_key, const uint8_t *randomness,
                            uint8_t *signature) {
    const size_t n = slh->set->n;
    const uint8_t *public_key;
    hash_input input;
    position at;
    uint8_t value[MOST];
    size_t i;
    hf_keccak_error error;
    if (secret_key == NULL || signature == NULL || (message->bytes == NULL && message->count != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    public_key = &secret_key[2u * n];
    begin_input(slh, input.list, public_key);
    error = hash_message(slh, &secret_key[n], (randomness != NULL) ? randomness : public_key, n,
                         message, signature, n);
    if (error == HF_KECCAK_OK) error = place(slh, signature, public_key, message, &at);
    if (error == HF_KECCAK_OK) error = set_seeds(slh, public_key, secret_key);
    if (error == HF_KECCAK_OK) error = sign_fors(slh, &input, &at, &signature[n], value);
    if (error == HF_KECCAK_OK) {
        const size_t fors = (size_t)slh->set->k * ((size_t)slh->set->a + 1u) * n;
        error = sign_trees(slh, &at, &signature[n + fors], value);
    }
    if (error == HF_KECCAK_OK && differ(value, &public_key[n], n) != 0) {
        error = HF_KECCAK_BAD_SIGNATURE;
    }
    if (error != HF_KECCAK_OK) {
        const size_t count = hf_slh_signature_bytes(slh->set);
        for (i = 0u; i < count; i++) signature[i] = 0u;
    }
    return leave(slh, error);
}

////////////////////
// Verification   //
////////////////////

// The root of a tree from node `index` and its path of `height` values: `node` has the address's type
// and whatever is the same for all nodes; `value` is the node, and becomes the root.
static hf_keccak_error climb(const hf_slh_device *slh, uint32_t *node, uint32_t index,
                             uint32_t height, const uint8_t *path, uint8_t *value) {
    const size_t n = slh->set->n;
    uint8_t *const address = address_of(slh, node);
    uint8_t *const pair = values_of(slh, node);
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t level;
    for (level = 0u; level < height && error == HF_KECCAK_OK; level++) {
        const size_t side = ((index >> level) & 1u) * n;  // of our node
        put_word(address, NODE_HEIGHT, level + 1u);
        put_word(address, NODE_INDEX, index >> (level + 1u));
        copy(&pair[side], value, n);
        copy(&pair[n - side], &path[level * n], n);
        error = hash_values(slh, node, 2u, value);
    }
    return error;
}

// The public key of FORS from a signature (algorithm 17).
static hf_keccak_error fors_key(const hf_slh_device *slh, hash_input *input, const position *at,
                                const uint8_t *signature, uint8_t *value) {
    const hf_slh_set *const set = slh->set;
    const size_t n = set->n;
    uint8_t *const list = address_of(slh, input->list);
    uint8_t *const address = address_of(slh, input->node);
    uint8_t *const roots = values_of(slh, input->list);
    const uint8_t *part = signature;
    hf_keccak_error error;
    uint32_t i;
    put_tree(list, 0u, at);
    put_word(list, TYPE, OF_FORS_ROOTS);
    put_word(list, KEY_PAIR, at->leaf);
    put_tree(address, 0u, at);
    put_word(address, TYPE, OF_FORS_NODE);
    put_word(address, KEY_PAIR, at->leaf);
    error = hf_chain_address(slh->chain, address);
    for (i = 0u; i < set->k && error == HF_KECCAK_OK; i++) {
        const uint32_t leaf = (i << set->a) + digit(at->bytes, i, set->a);
        uint8_t *const root = &roots[i * n];
        copy(root, part, n);
        error = hf_chain_address_word(slh->chain, NODE_INDEX, leaf);
        if (error == HF_KECCAK_OK) error = hf_chain_run(slh->chain, root, 1u);
        if (error == HF_KECCAK_OK) error = climb(slh, input->node, leaf, set->a, &part[n], root);
        part = &part[((size_t)set->a + 1u) * n];
    }
    return (error == HF_KECCAK_OK) ? hash_values(slh, input->list, set->k, value) : error;
}

// The public key of WOTS+ from a signature of `value` (algorithm 8), which it replaces.
static hf_keccak_error chains_key(const hf_slh_device *slh, uint32_t *list, const uint8_t *signature,
                                  uint8_t *value) {
    const size_t n = slh->set->n;
    const uint32_t digits = 2u * (uint32_t)n, count = digits + 3u;
    uint8_t *const ends = values_of(slh, list);
    uint32_t checksum = 0u, i;
    hf_keccak_error error = HF_KECCAK_OK;
    for (i = 0u; i < count && error == HF_KECCAK_OK; i++) {
        uint32_t first;
        if (i < digits) {
            first = digit(value, i, 4u);
            checksum += DIGITS - first;
        } else {
            first = (checksum >> (4u * (count - 1u - i))) & DIGITS;
        }
        copy(&ends[i * n], &signature[i * n], n);
        error = hf_chain_address_word(slh->chain, CHAIN, i);
        if (error == HF_KECCAK_OK) error = hf_chain_address_word(slh->chain, HASH, first);
        if (error == HF_KECCAK_OK) {
            error = hf_chain_run(slh->chain, &ends[i * n], DIGITS - first);
        }
    }
    return (error == HF_KECCAK_OK) ? hash_values(slh, list, count, value) : error;
}

// The root of the last layer from a signature of `value` by all of them (algorithm 13).
static hf_keccak_error trees_root(const hf_slh_device *slh, hash_input *input, position *at,
                                  const uint8_t *signature, uint8_t *value) {
    const hf_slh_set *const set = slh->set;
    const size_t n = set->n, chains = ((2u * n) + 3u) * n;
    const size_t part = chains + (set->height * n);
    uint8_t *const list = address_of(slh, input->list);
    uint8_t *const node = address_of(slh, input->node);
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t layer;
    put_word(node, TYPE, OF_NODE);
    put_word(node, KEY_PAIR, 0u);
    for (layer = 0u; layer < set->d && error == HF_KECCAK_OK; layer++) {
        const uint8_t *const here = &signature[layer * part];
        put_tree(node, layer, at);
        put_tree(list, layer, at);
        put_word(list, KEY_PAIR, at->leaf);
        put_word(list, TYPE, OF_CHAIN);
        error = hf_chain_address(slh->chain, list);
        put_word(list, TYPE, OF_KEY);
        if (error == HF_KECCAK_OK) error = chains_key(slh, input->list, here, value);
        if (error == HF_KECCAK_OK) {
            error = climb(slh, input->node, at->leaf, set->height, &here[chains], value);
        }
        up(set, at);
    }
    return error;
}

static hf_keccak_error verify(const hf_slh_device *slh, const message_part *message,
                              const uint8_t *signature, size_t signature_bytes,
                              const uint8_t *public_key) {
    const size_t n = slh->set->n;
    hash_input input;
    position at;
    uint8_t value[MOST];
    hf_keccak_error error;
    if (signature == NULL || public_key == NULL || (message->bytes == NULL && message->count != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (signature_bytes != hf_slh_signature_bytes(slh->set)) return HF_KECCAK_BAD_SIGNATURE;
    begin_input(slh, input.list, public_key);
    begin_input(slh, input.node, public_key);
    error = place(slh, signature, public_key, message, &at);
    if (error == HF_KECCAK_OK) error = hf_chain_prefix(slh->chain, public_key);
    if (error == HF_KECCAK_OK) error = fors_key(slh, &input, &at, &signature[n], value);
    if (error == HF_KECCAK_OK) {
        const size_t fors = (size_t)slh->set->k * ((size_t)slh->set->a + 1u) * n;
        error = trees_root(slh, &input, &at, &signature[n + fors], value);
    }
    if (error == HF_KECCAK_OK && differ(value, &public_key[n], n) != 0) {
        error = HF_KECCAK_BAD_SIGNATURE;
    }
    return leave(slh, error);
}

////////////////////
// Calls          //
////////////////////

static hf_keccak_error pure(message_part *part, const uint8_t *message, size_t bytes,
                            const uint8_t *context, size_t context_bytes) {
    part->bytes = message;
    part->count = bytes;
    part->context = context;
    part->context_bytes = context_bytes;
    part->pure = 1;
    return (context_bytes > HF_SLH_CONTEXT_BYTES || (context == NULL && context_bytes != 0u))
               ? HF_KECCAK_ARGUMENT
               : HF_KECCAK_OK;
}

hf_keccak_error hf_slh_sign(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                            const uint8_t *context, size_t context_bytes,
                            const uint8_t *secret_key, const uint8_t *randomness,
                            uint8_t *signature) {
    message_part part;
    const hf_keccak_error error = pure(&part, message, bytes, context, context_bytes);
    return (error == HF_KECCAK_OK) ? sign(slh, &part, secret_key, randomness, signature) : error;
}

hf_keccak_error hf_slh_verify(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                              const uint8_t *context, size_t context_bytes,
                              const uint8_t *signature, size_t signature_bytes,
                              const uint8_t *public_key) {
    message_part part;
    const hf_keccak_error error = pure(&part, message, bytes, context, context_bytes);
    return (error == HF_KECCAK_OK) ? verify(slh, &part, signature, signature_bytes, public_key)
                                   : error;
}

hf_keccak_error hf_slh_sign_internal(const hf_slh_device *slh, const uint8_t *message, size_t bytes,
                                     const uint8_t *secret_key, const uint8_t *randomness,
                                     uint8_t *signature) {
    message_part part;
    (void)pure(&part, message, bytes, NULL, 0u);
    part.pure = 0;
    return sign(slh, &part, secret_key, randomness, signature);
}

hf_keccak_error hf_slh_verify_internal(const hf_slh_device *slh, const uint8_t *message,
                                       size_t bytes, const uint8_t *signature,
                                       size_t signature_bytes, const uint8_t *public_key) {
    message_part part;
    (void)pure(&part, message, bytes, NULL, 0u);
    part.pure = 0;
    return verify(slh, &part, signature, signature_bytes, public_key);
}
