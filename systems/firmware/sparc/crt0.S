! Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
!
! SPARC V8 from reset to main(): the trap table, the state registers, the stack, and zeros where C
! requires them. Windows are spilled and filled on the stack as C's calls go deeper than there are
! windows. A trap that nothing serves ends the program: with traps disabled a second one puts the
! processor into error mode (and QEMU down). So does main() when it returns.

#define WINDOWS 8
#ifndef HF_TRAP
#define HF_TRAP _bad_trap       /* what serves the others */
#endif
#define PSR_START 0xfe0         /* PIL 15, S, PS, ET; window 0 */
#define FRAME 96                /* a window, and the area that C requires above it */

    .macro serve label
    b       \label
    rd      %psr, %l0
    nop
    nop
    .endm
    .macro bad first, last
    .rept   \last - \first + 1
    serve   HF_TRAP
    .endr
    .endm

    .section .start, "ax"
    .align  4096
    .global _start, _trap_table
_trap_table:
_start:
    set     _reset, %g1         ! 00 reset
    jmp     %g1
    nop
    bad     0x01, 0x04
    serve   _window_overflow    ! 05
    serve   _window_underflow   ! 06
    bad     0x07, 0x23
#ifdef HF_EMULATE              /* ... and emulate.S beside it */
    serve   _emulate_rol64      ! 24 cp_disabled
#else
    bad     0x24, 0x24
#endif
    bad     0x25, 0xff

    .section .text._crt0, "ax"
    .global _reset, _bad_trap
_reset:
    mov     %g0, %wim
    set     _trap_table, %g1
    mov     %g1, %tbr
    mov     PSR_START, %psr
    nop
    nop
    nop
    mov     2, %wim             ! the last of the windows that calls go down to: 7, 6 .. 2
    mov     %g0, %y
    nop
    nop
    set     _stack_high - FRAME, %sp
    clr     %fp
    set     _zeroed_low, %g1
    set     _zeroed_high, %g2
1:  cmp     %g1, %g2
    bgeu    2f
    nop
    st      %g0, [%g1]
    b       1b
    add     %g1, 4, %g1
2:  call    main
    nop
_bad_trap:
    rd      %psr, %l0
    andn    %l0, 0x20, %l0      ! ET
    mov     %l0, %psr
    nop
    nop
    nop
    ta      0
    nop

! The window after the last one is in use: its registers go to its stack.
_window_overflow:
    rd      %wim, %l3
    mov     %g1, %l7
    srl     %l3, 1, %g1
    sll     %l3, WINDOWS - 1, %l4
    or      %l4, %g1, %g1
    save                        ! into the window that goes
    mov     %g1, %wim
    nop
    nop
    nop
    std     %l0, [%sp]
    std     %l2, [%sp + 8]
    std     %l4, [%sp + 16]
    std     %l6, [%sp + 24]
    std     %i0, [%sp + 32]
    std     %i2, [%sp + 40]
    std     %i4, [%sp + 48]
    std     %i6, [%sp + 56]
    restore
    mov     %l7, %g1
    jmp     %l1
    rett    %l2

! The window of the caller is on its stack.
_window_underflow:
    rd      %wim, %l3
    sll     %l3, 1, %l4
    srl     %l3, WINDOWS - 1, %l5
    or      %l5, %l4, %l5
    mov     %l5, %wim
    nop
    nop
    nop
    restore                     ! the window that returns
    restore                     ! the one that comes back
    ldd     [%sp], %l0
    ldd     [%sp + 8], %l2
    ldd     [%sp + 16], %l4
    ldd     [%sp + 24], %l6
    ldd     [%sp + 32], %i0
    ldd     [%sp + 40], %i2
    ldd     [%sp + 48], %i4
    ldd     [%sp + 56], %i6
    save
    save
    jmp     %l1
    rett    %l2
