// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A program that hashes for whoever is at the serial line. A command is a line, its answer some lines
// and a last one, "ok" or "error NUMBER":
//
//   id         the peripheral's register ID and its version
//   sha3 N     SHA3-256 of N bytes by the peripheral: clock cycles, digest
//   wait N     the same by interrupt
//   dma N      the same by the peripheral's DMA master, by reading its STATUS
//   dmawait N  the same by its interrupt
//   software N the same by the processor only
//
// Byte i of a message is (37 i + 11 (i / 256)) mod 256.

#include "systems/firmware/soc/board.h"
#include "systems/firmware/soc/console.h"
#include "systems/firmware/soc/dma.h"
#include "systems/firmware/soc/software.h"
#include "driver/hf_keccak.h"
#include "driver/hf_keccak_regs.h"

#define MOST 65536u

static uint8_t message[MOST] __attribute__((section(".noinit"), aligned(4)));
static uint8_t digest[32] __attribute__((aligned(4)));
static hf_keccak_device device;

// Called by crt0.S.
void trap(uint32_t cause, uint32_t address);
void trap(uint32_t cause, uint32_t address) {
    if (cause >> 31 && interrupts_pending() == 1u << KECCAK_INTERRUPT) {
        if (!dma_interrupt()) (void)hf_keccak_interrupt(&device);
        return;
    }
    trapped(cause, address);
}

static uint32_t identify(uint32_t bytes) {
    (void)bytes;
    text("id ");
    word(HF_REGISTER(KECCAK_BASE));
    text(" version ");
    word(HF_REGISTER(KECCAK_BASE + 4));
    text("\n");
    return HF_KECCAK_OK;
}

static uint32_t by_peripheral(uint32_t bytes) {
    return hf_keccak_hash(&device, HF_SHA3_256, message, bytes, digest, sizeof digest);
}

static uint32_t by_interrupt(uint32_t bytes) {
    static hf_keccak_context context;
    static hf_keccak_job job = {.context = &context, .output_bytes = sizeof digest, .final = 1};
    uint32_t result = hf_keccak_init(&context, &device, HF_SHA3_256);
    job.message = message;
    job.message_bytes = bytes;
    job.output = digest;
    if (result == HF_KECCAK_OK) result = hf_keccak_begin(&job);
    while (result == HF_KECCAK_PENDING) result = job.result;
    return result;
}

static uint32_t by_dma(uint32_t bytes) {
    return dma_sha3_256(digest, message, bytes);
}

static uint32_t by_dma_interrupt(uint32_t bytes) {
    return dma_sha3_256_by_interrupt(digest, message, bytes);
}

static uint32_t by_processor(uint32_t bytes) {
    software_sha3_256(digest, message, bytes);
    return HF_KECCAK_OK;
}

static const struct {
    const char *name;
    uint32_t (*run)(uint32_t bytes);
} commands[] = {
    {"id", 0},
    {"sha3", by_peripheral},
    {"wait", by_interrupt},
    {"dma", by_dma},
    {"dmawait", by_dma_interrupt},
    {"software", by_processor},
};

static uint32_t hash(uint32_t (*run)(uint32_t bytes), uint32_t bytes) {
    if (bytes > MOST) return NO_LENGTH;
    for (uint32_t i = 0; i < bytes; i++) message[i] = (uint8_t)(37u * i + 11u * (i >> 8));
    for (uint32_t i = 0; i < sizeof digest; i++) digest[i] = 0;
    const uint32_t nothing = clocks_of_nothing();
    clocks_begin();
    const uint32_t result = run(bytes);
    const uint32_t clocks = clocks_since() - nothing;
    if (result != HF_KECCAK_OK) return result;
    decimal(clocks);
    text(" ");
    hexadecimal(digest, sizeof digest);
    text("\n");
    return HF_KECCAK_OK;
}

static uint32_t obey(const char *line) {
    const char *rest;
    for (uint32_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if ((rest = text_after(line, commands[i].name)) == 0) continue;
        const uint32_t bytes = number(rest, MOST);
        return commands[i].run == 0 ? identify(bytes) : hash(commands[i].run, bytes);
    }
    return NO_COMMAND;
}

int main(void) {
    const uint32_t found = hf_keccak_open(&device, KECCAK_BASE);
    if (found != HF_KECCAK_OK || dma_open(KECCAK_BASE) != 0) text("no peripheral\n");
    interrupts_enable(1u << KECCAK_INTERRUPT);
    for (;;) {
        char line[32];
        read_line(line, sizeof line);
        answer(obey(line));
    }
}
