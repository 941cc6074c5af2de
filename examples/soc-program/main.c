// A program for the SoC: SHA3-256 of "abc" by the peripheral and by the processor only.

#include "systems/firmware/soc/program.h"
#include "systems/firmware/soc/software.h"
#include "driver/hf_keccak.h"

static const uint8_t message[] = {'a', 'b', 'c'};
static hf_keccak_device keccak;

static void say(const char *how, uint32_t clocks, const uint8_t digest[32]) {
    text(how);
    hexadecimal(digest, 32);
    text(" in ");
    decimal(clocks);
    text(" clock cycles\n");
}

int main(void) {
    uint8_t hardware[32], software[32];

    if (hf_keccak_open(&keccak, KECCAK_BASE) != HF_KECCAK_OK) return 1;
    clocks_begin();
    const uint32_t error = hf_keccak_hash(&keccak, HF_SHA3_256, message, sizeof message, hardware, 32);
    const uint32_t by_peripheral = clocks_since();
    if (error != HF_KECCAK_OK) return 2;

    clocks_begin();
    software_sha3_256(software, message, sizeof message);
    const uint32_t by_processor = clocks_since();

    say("peripheral ", by_peripheral, hardware);
    say("processor  ", by_processor, software);
    const int same = memcmp(hardware, software, 32) == 0;
    text(same ? "PASS\n" : "FAIL: the digests differ\n");
    return same ? 0 : 3;
}
