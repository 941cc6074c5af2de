// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the Keccak peripheral (hf_keccak.h, docs/integrate/driver.md).

#include "hf_keccak.h"
#include "hf_keccak_access.h"

// A context's phases. Zero is none, so that one that was wiped is over.
enum { PHASE_OVER = 0, PHASE_NEW, PHASE_ABSORB, PHASE_SQUEEZE };

#define STATUS(name) BIT(HF_KECCAK_REGS__STATUS__##name)
#define PHASE(name) (1u << HF_KECCAK_REGS__STATUS__PHASE__##name)

#define ALL_FUNCTIONS 0x307ffu  // whose lengths are known here, by their codes
#define ALL_BITS 0xffffffffu    // clears what ones clear
#define END_OF_HASH (NOT_STATUS | STATUS(ERROR) | STATUS(DONE))
#define AS_CHANGE \
    ((uint32_t)HF_KECCAK_REGS__STATUS__PHASE__CHANGE << HF_KECCAK_REGS__STATUS__PHASE_bp)
#define RUN_OPEN 0xfffu         // a length in RUN that is not known
#define BURST 16u               // words between two looks at STATUS where there is no message FIFO

// Words at rising addresses that are each the next one of the message, or of the digest.
#define WINDOW_WORDS ((uint32_t)(sizeof(hf_keccak_regs__MESSAGE_WINDOW_t) / 4u))

////////////////////
// Bytes          //
////////////////////

// Words of bytes at once if the compiler has an attribute that allows it and the byte orders agree.
#if !defined(HF_KECCAK_IO_BLOCKS) && defined(__GNUC__) && defined(__BYTE_ORDER__) && \
    defined(__ORDER_LITTLE_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WORDS_AT_ONCE
typedef uint32_t __attribute__((may_alias)) word_of_bytes;
#endif
#endif

static void store(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)(word & 0xffu);
    bytes[1] = (uint8_t)((word >> 8) & 0xffu);
    bytes[2] = (uint8_t)((word >> 16) & 0xffu);
    bytes[3] = (uint8_t)(word >> 24);
}

// By volatile accesses: a compiler must not remove writes that are never read.
static void wipe(uint32_t *words, uint32_t count) {
    volatile uint32_t *const at = words;
    uint32_t i;
    for (i = 0u; i < count; i++) at[i] = 0u;
}

////////////////////
// Registers      //
////////////////////

// The digest of a function that is there, in bytes; 0 where any length is.
static uint32_t fixed_bytes(uint32_t code) {
    const uint32_t size = (code < 6u) ? code : code - 6u;  // of four sizes: SHA-3, Keccak
    return (size < 4u) ? ((0x4030201cu >> (8u * size)) & 0xffu) : 0u;
}

static int has_function(const hf_keccak_device *device, uint32_t code) {
    return code < 32u && ((device->functions >> code) & 1u) != 0u;
}

static hf_keccak_error error_of(uint32_t causes) {
    static const hf_keccak_error errors[] = {
        HF_KECCAK_BAD_COMMAND, HF_KECCAK_BAD_FUNCTION, HF_KECCAK_BAD_POSITION,
        HF_KECCAK_MESSAGE_WRITE, HF_KECCAK_DIGEST_READ, HF_KECCAK_STATE_ACCESS,
        HF_KECCAK_CONFIG_WRITE, HF_KECCAK_BAD_ACCESS, HF_KECCAK_NO_LENGTH,
    };
    uint32_t i;
    for (i = 0u; i < (uint32_t)(sizeof errors / sizeof errors[0]); i++) {
        if (((causes >> i) & 1u) != 0u) return errors[i];
    }
    return HF_KECCAK_NO_DEVICE;
}

// Reads STATUS, which is to have one of these phases.
static hf_keccak_error look(hf_keccak_device *device, uint32_t phases, uint32_t *status) {
    uint32_t found = get(device, REGISTER(STATUS));
    if (device->ends != 0u) {
        // A message that RUN has counted ends by itself, a clock cycle or two after its last word:
        // until then `absorb` is a phase that is about to change.
        const uint32_t phase = 1u << FIELD(found, HF_KECCAK_REGS__STATUS__PHASE);
        if (phase == PHASE(ABSORB)) found = (found & ~STATUS(PHASE)) | AS_CHANGE;
        else if (phase != PHASE(CHANGE)) device->ends = 0u;
    }
    *status = found;
    if ((found & NOT_STATUS) != 0u) return HF_KECCAK_NO_DEVICE;
    if ((found & STATUS(ERROR)) != 0u) {
        device->causes = get(device, REGISTER(ERROR));
        return error_of(device->causes);
    }
    if (((1u << FIELD(found, HF_KECCAK_REGS__STATUS__PHASE)) & phases) == 0u) {
        return HF_KECCAK_LOST;
    }
    return HF_KECCAK_OK;
}

// Reads STATUS until the phase is `wanted`; until then it must be one of `phases`.
static hf_keccak_error wait_for(hf_keccak_device *device, uint32_t wanted, uint32_t phases) {
    uint32_t polls, status;
    for (polls = 0u; polls < device->polls; polls++) {
        const hf_keccak_error error = look(device, wanted | phases, &status);
        if (error != HF_KECCAK_OK) return error;
        if (((1u << FIELD(status, HF_KECCAK_REGS__STATUS__PHASE)) & wanted) != 0u) {
            return HF_KECCAK_OK;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

// Reads STATUS until it says nothing of a command under way: the phase is one of `phases` then.
static hf_keccak_error settled(hf_keccak_device *device, uint32_t phases, uint32_t *status) {
    uint32_t polls;
    for (polls = 0u; polls < device->polls; polls++) {
        const hf_keccak_error error = look(device, phases | PHASE(CHANGE), status);
        if (error != HF_KECCAK_OK || FIELD(*status, HF_KECCAK_REGS__STATUS__PHASE) !=
                                         (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__CHANGE) {
            return error;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

#define OUTPUT_PHASES (PHASE(FINISH) | PHASE(SQUEEZE) | PHASE(CHANGE) | PHASE(IDLE))

// What the digest FIFO has. It is to be in a phase of output: idle only once that is complete.
static hf_keccak_error ready_words(hf_keccak_device *device, uint32_t *words, uint32_t *status) {
    const hf_keccak_error error = look(device, OUTPUT_PHASES, status);
    if (error != HF_KECCAK_OK) return error;
    if (FIELD(*status, HF_KECCAK_REGS__STATUS__PHASE) ==
            (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__IDLE &&
        (*status & STATUS(DONE)) == 0u) {
        return HF_KECCAK_LOST;
    }
    *words = FIELD(*status, HF_KECCAK_REGS__STATUS__DIGEST_WORDS);
    return HF_KECCAK_OK;
}

// No context's hash is in the hardware.
static void disown(hf_keccak_device *device) {
    device->owner = NULL;
    device->ends = 0u;
}

static void silence(hf_keccak_device *device) {
    put(device, REGISTER(INTR_ENABLE), 0u);
    put(device, REGISTER(COMMAND), COMMAND(CLEAR));
    put(device, REGISTER(CONFIG), 0u);  // no message by the stream, which RUN leaves as it is
    put(device, REGISTER(ERROR), ALL_BITS);
    put(device, REGISTER(INTR_STATE), ALL_BITS);
    disown(device);
}

static void forget(hf_keccak_context *context) {
    if (context->output_words != 0u) wipe(context->output, HF_KECCAK_DIGEST_WORDS);
    if (context->saved != 0u) wipe(context->words, HF_KECCAK_STATE_WORDS);
    if (context->rest_bytes != 0u) wipe(&context->rest, 1u);
    if (context->tail != 0u) wipe(&context->tail, 1u);
    context->saved = 0u;
    context->rest_bytes = 0u;
    context->output_words = 0u;
    context->phase = PHASE_OVER;
}

// A hash that something went wrong with is lost, and the peripheral ready for the next one.
static hf_keccak_error fail(hf_keccak_context *context, hf_keccak_error error) {
    hf_keccak_device *const device = context->device;
    silence(device);
    forget(context);
    return error;
}

// The context's hash leaves the hardware, which is another's.
static hf_keccak_error give_up(hf_keccak_context *context) {
    hf_keccak_device *const device = context->device;
    hf_keccak_error error;
    uint32_t status;
    put(device, REGISTER(COMMAND), COMMAND(CLEAR));
    disown(device);
    error = look(device, PHASE(CHANGE) | PHASE(IDLE), &status);
    return (error == HF_KECCAK_OK) ? error : fail(context, error);
}

////////////////////
// Taking turns   //
////////////////////

// The hash in the hardware goes into its context. Words that have left it are kept beside it: a
// context whose hash is in the hardware has none.
static hf_keccak_error put_aside(hf_keccak_device *device) {
    hf_keccak_context *const context = device->owner;
    uint32_t status, count, i;
    // Held in idle, a state of zeros would be taken for the hash of a peripheral that was cleared.
    hf_keccak_error error = wait_for(
        device, (context->phase == PHASE_SQUEEZE) ? OUTPUT_PHASES & ~PHASE(CHANGE) : PHASE(ABSORB),
        PHASE(CHANGE));
    if (error == HF_KECCAK_OK && context->phase == PHASE_SQUEEZE) {
        error = ready_words(device, &count, &status);
    }
    if (error != HF_KECCAK_OK) return fail(context, error);
    put(device, REGISTER(COMMAND), COMMAND(HOLD));
    error = wait_for(device, PHASE(HELD), PHASE(ABSORB) | OUTPUT_PHASES);
    if (error == HF_KECCAK_OK) error = look(device, PHASE(HELD), &status);
    if (error != HF_KECCAK_OK) return fail(context, error);
    if (context->phase == PHASE_SQUEEZE) {
        count = FIELD(status, HF_KECCAK_REGS__STATUS__DIGEST_WORDS);
        if (count > HF_KECCAK_DIGEST_WORDS) return fail(context, HF_KECCAK_LOST);
        for (i = 0u; i < count; i++) context->output[i] = get(device, REGISTER(DIGEST));
        context->output_at = 0u;
        context->output_words = count;
        context->left = get(device, REGISTER(LENGTH));
    }
    if (context->phase == PHASE_ABSORB || context->left != 0u) {
        context->position = get(device, REGISTER(POSITION));
        for (i = 0u; i < HF_KECCAK_STATE_WORDS; i++) {
            context->words[i] = get(device, REGISTER(STATE) + (4u * i));
        }
        context->saved = 1u;
    }
    return give_up(context);
}

// A hash begins in the hardware, which has none. `output_bits`: 0 if they are not known yet.
static void start(uintptr_t base, uint32_t code, uint32_t output_bits, uint32_t tail) {
    // Always: the peripheral may have been reset since the hash before, which STATUS does not show.
    hf_keccak_write32(base, REGISTER(CONFIG), code);
    if (output_bits != 0u) hf_keccak_write32(base, REGISTER(LENGTH), output_bits);
    if (tail != 0u) hf_keccak_write32(base, REGISTER(TAIL), tail);
    hf_keccak_write32(base, REGISTER(COMMAND), COMMAND(START));
}

// A hash of a message of `bytes` bytes begins. Returns whether its message ends by itself: where the
// peripheral has RUN, one write is function, lengths and `start`.
static int start_whole(const hf_keccak_device *device, uint32_t code, size_t bytes,
                       uint32_t output_bits, uint32_t tail) {
    const uintptr_t base = device->base;
    uint32_t words = RUN_OPEN;
    if (device->run == 0u || bytes >= (size_t)RUN_OPEN) {
        start(base, code, output_bits, tail);
        return 0;
    }
    if (output_bits != HF_KECCAK_OPEN) {
        words = output_bits >> 5;
        if ((output_bits & 31u) != 0u || words >= RUN_OPEN) {
            hf_keccak_write32(base, REGISTER(LENGTH), output_bits);
            words = 0u;
        }
    }
    if (tail != 0u) hf_keccak_write32(base, REGISTER(TAIL), tail);
    hf_keccak_write32(base, REGISTER(RUN),
                      code | (words << HF_KECCAK_REGS__RUN__OUTPUT_WORDS_bp) |
                          ((uint32_t)bytes << HF_KECCAK_REGS__RUN__MESSAGE_BYTES_bp));
    return 1;
}

// The context's hash goes into the hardware, which may have to give up another one.
static hf_keccak_error take(hf_keccak_context *context) {
    hf_keccak_device *const device = context->device;
    hf_keccak_error error;
    uint32_t i;
    if (device->owner == context) return HF_KECCAK_OK;
    // Its hash was in hardware that has been opened again.
    if (context->phase != PHASE_NEW && context->saved == 0u) {
        forget(context);
        return HF_KECCAK_LOST;
    }
    if (device->owner != NULL) {
        error = put_aside(device);
        if (error != HF_KECCAK_OK) return error;
    }
    if (context->phase == PHASE_NEW) {
        start(device->base, (uint32_t)context->function, 0u, 0u);
        context->phase = PHASE_ABSORB;
    } else {
        put(device, REGISTER(CONFIG), (uint32_t)context->function);
        put(device, REGISTER(COMMAND), COMMAND(HOLD));
        error = wait_for(device, PHASE(HELD), PHASE(IDLE) | PHASE(CHANGE));
        if (error != HF_KECCAK_OK) return fail(context, error);
        put(device, REGISTER(LENGTH), context->left);
        put(device, REGISTER(POSITION), context->position);
        for (i = 0u; i < HF_KECCAK_STATE_WORDS; i++) {
            put(device, REGISTER(STATE) + (4u * i), context->words[i]);
        }
        put(device, REGISTER(COMMAND), COMMAND(RESUME));
        wipe(context->words, HF_KECCAK_STATE_WORDS);
        context->saved = 0u;
        // LENGTH and TAIL are closed until it has gone on.
        if (context->phase == PHASE_ABSORB) {
            error = wait_for(device, PHASE(ABSORB), PHASE(CHANGE));
            if (error != HF_KECCAK_OK) return fail(context, error);
        }
    }
    device->owner = context;
    return HF_KECCAK_OK;
}

// The last word has come out of the hardware; it is idle again a few clock cycles later.
static hf_keccak_error complete(hf_keccak_device *device) {
    uint32_t polls, status;
    for (polls = 0u; polls < device->polls; polls++) {
        const hf_keccak_error error =
            look(device, PHASE(SQUEEZE) | PHASE(CHANGE) | PHASE(IDLE), &status);
        if (error != HF_KECCAK_OK) return error;
        if ((status & STATUS(DONE)) != 0u) {
            disown(device);
            return HF_KECCAK_OK;
        }
        if (FIELD(status, HF_KECCAK_REGS__STATUS__PHASE) ==
            (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__IDLE) {
            return HF_KECCAK_LOST;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

////////////////////
// Message        //
////////////////////

// Words of the message FIFO, or how many bytes are left of a message where there is no FIFO.
static size_t free_bytes(const hf_keccak_device *device, uint32_t status) {
    const uint32_t words = (device->message_words == 0u)
                               ? BURST
                               : FIELD(status, HF_KECCAK_REGS__STATUS__MESSAGE_FREE);
    return (size_t)words * 4u;
}

#define MESSAGE_AT REGISTER(MESSAGE)
#define DIGEST_AT REGISTER(DIGEST)

// Writes the words of a message from `message` on; returns how many bytes they are: all but the last
// three at most.
#if defined(HF_KECCAK_IO_BLOCKS)
static size_t write_words(uintptr_t base, const uint8_t *message, size_t bytes) {
    uint32_t block[WINDOW_WORDS];
    size_t at = 0u;
    while (bytes - at >= 4u) {
        uint32_t count = 0u;
        for (; bytes - at >= 4u && count < WINDOW_WORDS; at += 4u) {
            block[count++] = load(&message[at]);
        }
        hf_keccak_write_block(base, REGISTER(MESSAGE_WINDOW), block, count);
    }
    wipe(block, WINDOW_WORDS);
    return at;
}
#elif defined(WORDS_AT_ONCE)
// The words are those of the memory, each put together of two of them. No byte is read by itself but up
// to three at the beginning.
static size_t write_shifted(uintptr_t base, const uint8_t *message, size_t bytes) {
    const uint32_t before = 4u - (uint32_t)((uintptr_t)message & 3u);  // bytes up to a word
    const uint32_t low = 8u * before, high = 32u - low;
    const word_of_bytes *words = (const word_of_bytes *)(const void *)&message[before];
    uint32_t kept = 0u, i;
    size_t left = bytes - before;
    for (i = 0u; i < before; i++) kept |= (uint32_t)message[i] << (8u * i);
    for (; left >= 4u; left -= 4u) {
        const uint32_t word = *words++;
        hf_keccak_write32(base, MESSAGE_AT, kept | (word << low));
        kept = word >> high;
    }
    return bytes - before - left;
}

static size_t write_words(uintptr_t base, const uint8_t *message, size_t bytes) {
    const word_of_bytes *words = (const word_of_bytes *)(const void *)message;
    size_t left = bytes;
    if (((uintptr_t)message & 3u) != 0u) {
        return (bytes < 4u) ? 0u : write_shifted(base, message, bytes);
    }
    for (; left >= 32u; left -= 32u) {
        const uint32_t w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
        const uint32_t w4 = words[4], w5 = words[5], w6 = words[6], w7 = words[7];
        words += 8;
        hf_keccak_write32(base, MESSAGE_AT, w0);
        hf_keccak_write32(base, MESSAGE_AT, w1);
        hf_keccak_write32(base, MESSAGE_AT, w2);
        hf_keccak_write32(base, MESSAGE_AT, w3);
        hf_keccak_write32(base, MESSAGE_AT, w4);
        hf_keccak_write32(base, MESSAGE_AT, w5);
        hf_keccak_write32(base, MESSAGE_AT, w6);
        hf_keccak_write32(base, MESSAGE_AT, w7);
    }
    for (; left >= 4u; left -= 4u) hf_keccak_write32(base, MESSAGE_AT, *words++);
    return bytes - left;
}
#else
static size_t write_words(uintptr_t base, const uint8_t *message, size_t bytes) {
    size_t at = 0u;
    for (; bytes - at >= 4u; at += 4u) hf_keccak_write32(base, MESSAGE_AT, load(&message[at]));
    return at;
}
#endif

// The last one to three bytes of what is written.
static void write_rest(uintptr_t base, const uint8_t *bytes, size_t count) {
    const uint8_t *at = bytes;
    size_t left = count;
#ifdef HF_KECCAK_IO_HALVES
    if (left >= 2u) {
        hf_keccak_write16(base, MESSAGE_AT, (uint16_t)((uint32_t)at[0] | ((uint32_t)at[1] << 8)));
        at += 2;
        left -= 2u;
    }
#endif
    for (; left != 0u; left--) hf_keccak_write8(base, MESSAGE_AT, *at++);
}

// `ends`: what is beyond its end in its last word is ignored.
static void write_message(uintptr_t base, const uint8_t *message, size_t bytes, int ends) {
    size_t at = write_words(base, message, bytes);
    // An unaligned message has up to a word more.
    if (bytes - at >= 4u) {
        hf_keccak_write32(base, MESSAGE_AT, load(&message[at]));
        at += 4u;
    }
    if (at == bytes) return;
    if (ends != 0) {
        uint32_t word = 0u, shift;
        for (shift = 0u; at < bytes; shift += 8u) word |= (uint32_t)message[at++] << shift;
        hf_keccak_write32(base, MESSAGE_AT, word);
    } else {
        write_rest(base, &message[at], bytes - at);
    }
}

// Waits until there is room for these bytes, or for half of what the FIFO holds.
static hf_keccak_error wait_for_room(hf_keccak_device *device, size_t bytes, size_t *room) {
    const size_t half = (device->message_words == 0u) ? 4u : (size_t)device->message_words * 2u;
    const size_t least = (bytes < half) ? bytes : half;
    uint32_t polls, status;
    for (polls = 0u; polls < device->polls; polls++) {
        const hf_keccak_error error = look(device, PHASE(ABSORB) | PHASE(CHANGE), &status);
        if (error != HF_KECCAK_OK) return error;
        *room = free_bytes(device, status);
        if (*room >= least && FIELD(status, HF_KECCAK_REGS__STATUS__PHASE) ==
                                  (uint32_t)HF_KECCAK_REGS__STATUS__PHASE__ABSORB) {
            return HF_KECCAK_OK;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

// The bytes that go into the FIFO of those that are left. Each of the last three is a word of it.
static size_t part_of(size_t bytes, size_t room) {
    size_t part = bytes;
    if ((bytes & ~(size_t)3u) + ((bytes & 3u) * 4u) > room) {
        part = (bytes < room) ? bytes & ~(size_t)3u : room;
    }
    return part;
}

static hf_keccak_error absorb(hf_keccak_context *context, const uint8_t *message, size_t bytes) {
    hf_keccak_device *const device = context->device;
    const uint8_t *at = message;
    size_t left = bytes;
    uint32_t status;
    while (device->waits == HF_KECCAK_DRIVER_WAITS && left != 0u) {
        size_t room = 0u, part;
        const hf_keccak_error error = wait_for_room(device, left, &room);
        if (error != HF_KECCAK_OK) return error;
        part = part_of(left, room);
        if (part == 0u) part = 1u;
        write_message(device->base, at, part, 0);
        at += part;
        left -= part;
    }
    write_message(device->base, at, left, 0);
    return look(device, PHASE(ABSORB) | PHASE(CHANGE), &status);
}

////////////////////
// Output         //
////////////////////

#define MOST_WORDS 0x3fffffffu  // that are read in a row: a size_t may count more

static uint32_t words_of(size_t bytes) {
    const size_t words = (bytes / 4u) + (((bytes & 3u) != 0u) ? 1u : 0u);
    return (words > MOST_WORDS) ? MOST_WORDS : (uint32_t)words;
}

// Up to four bytes of the rest of a word.
static size_t give_rest(hf_keccak_context *context, uint8_t *output, size_t bytes) {
    size_t given = 0u;
    while (given < bytes && context->rest_bytes != 0u) {
        output[given++] = (uint8_t)(context->rest & 0xffu);
        context->rest >>= 8;
        context->rest_bytes--;
    }
    return given;
}

static void keep_rest(hf_keccak_context *context, uint32_t word) {
    context->rest = word;
    context->rest_bytes = 4u;
}

// One word of the hardware less is to come.
static void count_words(hf_keccak_context *context, uint32_t words) {
    if (context->left != HF_KECCAK_OPEN) {
        context->left = ((context->left >> 5) < words) ? 0u : context->left - (words << 5);
    }
}

// Reads whole words of the digest FIFO.
static void read_words(uintptr_t base, uint8_t *output, uint32_t words) {
    uint8_t *at = output;
    uint32_t left = words;
#ifdef HF_KECCAK_IO_BLOCKS
    uint32_t block[WINDOW_WORDS];
    while (left != 0u) {
        const uint32_t count = (left < WINDOW_WORDS) ? left : WINDOW_WORDS;
        uint32_t i;
        hf_keccak_read_block(base, REGISTER(DIGEST_WINDOW), block, count);
        for (i = 0u; i < count; i++) {
            store(at, block[i]);
            at += 4;
        }
        left -= count;
    }
    wipe(block, WINDOW_WORDS);
#elif defined(WORDS_AT_ONCE)
    if (((uintptr_t)at & 3u) == 0u) {
        word_of_bytes *to = (word_of_bytes *)(void *)at;
        for (; left >= 4u; left -= 4u) {
            const uint32_t w0 = hf_keccak_read32(base, DIGEST_AT);
            const uint32_t w1 = hf_keccak_read32(base, DIGEST_AT);
            const uint32_t w2 = hf_keccak_read32(base, DIGEST_AT);
            const uint32_t w3 = hf_keccak_read32(base, DIGEST_AT);
            to[0] = w0;
            to[1] = w1;
            to[2] = w2;
            to[3] = w3;
            to += 4;
        }
        for (; left != 0u; left--) *to++ = hf_keccak_read32(base, DIGEST_AT);
    }
#endif
    for (; left != 0u; left--) {
        store(at, hf_keccak_read32(base, DIGEST_AT));
        at += 4;
    }
}

// The bytes after the last whole word of an output: they are a word of the FIFO.
static void read_part(uintptr_t base, uint8_t *output, size_t bytes) {
    uint32_t word = hf_keccak_read32(base, DIGEST_AT);
    size_t at;
    for (at = bytes & ~(size_t)3u; at < bytes; at++) {
        output[at] = (uint8_t)(word & 0xffu);
        word >>= 8;
    }
}

// Waits for these words, or for half of what the FIFO holds.
static hf_keccak_error wait_for_words(hf_keccak_device *device, uint32_t wanted, uint32_t *words) {
    const uint32_t half = (device->digest_words + 1u) / 2u;
    const uint32_t least = (wanted < half) ? wanted : half;
    uint32_t polls, status;
    for (polls = 0u; polls < device->polls; polls++) {
        const hf_keccak_error error = ready_words(device, words, &status);
        if (error != HF_KECCAK_OK) return error;
        if (*words >= least) {
            if (*words > wanted) *words = wanted;
            return HF_KECCAK_OK;
        }
    }
    return HF_KECCAK_TIMEOUT;
}

// `bytes` of available output: the rest of a word, saved words, or `words` words
// in the FIFO. Returns the number of bytes that were available.
static size_t give(hf_keccak_context *context, uint8_t *output, size_t bytes, uint32_t words) {
    size_t given = give_rest(context, output, bytes);
    uint32_t left = words;
    size_t whole;
    while (given < bytes && context->output_at < context->output_words) {
        keep_rest(context, context->output[context->output_at]);
        context->output_at++;
        given += give_rest(context, &output[given], bytes - given);
    }
    whole = (bytes - given) / 4u;
    if (whole > left) whole = left;
    if (whole != 0u) {
        read_words(context->device->base, &output[given], (uint32_t)whole);
        count_words(context, (uint32_t)whole);
        given += whole * 4u;
        left -= (uint32_t)whole;
    }
    if (given < bytes && left != 0u) {
        keep_rest(context, get(context->device, REGISTER(DIGEST)));
        count_words(context, 1u);
        given += give_rest(context, &output[given], bytes - given);
    }
    if (context->due != HF_KECCAK_OPEN) context->due -= (uint32_t)given;
    return given;
}

static hf_keccak_error squeeze(hf_keccak_context *context, uint8_t *output, size_t bytes) {
    hf_keccak_device *const device = context->device;
    size_t given = give(context, output, bytes, 0u);
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t status, words;
    if (given == bytes) return error;
    error = take(context);
    if (error != HF_KECCAK_OK) return error;
    while (device->waits == HF_KECCAK_DRIVER_WAITS && given < bytes) {
        error = wait_for_words(device, words_of(bytes - given), &words);
        if (error != HF_KECCAK_OK) return fail(context, error);
        given += give(context, &output[given], bytes - given, words);
    }
    while (given < bytes) {
        given += give(context, &output[given], bytes - given, words_of(bytes - given));
    }
    error = (context->left == 0u) ? complete(device) : look(device, OUTPUT_PHASES, &status);
    return (error == HF_KECCAK_OK) ? error : fail(context, error);
}

////////////////////
// The device     //
////////////////////

hf_keccak_error hf_keccak_open(hf_keccak_device *device, uintptr_t base) {
    uint32_t version, caps, engine;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    device->base = base;
    device->waits = HF_KECCAK_BUS_WAITS;
    device->polls = HF_KECCAK_POLLS;
    device->causes = 0u;
    disown(device);
    device->job = NULL;
    if (get(device, REGISTER(ID)) != (uint32_t)HF_KECCAK_REGS__ID__ID_reset) {
        return HF_KECCAK_NO_DEVICE;
    }
    // LENGTH and TAIL end with a hash since minor version 1.
    version = get(device, REGISTER(VERSION));
    if (FIELD(version, HF_KECCAK_REGS__VERSION__MAJOR) !=
            (uint32_t)HF_KECCAK_REGS__VERSION__MAJOR_reset ||
        FIELD(version, HF_KECCAK_REGS__VERSION__MINOR) < 1u) {
        return HF_KECCAK_VERSION;
    }
    caps = get(device, REGISTER(CAPS));
    device->message_words = FIELD(caps, HF_KECCAK_REGS__CAPS__MESSAGE_WORDS);
    device->digest_words = FIELD(caps, HF_KECCAK_REGS__CAPS__DIGEST_WORDS);
    device->functions = get(device, REGISTER(FUNCTIONS)) & ALL_FUNCTIONS;
    // A permutation takes 12,560 clock cycles there, and a wait several permutations.
    engine = FIELD(caps, HF_KECCAK_REGS__CAPS__ENGINE);
    if (engine == (uint32_t)HF_KECCAK_REGS__CAPS__ENGINE__TINY) {
        device->polls = 10u * HF_KECCAK_POLLS;
    }
    device->run = 0u;
    if (FIELD(version, HF_KECCAK_REGS__VERSION__MINOR) >= OF_OPTIONS) {
        device->run = FIELD(get(device, REGISTER(OPTIONS)), HF_KECCAK_REGS__OPTIONS__RUN);
    }
    device->fast = (engine == (uint32_t)HF_KECCAK_REGS__CAPS__ENGINE__ITERATIVE) ? 1u : 0u;
    if (device->digest_words > HF_KECCAK_DIGEST_WORDS) return HF_KECCAK_TOO_DEEP;
    silence(device);
    return wait_for(device, PHASE(IDLE), PHASE(CHANGE));
}

static hf_keccak_error check(const hf_keccak_context *context) {
    if (context == NULL || context->device == NULL) return HF_KECCAK_ARGUMENT;
    return (context->device->job != NULL) ? HF_KECCAK_BUSY : HF_KECCAK_OK;
}

hf_keccak_error hf_keccak_sizes(hf_keccak_function function, uint32_t *rate, uint32_t *digest) {
    if (rate == NULL || digest == NULL) return HF_KECCAK_ARGUMENT;
    *digest = 0u;
    switch (function) {
    case HF_SHA3_224:
    case HF_KECCAK_224: *digest = 28u; break;
    case HF_SHA3_256:
    case HF_KECCAK_256: *digest = 32u; break;
    case HF_SHA3_384:
    case HF_KECCAK_384: *digest = 48u; break;
    case HF_SHA3_512:
    case HF_KECCAK_512: *digest = 64u; break;
    case HF_SHAKE128:
    case HF_CSHAKE128: *rate = 168u; return HF_KECCAK_OK;
    case HF_SHAKE256:
    case HF_CSHAKE256: *rate = 136u; return HF_KECCAK_OK;
    case HF_KECCAK_1024_576: *rate = 128u; return HF_KECCAK_OK;
    default: return HF_KECCAK_FUNCTION;
    }
    *rate = 200u - (2u * *digest);
    return HF_KECCAK_OK;
}

////////////////////
// In pieces      //
////////////////////

hf_keccak_error hf_keccak_init(hf_keccak_context *context, hf_keccak_device *device,
                               hf_keccak_function function) {
    if (context == NULL || device == NULL) return HF_KECCAK_ARGUMENT;
    context->device = device;
    context->phase = PHASE_OVER;
    context->saved = 0u;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    if (!has_function(device, (uint32_t)function)) return HF_KECCAK_FUNCTION;
    context->rest_bytes = 0u;
    context->tail = 0u;
    context->output_at = 0u;
    context->output_words = 0u;
    if (device->owner == context) {
        const hf_keccak_error error = hf_keccak_stop(context);
        if (error != HF_KECCAK_OK) return error;
    }
    context->function = function;
    context->phase = PHASE_NEW;
    return HF_KECCAK_OK;
}

static int takes_message(const hf_keccak_context *context) {
    return context->phase == PHASE_NEW || context->phase == PHASE_ABSORB;
}

hf_keccak_error hf_keccak_update(hf_keccak_context *context, const uint8_t *message,
                                 size_t bytes) {
    hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (message == NULL && bytes != 0u) return HF_KECCAK_ARGUMENT;
    if (!takes_message(context) || context->tail != 0u) return HF_KECCAK_SEQUENCE;
    if (bytes == 0u) return HF_KECCAK_OK;
    error = take(context);
    if (error != HF_KECCAK_OK) return error;
    error = absorb(context, message, bytes);
    return (error == HF_KECCAK_OK) ? error : fail(context, error);
}

hf_keccak_error hf_keccak_last_bits(hf_keccak_context *context, uint8_t last_byte, unsigned bits) {
    const hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (bits > 7u) return HF_KECCAK_ARGUMENT;
    if (!takes_message(context)) return HF_KECCAK_SEQUENCE;
    context->tail = (bits == 0u) ? 0u : ((uint32_t)last_byte << 8) | (uint32_t)bits;
    return HF_KECCAK_OK;
}

// The message ends with these bytes. What can be wrong with that shows in the next look at STATUS.
static hf_keccak_error end_message(hf_keccak_context *context, const uint8_t *message, size_t bytes,
                                   uint32_t output_bits) {
    hf_keccak_device *const device = context->device;
    const uint32_t code = (uint32_t)context->function, fixed = fixed_bytes(code);
    hf_keccak_error error = HF_KECCAK_OK;
    int ends = 0;
    if (fixed == 0u && output_bits == 0u) {
        // No length is an error of the hardware: nothing is to come, and it is not needed.
        if (device->owner == context) error = give_up(context);
        if (error == HF_KECCAK_OK) {
            forget(context);
            context->due = 0u;
            context->left = 0u;
            context->phase = PHASE_SQUEEZE;
        }
        return error;
    }
    if (context->phase == PHASE_NEW) {
        if (device->owner != NULL) error = put_aside(device);
        if (error != HF_KECCAK_OK) return error;
        ends = start_whole(device, code, bytes, (fixed == 0u) ? output_bits : 0u, context->tail);
        device->ends = (uint32_t)ends;
        device->owner = context;
    } else {
        error = take(context);
        if (error != HF_KECCAK_OK) return error;
        if (fixed == 0u) put(device, REGISTER(LENGTH), output_bits);
        if (context->tail != 0u) put(device, REGISTER(TAIL), context->tail);
    }
    write_message(device->base, message, bytes, ends);
    if (ends == 0) put(device, REGISTER(COMMAND), COMMAND(LAST));
    context->left = (fixed == 0u) ? output_bits : fixed * 8u;
    context->due = (context->left == HF_KECCAK_OPEN)
                       ? HF_KECCAK_OPEN
                       : (context->left / 8u) + (((context->left % 8u) != 0u) ? 1u : 0u);
    context->phase = PHASE_SQUEEZE;
    if (context->tail != 0u) wipe(&context->tail, 1u);
    return HF_KECCAK_OK;
}

hf_keccak_error hf_keccak_end(hf_keccak_context *context, uint32_t output_bits) {
    const hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (!takes_message(context)) return HF_KECCAK_SEQUENCE;
    return end_message(context, NULL, 0u, output_bits);
}

// The last byte has been given away.
static void over_if_complete(hf_keccak_context *context) {
    if (context->phase == PHASE_SQUEEZE && context->due == 0u) forget(context);
}

// Whether the next output is words of the hardware, without an end, for which the bus waits.
static int is_flowing(const hf_keccak_context *context) {
    const hf_keccak_device *const device = context->device;
    return device->owner == context && device->waits == HF_KECCAK_BUS_WAITS &&
           context->phase == PHASE_SQUEEZE && context->left == HF_KECCAK_OPEN &&
           context->rest_bytes == 0u && context->output_at >= context->output_words;
}

hf_keccak_error hf_keccak_squeeze(hf_keccak_context *context, uint8_t *output, size_t bytes) {
    uint32_t status;
    hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (output == NULL && bytes != 0u) return HF_KECCAK_ARGUMENT;
    if (is_flowing(context) && (bytes & 3u) == 0u && bytes / 4u <= MOST_WORDS) {
        read_words(context->device->base, output, (uint32_t)(bytes / 4u));
        // No words at all do not wait for `last` to take effect.
        error = look(context->device, PHASE(FINISH) | PHASE(SQUEEZE) | PHASE(CHANGE), &status);
        return (error == HF_KECCAK_OK) ? error : fail(context, error);
    }
    if (takes_message(context)) error = end_message(context, NULL, 0u, HF_KECCAK_OPEN);
    if (error != HF_KECCAK_OK) return error;
    if (context->phase != PHASE_SQUEEZE) return HF_KECCAK_SEQUENCE;
    if (context->due != HF_KECCAK_OPEN && bytes > (size_t)context->due) return HF_KECCAK_ARGUMENT;
    error = squeeze(context, output, bytes);
    if (error == HF_KECCAK_OK) over_if_complete(context);
    return error;
}

// Whether there is an output of `bytes` bytes of a function with a digest of `fixed` bytes.
static int gives(uint32_t fixed, size_t bytes) {
    return (fixed != 0u) ? bytes == (size_t)fixed : bytes <= (size_t)(HF_KECCAK_OPEN / 8u);
}

hf_keccak_error hf_keccak_final(hf_keccak_context *context, uint8_t *digest, size_t bytes) {
    hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (digest == NULL && bytes != 0u) return HF_KECCAK_ARGUMENT;
    if (!takes_message(context)) return HF_KECCAK_SEQUENCE;
    if (!gives(fixed_bytes((uint32_t)context->function), bytes)) return HF_KECCAK_ARGUMENT;
    if (bytes == 0u) return hf_keccak_stop(context);
    error = end_message(context, NULL, 0u, (uint32_t)bytes * 8u);
    if (error == HF_KECCAK_OK) error = squeeze(context, digest, bytes);
    if (error == HF_KECCAK_OK) over_if_complete(context);
    return error;
}

hf_keccak_error hf_keccak_stop(hf_keccak_context *context) {
    hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (context->device->owner == context) error = give_up(context);
    if (error == HF_KECCAK_OK) forget(context);
    return error;
}

hf_keccak_error hf_keccak_save(hf_keccak_context *context) {
    const hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    return (context->device->owner == context) ? put_aside(context->device) : HF_KECCAK_OK;
}

hf_keccak_error hf_keccak_restore(hf_keccak_context *context) {
    const hf_keccak_error error = check(context);
    if (error != HF_KECCAK_OK) return error;
    if (context->phase == PHASE_OVER) return HF_KECCAK_SEQUENCE;
    // Saved words are returned first: the hardware would deliver more than there is room for.
    if (context->saved == 0u || context->output_at < context->output_words) return HF_KECCAK_OK;
    return take(context);
}

hf_keccak_error hf_keccak_copy(hf_keccak_context *copy, hf_keccak_context *context) {
    hf_keccak_error error = hf_keccak_save(context);
    if (error != HF_KECCAK_OK) return error;
    if (copy == NULL || copy == context) return HF_KECCAK_ARGUMENT;
    if (context->phase == PHASE_OVER) return HF_KECCAK_SEQUENCE;
    if (context->device->owner == copy) error = hf_keccak_stop(copy);
    if (error == HF_KECCAK_OK) *copy = *context;
    return error;
}

hf_keccak_error hf_keccak_message(hf_keccak_context *context, hf_keccak_device *device,
                                  hf_keccak_function function, const uint8_t *message,
                                  size_t bytes, uint32_t output_bits) {
    hf_keccak_error error = hf_keccak_init(context, device, function);
    if (error != HF_KECCAK_OK) return error;
    if (message == NULL && bytes != 0u) return HF_KECCAK_ARGUMENT;
    if (device->waits == HF_KECCAK_BUS_WAITS) {
        return end_message(context, message, bytes, output_bits);
    }
    error = hf_keccak_update(context, message, bytes);
    return (error == HF_KECCAK_OK) ? hf_keccak_end(context, output_bits) : error;
}

////////////////////
// One call       //
////////////////////

// By a context. The arguments are checked, and there is output.
static hf_keccak_error hash_in_pieces(hf_keccak_device *device, hf_keccak_function function,
                                      const uint8_t *message, size_t bytes, uint32_t tail,
                                      uint8_t *digest, uint32_t digest_bits) {
    hf_keccak_context context;
    hf_keccak_error error = hf_keccak_init(&context, device, function);
    if (error == HF_KECCAK_OK) error = hf_keccak_update(&context, message, bytes);
    if (error != HF_KECCAK_OK) return error;
    context.tail = tail;
    error = end_message(&context, NULL, 0u, digest_bits);
    if (error == HF_KECCAK_OK) error = squeeze(&context, digest, (size_t)context.due);
    return error;
}

// The last look at a hash without a context.
static hf_keccak_error complete_or_clear(hf_keccak_device *device) {
    const hf_keccak_error error = complete(device);
    if (error != HF_KECCAK_OK) silence(device);
    return error;
}

// Without a context, and with the fewest accesses: one look at STATUS, at the end, when all that was
// wrong shows.
hf_keccak_error hf_keccak_hash(hf_keccak_device *device, hf_keccak_function function,
                               const uint8_t *message, size_t bytes, uint8_t *digest,
                               size_t digest_bytes) {
    const uint32_t code = (uint32_t)function;
    uint32_t fixed, status;
    uintptr_t base;
    int ends;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    if (!has_function(device, code)) return HF_KECCAK_FUNCTION;
    fixed = fixed_bytes(code);
    if ((message == NULL && bytes != 0u) || (digest == NULL && digest_bytes != 0u) ||
        !gives(fixed, digest_bytes)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (digest_bytes == 0u) return HF_KECCAK_OK;
    if (device->waits != HF_KECCAK_BUS_WAITS) {
        return hash_in_pieces(device, function, message, bytes, 0u, digest,
                              (uint32_t)digest_bytes * 8u);
    }
    if (device->owner != NULL) {
        const hf_keccak_error error = put_aside(device);
        if (error != HF_KECCAK_OK) return error;
    }
    base = device->base;
    ends = start_whole(device, code, bytes, (fixed == 0u) ? (uint32_t)digest_bytes * 8u : 0u, 0u);
    write_message(base, message, bytes, ends);
    if (ends == 0) hf_keccak_write32(base, REGISTER(COMMAND), COMMAND(LAST));
    read_words(base, digest, (uint32_t)(digest_bytes / 4u));
    if ((digest_bytes & 3u) != 0u) read_part(base, digest, digest_bytes);
    // Done at the first look, but for a long output of a slow engine.
    status = hf_keccak_read32(base, REGISTER(STATUS));
    return ((status & END_OF_HASH) == STATUS(DONE))
               ? HF_KECCAK_OK
               : complete_or_clear(device);
}

hf_keccak_error hf_keccak_hash_bits(hf_keccak_device *device, hf_keccak_function function,
                                    const uint8_t *message, size_t bits, uint8_t *digest,
                                    size_t digest_bits) {
    const size_t whole = bits / 8u;
    const uint32_t rest = (uint32_t)(bits % 8u);
    uint32_t fixed;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->job != NULL) return HF_KECCAK_BUSY;
    if (!has_function(device, (uint32_t)function)) return HF_KECCAK_FUNCTION;
    fixed = fixed_bytes((uint32_t)function);
    if ((message == NULL && bits != 0u) || (digest == NULL && digest_bits != 0u) ||
        digest_bits >= (size_t)HF_KECCAK_OPEN ||
        (fixed != 0u && digest_bits != (size_t)fixed * 8u)) {
        return HF_KECCAK_ARGUMENT;
    }
    if (digest_bits == 0u) return HF_KECCAK_OK;
    return hash_in_pieces(device, function, message, whole,
                          (rest == 0u) ? 0u : ((uint32_t)message[whole] << 8) | rest, digest,
                          (uint32_t)digest_bits);
}

////////////////////
// By interrupt   //
////////////////////

static void end_job(hf_keccak_job *job, hf_keccak_error result) {
    hf_keccak_device *const device = job->context->device;
    if (job->enabled != 0u) put(device, REGISTER(INTR_ENABLE), 0u);
    device->job = NULL;
    job->result = result;
    if (job->done != NULL) job->done(job);
}

#define INTERRUPT(name) BIT(HF_KECCAK_REGS__INTR_ENABLE__##name)

// Writes the message as far as there is room. `wanted` is the interrupt to wait for, 0 if all is
// written.
static hf_keccak_error go_on_with_message(hf_keccak_job *job, uint32_t *wanted) {
    hf_keccak_context *const context = job->context;
    hf_keccak_device *const device = context->device;
    hf_keccak_error error = take(context);
    while (error == HF_KECCAK_OK && job->message_bytes != 0u) {
        uint32_t status;
        size_t part = 0u;
        // A peripheral that was cleared never has room: no interrupt would come.
        error = settled(device, PHASE(ABSORB), &status);
        if (error != HF_KECCAK_OK) return error;
        // Without a FIFO a burst waits, and the next one for its end.
        if (device->message_words != 0u || (status & STATUS(BUSY)) == 0u) {
            const size_t room = free_bytes(device, status);
            part = part_of(job->message_bytes, room);
            // A byte of the last word takes the place of a word.
            if (part == 0u && room >= 4u) part = 1u;
        }
        if (part == 0u) {
            *wanted = INTERRUPT(ROOM);
            return error;
        }
        write_message(device->base, job->message, part, 0);
        job->message += part;
        job->message_bytes -= part;
    }
    return error;
}

// Reads the output as far as it is there. `wanted` is as above.
static hf_keccak_error go_on_with_output(hf_keccak_job *job, uint32_t *wanted) {
    hf_keccak_context *const context = job->context;
    hf_keccak_error error = HF_KECCAK_OK;
    uint32_t words = 0u;
    for (;;) {
        const size_t given = give(context, job->output, job->output_bytes, words);
        uint32_t status;
        job->output += given;
        job->output_bytes -= given;
        if (job->output_bytes == 0u) return error;
        error = take(context);
        if (error == HF_KECCAK_OK) error = ready_words(context->device, &words, &status);
        if (error != HF_KECCAK_OK) return error;
        if (words == 0u) {
            *wanted = INTERRUPT(DIGEST);
            return error;
        }
    }
}

// Does what can be done without a wait. `wanted` is the interrupt to wait for, 0 if all is done.
static hf_keccak_error go_on(hf_keccak_job *job, uint32_t *wanted) {
    hf_keccak_context *const context = job->context;
    hf_keccak_error error = HF_KECCAK_OK;
    *wanted = 0u;
    if (job->message_bytes != 0u) error = go_on_with_message(job, wanted);
    if (error == HF_KECCAK_OK && *wanted == 0u && job->output != NULL) {
        if (takes_message(context)) error = end_message(context, NULL, 0u, job->limit);
        if (error == HF_KECCAK_OK) error = go_on_with_output(job, wanted);
    }
    return error;
}

// Where each wait is shorter than an interrupt: of the bus, for the fast engine.
static int no_interrupts(const hf_keccak_device *device) {
    return device->fast != 0u && device->waits == HF_KECCAK_BUS_WAITS;
}

// The same without interrupts.
static hf_keccak_error go_through(hf_keccak_job *job) {
    hf_keccak_context *const context = job->context;
    hf_keccak_error error = HF_KECCAK_OK;
    if (job->output == NULL) {
        if (job->message_bytes != 0u) error = take(context);
        if (error == HF_KECCAK_OK && job->message_bytes != 0u) {
            error = absorb(context, job->message, job->message_bytes);
        }
        return error;
    }
    if (takes_message(context)) {
        error = end_message(context, job->message, job->message_bytes, job->limit);
    }
    return (error == HF_KECCAK_OK) ? squeeze(context, job->output, job->output_bytes) : error;
}

static hf_keccak_error step(hf_keccak_job *job) {
    hf_keccak_context *const context = job->context;
    hf_keccak_device *const device = context->device;
    uint32_t wanted = 0u;
    hf_keccak_error error;
    if (no_interrupts(device)) {
        error = go_through(job);
    } else {
        size_t left;
        error = go_on(job, &wanted);
        do {
            left = job->output_bytes;
            if (error == HF_KECCAK_OK && wanted != 0u) {
                // What is to be waited for may have come by now, and its bit is about to be cleared.
                put(device, REGISTER(INTR_STATE), ALL_BITS);
                error = go_on(job, &wanted);
            }
            // The next word of a block comes sooner than an interrupt.
        } while (job->output_bytes != left);
        if (error == HF_KECCAK_OK && wanted != 0u) {
            // Before: the interrupt may come at once, and its handler end the job.
            *(volatile uint32_t *)&job->enabled = 1u;
            put(device, REGISTER(INTR_ENABLE), wanted | INTERRUPT(ERROR));
            return HF_KECCAK_PENDING;
        }
        if (error == HF_KECCAK_OK && device->owner == context &&
            context->phase == PHASE_SQUEEZE && context->left == 0u) {
            error = complete(device);
        }
    }
    if (error == HF_KECCAK_OK) {
        over_if_complete(context);
    } else if (device->owner == context) {
        error = fail(context, error);
    }
    end_job(job, error);
    return error;
}

static hf_keccak_error begin_steps(hf_keccak_job *job) {
    hf_keccak_context *const context = job->context;
    const uint32_t fixed = fixed_bytes((uint32_t)context->function);
    if (job->message == NULL && job->message_bytes != 0u) return HF_KECCAK_ARGUMENT;
    job->limit = HF_KECCAK_OPEN;
    if (takes_message(context)) {
        if (context->tail != 0u && job->message_bytes != 0u) return HF_KECCAK_SEQUENCE;
        if (fixed != 0u && job->output_bytes > (size_t)fixed) return HF_KECCAK_ARGUMENT;
        if (job->output != NULL && job->final != 0) {
            if (!gives(fixed, job->output_bytes)) return HF_KECCAK_ARGUMENT;
            job->limit = (uint32_t)job->output_bytes * 8u;
        }
    } else if (context->phase != PHASE_SQUEEZE || job->message_bytes != 0u) {
        return HF_KECCAK_SEQUENCE;
    } else if (context->due != HF_KECCAK_OPEN && job->output_bytes > (size_t)context->due) {
        return HF_KECCAK_ARGUMENT;
    }
    job->enabled = 0u;
    job->result = HF_KECCAK_PENDING;
    context->device->job = job;
    return step(job);
}

hf_keccak_error hf_keccak_begin(hf_keccak_job *job) {
    hf_keccak_context *context;
    hf_keccak_error error;
    if (job == NULL) return HF_KECCAK_ARGUMENT;
    context = job->context;
    error = check(context);
    if (error != HF_KECCAK_OK) return error;
    // All of a hash, and nothing to interrupt it for: as in one call.
    if (no_interrupts(context->device) && context->phase == PHASE_NEW && context->tail == 0u &&
        job->output != NULL && job->output_bytes != 0u && job->final != 0) {
        error = hf_keccak_hash(context->device, context->function, job->message,
                               job->message_bytes, job->output, job->output_bytes);
        if (error == HF_KECCAK_ARGUMENT) return error;
        context->phase = PHASE_OVER;
        job->result = error;
        if (job->done != NULL) job->done(job);
        return error;
    }
    return begin_steps(job);
}

hf_keccak_error hf_keccak_interrupt(hf_keccak_device *device) {
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    if (device->job == NULL) {
        put(device, REGISTER(INTR_ENABLE), 0u);
        return HF_KECCAK_OK;
    }
    return step(device->job);
}

hf_keccak_error hf_keccak_reset(hf_keccak_device *device) {
    hf_keccak_job *job;
    hf_keccak_error error;
    if (device == NULL) return HF_KECCAK_ARGUMENT;
    job = device->job;
    if (device->owner != NULL) forget(device->owner);
    silence(device);
    error = wait_for(device, PHASE(IDLE), PHASE(CHANGE));
    // Its `done` may begin another one.
    if (job != NULL) {
        forget(job->context);
        end_job(job, HF_KECCAK_LOST);
    }
    return error;
}
