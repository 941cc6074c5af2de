// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The SoC of examples/soc as programs use it: the serial line, a count of clock cycles, and the
// interrupts of VexRiscv.

#ifndef HF_BOARD_H
#define HF_BOARD_H

#include <stdint.h>

#include "systems/firmware/soc/generated/hf_litex_soc.h"

#define HF_REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

static inline void put(char letter) {
    while (HF_REGISTER(CSR_UART_TXFULL_ADDR)) {}
    HF_REGISTER(CSR_UART_RXTX_ADDR) = (uint8_t)letter;
}

static inline char get(void) {
    while (HF_REGISTER(CSR_UART_RXEMPTY_ADDR)) {}
    const char letter = (char)HF_REGISTER(CSR_UART_RXTX_ADDR);
    HF_REGISTER(CSR_UART_EV_PENDING_ADDR) = 1u << CSR_UART_EV_PENDING_RX_OFFSET;  // the next one
    return letter;
}

// The timer counts down from its highest value, once.
static inline void clocks_begin(void) {
    HF_REGISTER(CSR_TIMER0_EN_ADDR) = 0;
    HF_REGISTER(CSR_TIMER0_LOAD_ADDR) = 0xffffffffu;
    HF_REGISTER(CSR_TIMER0_RELOAD_ADDR) = 0;
    HF_REGISTER(CSR_TIMER0_EN_ADDR) = 1;
}

static inline uint32_t clocks_since(void) {
    HF_REGISTER(CSR_TIMER0_UPDATE_VALUE_ADDR) = 1;
    return 0xffffffffu - HF_REGISTER(CSR_TIMER0_VALUE_ADDR);
}

// What reading it takes.
static inline uint32_t clocks_of_nothing(void) {
    clocks_begin();
    return clocks_since();
}

// VexRiscv's own registers for external interrupts: a mask, and which of them are high.
static inline void interrupts_enable(uint32_t mask) {
    __asm__ volatile("csrw 0xbc0, %0" ::"r"(mask));
    __asm__ volatile("csrs mie, %0" ::"r"(1u << 11));
    __asm__ volatile("csrs mstatus, %0" ::"r"(1u << 3));
}

// No handler runs between the two, and those enabled run after.
static inline void interrupts_hold(void) {
    __asm__ volatile("csrc mstatus, %0" ::"r"(1u << 3) : "memory");
}

static inline void interrupts_release(void) {
    __asm__ volatile("csrs mstatus, %0" ::"r"(1u << 3) : "memory");
}

static inline uint32_t interrupts_pending(void) {
    uint32_t pending;
    __asm__ volatile("csrr %0, 0xfc0" : "=r"(pending));
    return pending;
}

#endif
