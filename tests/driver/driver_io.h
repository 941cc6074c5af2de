// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The driver's registers on a PC: calls of whoever made the bus (driver.py): the Verilated
// peripheral, or Python. A base address is that of an hf_bus.

#ifndef HF_DRIVER_IO_H
#define HF_DRIVER_IO_H

#include <stdint.h>

typedef struct {
    void *handle;  // what the calls get
    const char *(*read)(void *handle, uint32_t address, uint32_t *data);
    const char *(*write)(void *handle, uint32_t address, uint32_t data, uint32_t strobe);
    uint64_t reads, writes;
    const char *error;  // the first one that a call returned
} hf_bus;

static inline uint32_t hf_keccak_read32(uintptr_t base, uint32_t offset) {
    hf_bus *const bus = (hf_bus *)base;
    uint32_t data = 0u;
    const char *const error = bus->read(bus->handle, offset, &data);
    bus->reads++;
    if (error != 0 && bus->error == 0) bus->error = error;
    return data;
}

static inline void hf_bus_write(hf_bus *bus, uint32_t offset, uint32_t value, uint32_t strobe) {
    const char *const error = bus->write(bus->handle, offset, value, strobe);
    bus->writes++;
    if (error != 0 && bus->error == 0) bus->error = error;
}

static inline void hf_keccak_write32(uintptr_t base, uint32_t offset, uint32_t value) {
    hf_bus_write((hf_bus *)base, offset, value, 15u);
}

static inline void hf_keccak_write8(uintptr_t base, uint32_t offset, uint8_t value) {
    // Rubbish in the bytes that are not enabled.
    hf_bus_write((hf_bus *)base, offset, 0xa55a3c00u | value, 1u);
}

#define HF_KECCAK_IO_HALVES
static inline void hf_keccak_write16(uintptr_t base, uint32_t offset, uint16_t value) {
    hf_bus_write((hf_bus *)base, offset, 0xa55a0000u | value, 3u);
}

#ifdef HF_DRIVER_BLOCKS
#define HF_KECCAK_IO_BLOCKS

// As a bridge makes them of a burst.
static inline void hf_keccak_write_block(uintptr_t base, uint32_t offset, const uint32_t *words,
                                         uint32_t count) {
    uint32_t i;
    for (i = 0u; i < count; i++) hf_keccak_write32(base, offset + (4u * i), words[i]);
}

static inline void hf_keccak_read_block(uintptr_t base, uint32_t offset, uint32_t *words,
                                        uint32_t count) {
    uint32_t i;
    for (i = 0u; i < count; i++) words[i] = hf_keccak_read32(base, offset + (4u * i));
}
#endif

#endif
