// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A message from the host, its digest back. What does not fit in one run is done in parts: the
// sponge stays where it is in memory while the host has the processor in reset.

#include "systems/firmware/keccak/keccak.h"
#include "systems/firmware/system.h"

HF_SHARED struct {
    uint32_t parts;  // HF_FIRST: of a message; HF_MORE: of it, or of its digest, is to come
    uint32_t rate;   // bytes
    uint32_t suffix;
    uint32_t message_bytes;
    uint32_t output_bytes;  // if there are any, the message has ended
} hf_request;
HF_SHARED uint8_t hf_message[1024] __attribute__((aligned(4)));
HF_SHARED uint8_t hf_output[512] __attribute__((aligned(4)));

#define HF_FIRST 1u
#define HF_MORE 2u
#define HF_PERMUTE 4u  // only: one permutation, to be measured

static keccak_sponge sponge HF_KEPT;

#ifdef HF_COUNT
// The instructions from the first word to the host to the second one: by RISC-V's instret, by the
// counter of hf_sparc_iu.
HF_SHARED uint32_t hf_instructions;

static uint32_t retired(void) {
    uint32_t count;
#ifdef __sparc__
    __asm__ volatile("rd %%asr20, %0" : "=r"(count));
#else
    __asm__ volatile(".insn i 0x73, 2, %0, x0, -1022" : "=r"(count));
#endif
    return count;
}
#define COUNT(sign) (hf_instructions sign retired())
#else
#define COUNT(sign) (void)0
#endif

static void hash(void) {
    if (hf_request.parts & HF_FIRST) keccak_init(&sponge, hf_request.rate, 0);
    sponge.suffix = (uint8_t)hf_request.suffix;
    keccak_absorb(&sponge, hf_message, hf_request.message_bytes);
    if (hf_request.output_bytes != 0) keccak_squeeze(&sponge, hf_output, hf_request.output_bytes);
}

int main(void) {
    const uint32_t parts = hf_request.parts;
    if (parts & HF_PERMUTE) {
        keccak_f1600(&sponge.state);  // Its code is then in the caches.
    } else if (!(parts & HF_FIRST)) {
        keccak_resume(&sponge.state, sponge.place / 8);
    }
    hf_mail(HF_BEGIN);
    COUNT(= -);
    if (parts & HF_PERMUTE) {
        keccak_f1600(&sponge.state);
    } else {
        hash();
    }
    COUNT(+=);
    if (parts & HF_MORE) {
        hf_mail(HF_PAUSE);
        keccak_suspend(&sponge.state, sponge.place / 8);
    }
    hf_mail(HF_END);
    return 0;
}
