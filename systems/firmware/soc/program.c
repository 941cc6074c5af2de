// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The code around main() of a custom program. It is linked with `--wrap=main`, so that crt0.S
// calls __wrap_main.

#include "systems/firmware/soc/program.h"

int __real_main(void);
int __wrap_main(void);

int __wrap_main(void) {
    finish((uint32_t)__real_main());
}

void finish(uint32_t status) {
    put(HF_END);
    put((char)status);
    for (;;) {}
}

__attribute__((weak)) void trap(uint32_t cause, uint32_t address) {
    text("trap ");
    word(cause);
    text(" at ");
    word(address);
    text("\n");
    finish(HF_TRAPPED);
}

// With library.c all that a compiler may call of a C library.
void *memmove(void *to, const void *from, size_t bytes) {
    uint8_t *d = to;
    const uint8_t *s = from;
    if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, bytes);
    while (bytes-- != 0) d[bytes] = s[bytes];
    return to;
}

int memcmp(const void *one, const void *other, size_t bytes) {
    const uint8_t *a = one, *b = other;
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}
