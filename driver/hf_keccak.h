// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver of the Keccak peripheral (docs/integrate/driver.md): hashes in one call or in pieces,
// any number of them at once on the one hash that the hardware holds, and by interrupt. C99,
// freestanding: no allocation, no library.
//
// Every function returns an hf_keccak_error and waits for a bounded time. After any error of a
// peripheral, it has been cleared and accepts the next hash; the hash that it had is lost.
//
// One device and its contexts belong to one thread: a program that shares them must use a lock.

#ifndef HF_KECCAK_H
#define HF_KECCAK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The deepest digest FIFO (CAPS.digest_words) that contexts have room for.
#ifndef HF_KECCAK_DIGEST_WORDS
#define HF_KECCAK_DIGEST_WORDS 16u
#endif

// How often STATUS is read for one wait, at most, unless the device says otherwise; ten times as
// often where the engine is keccak-tiny.
#ifndef HF_KECCAK_POLLS
#define HF_KECCAK_POLLS 10000u
#endif

#define HF_KECCAK_STATE_WORDS 50u

typedef enum {
    HF_KECCAK_OK = 0,
    HF_KECCAK_PENDING,        // the work goes on, by interrupts
    HF_KECCAK_NO_DEVICE,      // no such peripheral at this address
    HF_KECCAK_VERSION,        // its registers have another major version, or an older minor one
    HF_KECCAK_TOO_DEEP,       // its digest FIFO is deeper than HF_KECCAK_DIGEST_WORDS
    HF_KECCAK_ARGUMENT,       // a null pointer, or a length that cannot be
    HF_KECCAK_FUNCTION,       // the peripheral does not have this function
    HF_KECCAK_SEQUENCE,       // not at this point of a hash: a message after its end, for example
    HF_KECCAK_BUSY,           // work by interrupts is in progress
    HF_KECCAK_TIMEOUT,        // an expected event did not come
    HF_KECCAK_LOST,           // the peripheral's state has changed: it was reset, for example
    // Bits of the register ERROR: other software has used the registers.
    HF_KECCAK_BAD_COMMAND,
    HF_KECCAK_BAD_FUNCTION,
    HF_KECCAK_BAD_POSITION,
    HF_KECCAK_MESSAGE_WRITE,
    HF_KECCAK_DIGEST_READ,
    HF_KECCAK_STATE_ACCESS,
    HF_KECCAK_CONFIG_WRITE,
    HF_KECCAK_BAD_ACCESS,
    HF_KECCAK_NO_LENGTH,
    HF_KECCAK_BAD_SIGNATURE  // not of this message and this key (hf_slh_dsa.h)
} hf_keccak_error;

// Codes of functions (docs/reference/stream.md).
typedef enum {
    HF_SHA3_224 = 0x00,
    HF_SHA3_256 = 0x01,
    HF_SHA3_384 = 0x02,
    HF_SHA3_512 = 0x03,
    HF_SHAKE128 = 0x04,
    HF_SHAKE256 = 0x05,
    HF_KECCAK_224 = 0x06,
    HF_KECCAK_256 = 0x07,
    HF_KECCAK_384 = 0x08,
    HF_KECCAK_512 = 0x09,
    HF_KECCAK_1024_576 = 0x0a,
    HF_CSHAKE128 = 0x10,  // the sponge; hf_keccak_mac.h has names and customization
    HF_CSHAKE256 = 0x11
} hf_keccak_function;

// What a wait is: of the bus, which the peripheral keeps waiting for a bounded number of clock
// cycles (docs/integrate/regs.md), or of the driver, which reads STATUS before it reads or writes.
typedef enum { HF_KECCAK_BUS_WAITS = 0, HF_KECCAK_DRIVER_WAITS } hf_keccak_waits;

typedef struct hf_keccak_context hf_keccak_context;
typedef struct hf_keccak_job hf_keccak_job;

// A peripheral. hf_keccak_open() fills it in; `waits` and `polls` may be set after that.
typedef struct {
    uintptr_t base;  // the address of its registers, or whatever hf_keccak_read32() takes
    hf_keccak_waits waits;
    uint32_t polls;   // how often STATUS is read for one wait, at most
    uint32_t causes;  // the register ERROR, when the last bit of it was returned as an error

    // The driver's own.
    uint32_t functions, message_words, digest_words;
    hf_keccak_context *owner;  // whose hash is in the hardware
    hf_keccak_job *volatile job;
    uint32_t fast;  // the engine takes words faster than a processor writes them
    uint32_t run;   // the register RUN is there
    uint32_t ends;  // the message ends by itself; STATUS has not shown yet that it has
} hf_keccak_device;

// A hash. All of it is the driver's own.
struct hf_keccak_context {
    hf_keccak_device *device;
    hf_keccak_function function;
    uint8_t phase;
    uint8_t rest_bytes;  // of a word of output that are not given away yet
    uint8_t saved;       // `words` and `position` hold the hash
    uint32_t rest;
    uint32_t tail;
    uint32_t due;   // bytes that may be squeezed; HF_KECCAK_OPEN: any number
    uint32_t left;  // bits that are still to come out of the hash; HF_KECCAK_OPEN: any number
    uint32_t output_at, output_words;  // words that came out of it before it was saved
    uint32_t position;
    uint32_t output[HF_KECCAK_DIGEST_WORDS];
    uint32_t words[HF_KECCAK_STATE_WORDS];
};

#define HF_KECCAK_OPEN 0xffffffffu

////////////////////
// The device     //
////////////////////

// Finds the peripheral at `base`, sees what it can do, and clears it. A device that is opened again
// has no job any more; a context whose hash was in the hardware is lost, one that was saved goes on.
hf_keccak_error hf_keccak_open(hf_keccak_device *device, uintptr_t base);

// Clears it whatever it does: the hash that it holds, and work by interrupts, are lost.
hf_keccak_error hf_keccak_reset(hf_keccak_device *device);

// What a function has: its block in bytes, and its digest in bytes, 0 where any length is.
hf_keccak_error hf_keccak_sizes(hf_keccak_function function, uint32_t *rate, uint32_t *digest);

////////////////////
// One call       //
////////////////////

// Hashes a message; `digest_bytes` is the function's, or any where it has none.
hf_keccak_error hf_keccak_hash(hf_keccak_device *device, hf_keccak_function function,
                               const uint8_t *message, size_t bytes, uint8_t *digest,
                               size_t digest_bytes);

// The same of any number of bits. Those of a last byte that is not full are its lowest.
hf_keccak_error hf_keccak_hash_bits(hf_keccak_device *device, hf_keccak_function function,
                                    const uint8_t *message, size_t bits, uint8_t *digest,
                                    size_t digest_bits);

////////////////////
// In pieces      //
////////////////////
//
// Contexts take turns on the hardware: the call that needs it puts aside the hash that is in it and
// takes up its own. A context is the device's until its output is complete or hf_keccak_stop(): it
// must stay where it is that long.

// Begins a hash. The context may hold anything but a hash that goes on.
hf_keccak_error hf_keccak_init(hf_keccak_context *context, hf_keccak_device *device,
                               hf_keccak_function function);

// More of the message.
hf_keccak_error hf_keccak_update(hf_keccak_context *context, const uint8_t *message, size_t bytes);

// The message's last bits, 0 to 7, the lowest of `last_byte`; the end is still to come.
hf_keccak_error hf_keccak_last_bits(hf_keccak_context *context, uint8_t last_byte, unsigned bits);

// The message ends, all of the output comes, and the hash is over: `bytes` as in hf_keccak_hash().
hf_keccak_error hf_keccak_final(hf_keccak_context *context, uint8_t *digest, size_t bytes);

// The message ends; `output_bits` are to be squeezed, HF_KECCAK_OPEN: until hf_keccak_stop(). The
// digest of a function with a fixed length has that length, and `output_bits` is ignored.
hf_keccak_error hf_keccak_end(hf_keccak_context *context, uint32_t output_bits);

// hf_keccak_init(), hf_keccak_update() and hf_keccak_end() in one call, with fewer accesses: STATUS is
// read by the call that gives the output, and not by this one.
hf_keccak_error hf_keccak_message(hf_keccak_context *context, hf_keccak_device *device,
                                  hf_keccak_function function, const uint8_t *message,
                                  size_t bytes, uint32_t output_bits);

// The next bytes of output. The first call ends the message, without a limit, if nothing has yet.
hf_keccak_error hf_keccak_squeeze(hf_keccak_context *context, uint8_t *output, size_t bytes);

// The hash is over, wherever it is. Nothing of it is left in the context or the hardware.
hf_keccak_error hf_keccak_stop(hf_keccak_context *context);

// Puts the hash into its context, so that the hardware is free: before it is switched off, say.
// Whatever is called next takes it up again.
hf_keccak_error hf_keccak_save(hf_keccak_context *context);

// Takes it up again now.
hf_keccak_error hf_keccak_restore(hf_keccak_context *context);

// Another hash that has had the same message so far. `copy` as in hf_keccak_init().
hf_keccak_error hf_keccak_copy(hf_keccak_context *copy, hf_keccak_context *context);

////////////////////
// By interrupt   //
////////////////////

// Work that goes on by itself; it and what it points to must stay until it is done.
struct hf_keccak_job {
    hf_keccak_context *context;
    const uint8_t *message;  // absorbed first,
    size_t message_bytes;
    uint8_t *output;  // then the message ends, if it has not, and this is squeezed; null: neither
    size_t output_bytes;
    int final;  // not 0: the output is all that the hash gives, as of hf_keccak_final()
    void (*done)(hf_keccak_job *job);  // called at the end, from hf_keccak_interrupt(); may be null
    void *user;                        // ignored by the driver
    volatile hf_keccak_error result;   // HF_KECCAK_PENDING while it goes on
    uint32_t limit, enabled;           // the driver's own
};

// Begins it and returns HF_KECCAK_PENDING (or HF_KECCAK_OK if it is done at once; `done` has been
// called). Until its end every other call but hf_keccak_reset() returns HF_KECCAK_BUSY.
hf_keccak_error hf_keccak_begin(hf_keccak_job *job);

// The handler of irq_o: goes on with the work without a wait for a permutation, and returns the
// job's result; HF_KECCAK_OK where there is no job. A timeout is its caller's:
// hf_keccak_reset() ends a job.
hf_keccak_error hf_keccak_interrupt(hf_keccak_device *device);

#ifdef __cplusplus
}
#endif

#endif
