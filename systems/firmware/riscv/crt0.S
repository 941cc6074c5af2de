// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// RV32 from reset to main(): the stack, and zeros where C requires them.

    .section .start, "ax"
    .global _start
_start:
#ifdef HF_CFU
    // VexRiscv: where traps go, and its port for custom functions switched on.
    la      t0, 7f
    csrw    mtvec, t0
    lui     t0, 0x80000
    csrw    0xbc0, t0
#endif
    la      sp, _stack_high
    la      t0, _zeroed_low
    la      t1, _zeroed_high
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:  call    main
3:  j       3b
#ifdef HF_CFU
    .balign 4
7:  lui     t0, 0xc0000
    sw      zero, 0(t0)
    j       7b
#endif
