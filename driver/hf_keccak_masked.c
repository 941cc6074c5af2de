// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the masked peripheral (hf_keccak_masked.h, docs/integrate/masked.md).

#include "hf_keccak_masked.h"
#include "hf_keccak_masked_regs.h"

#ifdef HF_KECCAK_IO
#include HF_KECCAK_IO
#else
#include "hf_keccak_io.h"
#endif

#define REGISTER(name) ((uint32_t)offsetof(hf_keccak_masked_regs_t, name))
#define BIT(name) ((uint32_t)(HF_KECCAK_MASKED_REGS__##name##_bm))
#define FIELD(word, name) (((word) & BIT(name)) >> (HF_KECCAK_MASKED_REGS__##name##_bp))
#define ID_VALUE 0x48464d31u
#define MAJOR 1u
#define ALL_BITS 0xffffffffu  // clears what ones clear

enum { CLOSED = 0, FAILED, IDLE, ABSORB, SQUEEZE };  // FAILED: only a seed or a clear helps

static uint32_t get(const hf_masked_device *device, uint32_t offset) {
    return hf_keccak_read32(device->base, offset);
}

static void put(const hf_masked_device *device, uint32_t offset, uint32_t value) {
    hf_keccak_write32(device->base, offset, value);
}

// Between the shares: the data lines of the bus, and registers on their way, get another value.
static void part_writes(const hf_masked_device *device) { put(device, REGISTER(INTR_STATE), 0u); }
static void part_reads(const hf_masked_device *device) { (void)get(device, REGISTER(ID)); }

static uint8_t *kept_of(hf_masked_device *device, uint32_t share) {
    return share == 0u ? device->kept_0 : device->kept_1;
}

// Clears the bytes that are kept. Volatile: a compiler may remove stores that are not read.
static void clear_kept(hf_masked_device *device) {
    volatile uint8_t *const kept_0 = device->kept_0, *const kept_1 = device->kept_1;
    uint32_t i;
    for (i = 0u; i < 4u; i++) kept_0[i] = 0u;
    for (i = 0u; i < 4u; i++) kept_1[i] = 0u;
    device->kept_bytes = 0u;
}

// What INTR_STATE says, which is cleared.
static hf_keccak_error take_causes(const hf_masked_device *device) {
    const uint32_t causes = get(device, REGISTER(INTR_STATE));
    put(device, REGISTER(INTR_STATE), causes);
    if ((causes & BIT(INTR_STATE__REFUSED)) != 0u) return HF_KECCAK_BAD_FUNCTION;
    return (causes & BIT(INTR_STATE__ERROR)) != 0u ? HF_KECCAK_BAD_ACCESS : HF_KECCAK_OK;
}

// Ends a hash that has failed.
static hf_keccak_error fail(hf_masked_device *device, hf_keccak_error error) {
    (void)hf_masked_clear(device);
    return error;
}

// Waits until a bit of STATUS has a value.
static hf_keccak_error wait_for(const hf_masked_device *device, uint32_t bit, uint32_t value) {
    uint32_t polls;
    for (polls = 0u; polls < HF_MASKED_POLLS; polls++) {
        if ((get(device, REGISTER(STATUS)) & bit) == value) return HF_KECCAK_OK;
    }
    return HF_KECCAK_TIMEOUT;
}

// Waits for the end of an output that is read, or stopped.
static hf_keccak_error finish(hf_masked_device *device) {
    hf_keccak_error error = wait_for(device, BIT(STATUS__BUSY), 0u);
    if (error == HF_KECCAK_OK) error = take_causes(device);
    if (error != HF_KECCAK_OK) return fail(device, error);
    clear_kept(device);
    device->phase = IDLE;
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_open(hf_masked_device *device, uintptr_t base) {
    uint32_t version, caps;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    device->base = base;
    device->phase = CLOSED;
    if (get(device, REGISTER(ID)) != ID_VALUE) return HF_KECCAK_NO_DEVICE;
    version = get(device, REGISTER(VERSION));
    if (FIELD(version, VERSION__MAJOR) != MAJOR) return HF_KECCAK_VERSION;
    caps = get(device, REGISTER(CAPS));
    device->fifo_words = FIELD(caps, CAPS__FIFO_WORDS);
    if (FIELD(caps, CAPS__SHARES) != 2u || device->fifo_words < 2u) return HF_KECCAK_VERSION;
    device->has_states = (uint8_t)FIELD(caps, CAPS__STATES);
    device->phase = FAILED;
    put(device, REGISTER(INTR_ENABLE), 0u);
    return hf_masked_clear(device);
}

hf_keccak_error hf_masked_seed(const hf_masked_device *device,
                               const uint8_t seed[HF_MASKED_SEED_BYTES]) {
    uint32_t i, word = 0u;
    uint8_t ones = 0xffu, zeros = 0u;
    if (device == NULL || seed == NULL || device->phase == CLOSED) return HF_KECCAK_ARGUMENT;
    for (i = 0u; i < HF_MASKED_SEED_BYTES; i++) {
        ones = (uint8_t)(ones & seed[i]);
        zeros = (uint8_t)(zeros | seed[i]);
    }
    if (ones == 0xffu || zeros == 0u) return HF_KECCAK_ARGUMENT;
    for (i = 0u; i < HF_MASKED_SEED_BYTES; i++) {
        word |= (uint32_t)seed[i] << (8u * (i % 4u));
        if (i % 4u == 3u || i == HF_MASKED_SEED_BYTES - 1u) {
            put(device, REGISTER(SEED) + (i & ~3u), word);
            word = 0u;
        }
    }
    part_writes(device);  // the seed does not stay on the bus
    return wait_for(device, BIT(STATUS__READY), BIT(STATUS__READY));
}

hf_keccak_error hf_masked_clear(hf_masked_device *device) {
    hf_keccak_error error;
    if (device == NULL || device->phase == CLOSED) return HF_KECCAK_ARGUMENT;
    clear_kept(device);
    put(device, REGISTER(COMMAND), BIT(COMMAND__CLEAR));
    error = wait_for(device, BIT(STATUS__BUSY), 0u);
    put(device, REGISTER(INTR_STATE), ALL_BITS);
    device->phase = error == HF_KECCAK_OK ? IDLE : FAILED;
    return error;
}

hf_keccak_error hf_masked_init(hf_masked_device *device, hf_keccak_function function) {
    uint32_t rate, digest;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase != IDLE) return HF_KECCAK_SEQUENCE;
    if (hf_keccak_sizes(function, &rate, &digest) != HF_KECCAK_OK) return HF_KECCAK_FUNCTION;
    device->is_mac = 0u;
    device->begun = 0u;
    device->function = (uint8_t)function;
    device->rate = rate;
    device->position = 0u;
    device->left = digest == 0u ? HF_KECCAK_OPEN : digest;
    device->kept_bytes = 0u;
    device->phase = ABSORB;
    put(device, REGISTER(CONFIG), (uint32_t)function);
    return HF_KECCAK_OK;
}

// A byte of one share: those that are kept come first, then those of `source`, or zeros without it.
static uint8_t byte_of(const hf_masked_device *device, uint32_t share, const uint8_t *source,
                       size_t at) {
    if (at < device->kept_bytes) return share == 0u ? device->kept_0[at] : device->kept_1[at];
    return source == NULL ? (uint8_t)0u : source[at - device->kept_bytes];
}

static uint32_t word_of(const hf_masked_device *device, uint32_t share, const uint8_t *source,
                        size_t at) {
    uint32_t i, word = 0u;
    for (i = 0u; i < 4u; i++) {
        word |= (uint32_t)byte_of(device, share, source, at + i) << (8u * i);
    }
    return word;
}

// Writes `words` words of one share when there is room for them.
static hf_keccak_error put_words(const hf_masked_device *device, uint32_t share,
                                 const uint8_t *source, size_t at, uint32_t words) {
    const uint32_t window = share == 0u ? REGISTER(MESSAGE_0) : REGISTER(MESSAGE_1);
    uint32_t polls, i;
    for (polls = 0u; polls < HF_MASKED_POLLS; polls++) {
        const uint32_t status = get(device, REGISTER(STATUS));
        const uint32_t room =
            share == 0u ? FIELD(status, STATUS__ROOM_0) : FIELD(status, STATUS__ROOM_1);
        if (room >= words) {
            for (i = 0u; i < words; i++) {
                put(device, window, word_of(device, share, source, at + 4u * (size_t)i));
            }
            part_writes(device);
            return HF_KECCAK_OK;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

// Writes `count` words of both shares.
static hf_keccak_error put_shares(const hf_masked_device *device, const uint8_t *share_0,
                                  const uint8_t *share_1, size_t count) {
    size_t at = 0u;
    while (at < count) {
        // The newest word of a message stays in its FIFO.
        const size_t most = device->fifo_words - 1u, left = count - at;
        const uint32_t words = (uint32_t)(left < most ? left : most);
        hf_keccak_error error = put_words(device, 0u, share_0, 4u * at, words);
        if (error == HF_KECCAK_OK) error = put_words(device, 1u, share_1, 4u * at, words);
        if (error != HF_KECCAK_OK) return error;
        at += words;
    }
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_update(hf_masked_device *device, const uint8_t *share_0,
                                 const uint8_t *share_1, size_t bytes) {
    hf_keccak_error error;
    size_t at, total;
    uint32_t i;
    if (device == NULL || (share_0 == NULL && bytes != 0u)) return HF_KECCAK_ARGUMENT;
    if (device->phase != ABSORB) return HF_KECCAK_SEQUENCE;
    if (bytes > SIZE_MAX - 4u) return HF_KECCAK_ARGUMENT;
    total = bytes + device->kept_bytes;
    at = total - total % 4u;
    error = put_shares(device, share_0, share_1, at / 4u);
    if (error != HF_KECCAK_OK) return fail(device, error);
    if (at != 0u) device->begun = 1u;
    device->position = (device->position + (uint32_t)(at % device->rate)) % device->rate;
    for (i = 0u; i < total - at; i++) {
        device->kept_0[i] = byte_of(device, 0u, share_0, at + i);
    }
    if (total != at) part_writes(device);
    for (i = 0u; i < total - at; i++) {
        device->kept_1[i] = byte_of(device, 1u, share_1, at + i);
    }
    device->kept_bytes = (uint8_t)(total - at);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_end(hf_masked_device *device) {
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t bytes;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase != ABSORB) return HF_KECCAK_SEQUENCE;
    bytes = device->kept_bytes;
    if (bytes != 0u) {
        error = put_shares(device, NULL, NULL, 1u);
        if (error != HF_KECCAK_OK) return fail(device, error);
    }
    put(device, REGISTER(COMMAND),
        BIT(COMMAND__LAST) | (bytes << HF_KECCAK_MASKED_REGS__COMMAND__BYTES_bp));
    clear_kept(device);
    device->phase = SQUEEZE;
    return HF_KECCAK_OK;
}

// Gives away bytes of a share of the word that is kept.
static uint32_t take_kept(hf_masked_device *device, uint32_t share, uint8_t *output,
                          size_t bytes) {
    const uint8_t *const kept = kept_of(device, share);
    const uint32_t count = device->kept_bytes;
    uint32_t i;
    for (i = 0u; i < count && i < bytes; i++) output[i] = kept[4u - count + i];
    if (count != 0u) part_reads(device);
    return i;
}

// Reads words of a share. Bytes of the last one that are not for `output` are kept.
static void get_words(hf_masked_device *device, uint32_t share, uint8_t *output, size_t bytes,
                      uint32_t words) {
    const uint32_t window = share == 0u ? REGISTER(DIGEST_0) : REGISTER(DIGEST_1);
    uint8_t *const kept = kept_of(device, share);
    uint32_t i, j;
    for (i = 0u; i < words; i++) {
        const uint32_t word = get(device, window);
        for (j = 0u; j < 4u; j++) {
            const size_t at = 4u * (size_t)i + j;
            const uint8_t byte = (uint8_t)((word >> (8u * j)) & 0xffu);
            if (at < bytes) {
                output[at] = byte;
            } else {
                kept[j] = byte;
            }
        }
    }
    part_reads(device);
}

// Reads `bytes` bytes of both shares; bytes of the last word that are left are kept.
static hf_keccak_error get_shares(hf_masked_device *device, uint8_t *share_0, uint8_t *share_1,
                                  size_t bytes) {
    hf_keccak_error error;
    uint32_t polls = 0u;
    size_t at = 0u;
    while (at < bytes) {
        const uint32_t status = get(device, REGISTER(STATUS));
        const size_t due = (bytes - at) / 4u + ((bytes - at) % 4u != 0u ? 1u : 0u);
        uint32_t words = FIELD(status, STATUS__WORDS);
        if (words > due) words = (uint32_t)due;
        if (words == 0u) {
            // Without a word and without a message none comes.
            if ((status & BIT(STATUS__BUSY)) == 0u) {
                error = take_causes(device);
                return error == HF_KECCAK_OK ? HF_KECCAK_LOST : error;
            }
            if (++polls > HF_MASKED_POLLS) return HF_KECCAK_TIMEOUT;
            continue;
        }
        polls = 0u;
        get_words(device, 0u, share_0 + at, bytes - at, words);
        get_words(device, 1u, share_1 + at, bytes - at, words);
        if (4u * (size_t)words > bytes - at) {
            device->kept_bytes = (uint8_t)(4u * (size_t)words - (bytes - at));
            at = bytes;
        } else {
            at += 4u * (size_t)words;
        }
    }
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_squeeze(hf_masked_device *device, uint8_t *share_0, uint8_t *share_1,
                                  size_t bytes) {
    hf_keccak_error error;
    size_t at;
    if (device == NULL || share_0 == NULL || share_1 == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase != SQUEEZE) return HF_KECCAK_SEQUENCE;
    if (device->left != HF_KECCAK_OPEN) {
        if (bytes > device->left) return HF_KECCAK_ARGUMENT;
        device->left -= (uint32_t)bytes;
    }
    at = take_kept(device, 0u, share_0, bytes);
    (void)take_kept(device, 1u, share_1, bytes);
    device->kept_bytes = (uint8_t)(device->kept_bytes - at);
    error = get_shares(device, share_0 + at, share_1 + at, bytes - at);
    if (error != HF_KECCAK_OK) return fail(device, error);
    return device->left != 0u ? HF_KECCAK_OK : finish(device);
}

hf_keccak_error hf_masked_stop(hf_masked_device *device) {
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase != SQUEEZE) return HF_KECCAK_SEQUENCE;
    // An output of a fixed length may have ended, and then there is nothing to stop.
    if (device->left != HF_KECCAK_OPEN) return hf_masked_clear(device);
    put(device, REGISTER(COMMAND), BIT(COMMAND__STOP));
    return finish(device);
}

hf_keccak_error hf_masked_hash(hf_masked_device *device, hf_keccak_function function,
                               const uint8_t *share_0, const uint8_t *share_1, size_t bytes,
                               uint8_t *digest_0, uint8_t *digest_1, size_t digest_bytes) {
    hf_keccak_error error;
    if (digest_0 == NULL || digest_1 == NULL) return HF_KECCAK_ARGUMENT;
    error = hf_masked_init(device, function);
    if (error != HF_KECCAK_OK) return error;
    if (device->left != HF_KECCAK_OPEN && digest_bytes != device->left) {
        return fail(device, HF_KECCAK_ARGUMENT);
    }
    error = hf_masked_update(device, share_0, share_1, bytes);
    if (error != HF_KECCAK_OK) return fail(device, error);
    error = hf_masked_end(device);
    if (error != HF_KECCAK_OK) return error;
    error = hf_masked_squeeze(device, digest_0, digest_1, digest_bytes);
    if (error != HF_KECCAK_OK || device->left != HF_KECCAK_OPEN) return error;
    return hf_masked_stop(device);
}

////////////////////
// States         //
////////////////////

#define STATE_BYTES 200u

// Copies bytes, and makes a write that parts them from others of another share.
static void copy_share(const hf_masked_device *device, uint8_t *to, const uint8_t *from,
                       uint32_t bytes) {
    uint32_t i;
    for (i = 0u; i < bytes; i++) to[i] = from[i];
    part_writes(device);
}

hf_keccak_error hf_masked_save(hf_masked_device *device, hf_masked_state *state) {
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t i;
    if (device == NULL || state == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase != ABSORB) return HF_KECCAK_SEQUENCE;
    if (device->has_states == 0u) return HF_KECCAK_FUNCTION;
    for (i = 0u; i < HF_MASKED_STATE_BYTES; i++) state->share_0[i] = 0u;
    for (i = 0u; i < HF_MASKED_STATE_BYTES; i++) state->share_1[i] = 0u;
    if (device->begun != 0u) {
        put(device, REGISTER(COMMAND), BIT(COMMAND__SAVE));
        error = get_shares(device, state->share_0, state->share_1, STATE_BYTES);
        if (error != HF_KECCAK_OK) return fail(device, error);
    }
    copy_share(device, &state->share_0[STATE_BYTES], device->kept_0, device->kept_bytes);
    copy_share(device, &state->share_1[STATE_BYTES], device->kept_1, device->kept_bytes);
    state->position = device->position;
    state->function = device->function;
    state->begun = device->begun;
    state->is_mac = device->is_mac;
    state->kept_bytes = device->kept_bytes;
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_restore(hf_masked_device *device, const hf_masked_state *state) {
    hf_keccak_error error;
    if (device == NULL || state == NULL) return HF_KECCAK_ARGUMENT;
    if (device->phase == IDLE && device->has_states == 0u) return HF_KECCAK_FUNCTION;
    error = hf_masked_init(device, (hf_keccak_function)state->function);
    if (error != HF_KECCAK_OK) return error;
    if (state->position >= device->rate || state->position % 4u != 0u || state->kept_bytes > 3u) {
        return fail(device, HF_KECCAK_ARGUMENT);
    }
    if (state->begun != 0u) {
        put(device, REGISTER(COMMAND), BIT(COMMAND__RESTORE));
        error = put_shares(device, state->share_0, state->share_1, STATE_BYTES / 4u);
        if (error == HF_KECCAK_OK) error = wait_for(device, BIT(STATUS__STATE), 0u);
        // To the position in the block: zeros change no word of the state.
        if (error == HF_KECCAK_OK) error = put_shares(device, NULL, NULL, state->position / 4u);
        if (error != HF_KECCAK_OK) return fail(device, error);
    }
    copy_share(device, device->kept_0, &state->share_0[STATE_BYTES], state->kept_bytes);
    copy_share(device, device->kept_1, &state->share_1[STATE_BYTES], state->kept_bytes);
    device->kept_bytes = state->kept_bytes;
    device->position = state->position;
    device->begun = state->begun;
    device->is_mac = state->is_mac;
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_remask(hf_masked_state *state,
                                 const uint8_t masks[HF_MASKED_STATE_BYTES]) {
    uint32_t i;
    if (state == NULL || masks == NULL) return HF_KECCAK_ARGUMENT;
    for (i = 0u; i < HF_MASKED_STATE_BYTES; i++) {
        state->share_0[i] = (uint8_t)(state->share_0[i] ^ masks[i]);
    }
    for (i = 0u; i < HF_MASKED_STATE_BYTES; i++) {
        state->share_1[i] = (uint8_t)(state->share_1[i] ^ masks[i]);
    }
    return HF_KECCAK_OK;
}

////////////////////
// KMAC           //
////////////////////

// left_encode and right_encode of a number (SP 800-185, section 2.3.1): the bytes used.
static uint32_t encode(uint8_t *bytes, uint64_t number, int right) {
    uint32_t i, count = 1u;
    while (count < 8u && (number >> (8u * count)) != 0u) count++;
    for (i = 0u; i < count; i++) {
        bytes[i + (right ? 0u : 1u)] = (uint8_t)((number >> (8u * (count - 1u - i))) & 0xffu);
    }
    bytes[right ? count : 0u] = (uint8_t)count;
    return count + 1u;
}

// encode_string (section 2.3.2); `used` counts the bytes of the block.
static hf_keccak_error add_string(hf_masked_device *device, const uint8_t *share_0,
                                  const uint8_t *share_1, size_t bytes, uint32_t rate,
                                  uint32_t *used) {
    uint8_t length[9];
    const uint32_t count = encode(length, 8u * (uint64_t)bytes, 0);
    hf_keccak_error error = hf_masked_update(device, length, NULL, count);
    if (error != HF_KECCAK_OK) return error;
    *used = (*used + count + (uint32_t)(bytes % rate)) % rate;
    return hf_masked_update(device, share_0, share_1, bytes);
}

// Zeros up to the end of the block (bytepad, section 2.3.3).
static hf_keccak_error pad_block(hf_masked_device *device, uint32_t rate, uint32_t used) {
    static const uint8_t zeros[16] = {0u};
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t left = (rate - used) % rate;
    while (left != 0u && error == HF_KECCAK_OK) {
        const uint32_t part = left < 16u ? left : 16u;
        error = hf_masked_update(device, zeros, NULL, part);
        left -= part;
    }
    return error;
}

hf_keccak_error hf_masked_kmac(hf_masked_device *device, hf_keccak_function function,
                               const uint8_t *key_0, const uint8_t *key_1, size_t key_bytes,
                               const uint8_t *custom, size_t custom_bytes) {
    static const uint8_t name[4] = {0x4bu, 0x4du, 0x41u, 0x43u};  // KMAC
    uint8_t width[9];
    uint32_t rate, digest, count, used;
    hf_keccak_error error;
    if (((key_0 == NULL || key_1 == NULL) && key_bytes != 0u) ||
        (custom == NULL && custom_bytes != 0u)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (function != HF_CSHAKE128 && function != HF_CSHAKE256) return HF_KECCAK_FUNCTION;
    error = hf_masked_init(device, function);
    if (error != HF_KECCAK_OK) return error;
    (void)hf_keccak_sizes(function, &rate, &digest);
    count = encode(width, rate, 0);

    used = count;
    error = hf_masked_update(device, width, NULL, count);
    if (error == HF_KECCAK_OK) error = add_string(device, name, NULL, 4u, rate, &used);
    if (error == HF_KECCAK_OK) {
        error = add_string(device, custom, NULL, custom_bytes, rate, &used);
    }
    if (error == HF_KECCAK_OK) error = pad_block(device, rate, used);

    used = count;
    if (error == HF_KECCAK_OK) error = hf_masked_update(device, width, NULL, count);
    if (error == HF_KECCAK_OK) {
        error = add_string(device, key_0, key_1, key_bytes, rate, &used);
    }
    if (error == HF_KECCAK_OK) error = pad_block(device, rate, used);
    if (error != HF_KECCAK_OK) return fail(device, error);
    device->is_mac = 1u;
    return HF_KECCAK_OK;
}

hf_keccak_error hf_masked_mac(hf_masked_device *device, uint8_t *mac_0, uint8_t *mac_1,
                              size_t bytes) {
    uint8_t length[9];
    uint32_t count;
    hf_keccak_error error;
    if (device == NULL || mac_0 == NULL || mac_1 == NULL) return HF_KECCAK_ARGUMENT;
    if (device->is_mac == 0u) return HF_KECCAK_SEQUENCE;
    count = encode(length, 8u * (uint64_t)bytes, 1);
    error = hf_masked_update(device, length, NULL, count);
    if (error == HF_KECCAK_OK) error = hf_masked_end(device);
    if (error == HF_KECCAK_OK) error = hf_masked_squeeze(device, mac_0, mac_1, bytes);
    if (error == HF_KECCAK_OK) error = hf_masked_stop(device);
    return error;
}
