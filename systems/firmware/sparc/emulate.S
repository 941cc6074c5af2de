! Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
!
! The rotate instruction on a processor that has none (trap 0x24, cp_disabled), so that one program
! runs on both: {Y, rd} := {Y, rs1} rotated to the left by rs2 or imm6 (docs/integrate/leon3.md).
!
! All registers of the window that trapped go to memory, where they have numbers, and back. With
! traps disabled, WIM is out of the way in the meantime.

    .section .text._emulate, "ax"
    .global _emulate_rol64
_emulate_rol64:                 ! %l0 PSR, %l1 PC, %l2 nPC
    rd      %wim, %l5
    mov     %g0, %wim
    nop
    nop
    nop
    set     registers, %l4
    std     %g0, [%l4]
    std     %g2, [%l4 + 8]
    std     %g4, [%l4 + 16]
    std     %g6, [%l4 + 24]
    std     %i0, [%l4 + 32]     ! outs of the window that trapped
    std     %i2, [%l4 + 40]
    std     %i4, [%l4 + 48]
    std     %i6, [%l4 + 56]
    mov     %l4, %g1
    restore
    std     %l0, [%g1 + 64]
    std     %l2, [%g1 + 72]
    std     %l4, [%g1 + 80]
    std     %l6, [%g1 + 88]
    std     %i0, [%g1 + 96]
    std     %i2, [%g1 + 104]
    std     %i4, [%g1 + 112]
    std     %i6, [%g1 + 120]
    save

    ld      [%l1], %l3
    set     0xc1f83fc0, %g2     ! what is fixed where the amount is a number
    srl     %l3, 13, %g3
    btst    1, %g3
    bne     1f
    sethi   %hi(0x81b02000), %g5
    add     %g2, 0x20, %g2      ! ... where it is a register
    sethi   %hi(0x81b00000), %g5
1:  and     %l3, %g2, %g4
    cmp     %g4, %g5
    bne     _bad_trap
    btst    1, %g3
    bne     2f
    and     %l3, 63, %g2        ! amount
    sll     %l3, 2, %g2
    and     %g2, 31 << 2, %g2
    ld      [%l4 + %g2], %g2
2:  srl     %l3, 12, %g3
    and     %g3, 31 << 2, %g3
    ld      [%l4 + %g3], %g3    ! low
    rd      %y, %g4             ! high
    btst    32, %g2
    be      3f
    and     %g2, 31, %g2
    mov     %g3, %g5
    mov     %g4, %g3
    mov     %g5, %g4
3:  tst     %g2
    be      4f
    mov     32, %g5
    sub     %g5, %g2, %g5
    srl     %g3, %g5, %g6
    srl     %g4, %g5, %g7
    sll     %g3, %g2, %g3
    sll     %g4, %g2, %g4
    or      %g4, %g6, %g4
    or      %g3, %g7, %g3
4:  mov     %g4, %y
    srl     %l3, 23, %g2
    and     %g2, 31 << 2, %g2
    st      %g3, [%l4 + %g2]

    restore
    ldd     [%g1 + 64], %l0
    ldd     [%g1 + 72], %l2
    ldd     [%g1 + 80], %l4
    ldd     [%g1 + 88], %l6
    ldd     [%g1 + 96], %i0
    ldd     [%g1 + 104], %i2
    ldd     [%g1 + 112], %i4
    ldd     [%g1 + 120], %i6
    save
    ldd     [%l4 + 32], %i0
    ldd     [%l4 + 40], %i2
    ldd     [%l4 + 48], %i4
    ldd     [%l4 + 56], %i6
    ld      [%l4 + 4], %g1
    ldd     [%l4 + 8], %g2
    ldd     [%l4 + 16], %g4
    ldd     [%l4 + 24], %g6
    mov     %l5, %wim
    mov     %l0, %psr           ! condition codes
    nop
    nop
    nop
    jmp     %l2
    rett    %l2 + 4

    .section .bss._emulate, "aw", @nobits
    .align  8
registers:
    .skip   128
