// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The instructions that a processor may have for Keccak, each as a macro of C, and the same in plain
// C for one that has not. Compiler flags give the instructions of the processor:
//
//   -DHF_ROL64  a 64-bit rotate: systems/rtl/hf_unit_rotate.sv (RISC-V); on SPARC rol64 in the execute
//               stage
//   -DHF_XOR    on RISC-V, the others of systems/rtl/hf_unit_xor.sv besides
//
//   ROL64(lane, amount)             a lane rotated to the left by a constant, 0 .. 63
//   ROL64_BY(lane, amount)          the same by an amount that is not constant, 1 .. 63 (not with
//                                   the RISC-V unit, which has it in the instruction)
//   ROL32(word, amount)             a word rotated to the left by a constant, 0 .. 31
//   ROL64_WORDS(to, to_high, low, high, amount)  as statement: ROL64 of two words
//   KEEP_XOR, XOR_ROL64, NEXT_CHI   hf_unit_xor's funct3 2, 3 and 4; there is no plain C for them

#ifndef HF_INTRINSICS_H
#define HF_INTRINSICS_H

#include <stdint.h>

#if defined(HF_ROL64) && defined(__riscv)

#define HF_CUSTOM(funct3, funct7, rs1, rs2)                                               \
    ({                                                                                    \
        uint32_t hf_rd;                                                                   \
        __asm__(".insn r 0x0b, %1, %2, %0, %z3, %z4"                                      \
                : "=r"(hf_rd)                                                             \
                : "i"(funct3), "i"(funct7), "rJ"((uint32_t)(rs1)), "rJ"((uint32_t)(rs2))); \
        hf_rd;                                                                            \
    })

#define ROL64_WORDS(to, to_high, low, high, amount)                                       \
    do {                                                                                  \
        const uint32_t hf_low = (low), hf_high = (high);                                  \
        (to) = HF_CUSTOM(0, amount, hf_low, hf_high);                                     \
        (to_high) = HF_CUSTOM(1, amount, hf_low, hf_high);                                \
    } while (0)

#define ROL32(word, amount)                                                               \
    ({                                                                                    \
        const uint32_t hf_word = (word);                                                  \
        HF_CUSTOM(0, amount, hf_word, hf_word);                                           \
    })

#ifdef HF_XOR

// The unit keeps words from one of these to the next: they stay in their order, and whoever
// interrupts them must not use the unit.
#define HF_KEEPING(funct3, funct7, rs1, rs2)                                              \
    ({                                                                                    \
        uint32_t hf_rd;                                                                   \
        __asm__ volatile(".insn r 0x0b, %1, %2, %0, %z3, %z4"                             \
                         : "=r"(hf_rd)                                                    \
                         : "i"(funct3), "i"(funct7), "rJ"((uint32_t)(rs1)),               \
                           "rJ"((uint32_t)(rs2)));                                        \
        hf_rd;                                                                            \
    })
#define KEEP_XOR(rs1, rs2) HF_KEEPING(2, 0, rs1, rs2)
#define XOR_ROL64(amount, rs1, rs2) HF_KEEPING(3, amount, rs1, rs2)
#define NEXT_CHI(rs1, rs2) HF_KEEPING(4, 0, rs1, rs2)

#endif

#elif defined(HF_ROL64) && defined(__sparc__)

// rol64 rs1, rs2 or number, rd: {Y, rd} is {Y, rs1} rotated. The assembler does not support it, nor
// the numbers of registers for their names.
__asm__(
    ".macro hf_number symbol, name\n"
    "    .set hf_n, 0\n"
    "    .irp register, %g0,%g1,%g2,%g3,%g4,%g5,%g6,%g7,%o0,%o1,%o2,%o3,%o4,%o5,%o6,%o7,"
    "%l0,%l1,%l2,%l3,%l4,%l5,%l6,%l7,%i0,%i1,%i2,%i3,%i4,%i5,%i6,%i7\n"
    "    .ifc \\register,\\name\n"
    "    .set \\symbol, hf_n\n"
    "    .endif\n"
    "    .set hf_n, hf_n + 1\n"
    "    .endr\n"
    "    .ifc %sp,\\name\n"
    "    .set \\symbol, 14\n"
    "    .endif\n"
    "    .ifc %fp,\\name\n"
    "    .set \\symbol, 30\n"
    "    .endif\n"
    ".endm\n"
    ".macro hf_rol64i rs1, amount, rd\n"
    "    hf_number hf_rs1, \\rs1\n"
    "    hf_number hf_rd, \\rd\n"
    "    .word 0x81b02000 | hf_rd << 25 | hf_rs1 << 14 | (\\amount)\n"
    ".endm\n"
    ".macro hf_rol64 rs1, rs2, rd\n"
    "    hf_number hf_rs1, \\rs1\n"
    "    hf_number hf_rs2, \\rs2\n"
    "    hf_number hf_rd, \\rd\n"
    "    .word 0x81b00000 | hf_rd << 25 | hf_rs1 << 14 | hf_rs2\n"
    ".endm\n");

// One asm each: nothing else may come between and use Y.
#define ROL64_WORDS(to, to_high, low, high, amount)                                       \
    __asm__("wr %3, 0, %%y\n\thf_rol64i %2, %4, %0\n\trd %%y, %1"                         \
            : "=&r"(to), "=&r"(to_high)                                                   \
            : "r"((uint32_t)(low)), "r"((uint32_t)(high)), "i"(amount))

#define ROL64_BY(lane, amount)                                                            \
    ({                                                                                    \
        const uint64_t hf_in = (lane);                                                    \
        uint32_t hf_to, hf_to_high;                                                       \
        __asm__("wr %3, 0, %%y\n\thf_rol64 %2, %4, %0\n\trd %%y, %1"                      \
                : "=&r"(hf_to), "=&r"(hf_to_high)                                         \
                : "r"((uint32_t)hf_in), "r"((uint32_t)(hf_in >> 32)), "r"(amount));       \
        (uint64_t)hf_to_high << 32 | hf_to;                                               \
    })

#define ROL32(word, amount)                                                               \
    ({                                                                                    \
        const uint32_t hf_word = (word);                                                  \
        uint32_t hf_to;                                                                   \
        __asm__("wr %1, 0, %%y\n\thf_rol64i %1, %2, %0"                                   \
                : "=r"(hf_to)                                                             \
                : "r"(hf_word), "i"(amount));                                             \
        hf_to;                                                                            \
    })

#else

#define ROL64(lane, amount) \
    ((amount) == 0 ? (lane) : (lane) << ((amount) & 63) | (lane) >> ((64 - (amount)) & 63))
#define ROL64_BY(lane, amount) ((lane) << (amount) | (lane) >> (64 - (amount)))
#define ROL32(word, amount) \
    ((amount) == 0 ? (word) : (word) << ((amount) & 31) | (word) >> ((32 - (amount)) & 31))

// The amounts are constant: of the three cases one is compiled.
#define ROL64_WORDS(to, to_high, low, high, amount)                                       \
    do {                                                                                  \
        const uint32_t hf_low = (amount) < 32 ? (low) : (high);                           \
        const uint32_t hf_high = (amount) < 32 ? (high) : (low);                          \
        const unsigned hf_up = (amount) % 32, hf_down = (32 - (amount) % 32) % 32;        \
        (to) = hf_up == 0 ? hf_low : hf_low << hf_up | hf_high >> hf_down;                \
        (to_high) = hf_up == 0 ? hf_high : hf_high << hf_up | hf_low >> hf_down;          \
    } while (0)

#endif

#ifndef ROL64
#define ROL64(lane, amount)                                                               \
    ({                                                                                    \
        const uint64_t hf_lane = (lane);                                                  \
        uint32_t hf_moved, hf_moved_high;                                                 \
        ROL64_WORDS(hf_moved, hf_moved_high, (uint32_t)hf_lane, (uint32_t)(hf_lane >> 32), amount); \
        (uint64_t)hf_moved_high << 32 | hf_moved;                                         \
    })
#endif

#endif
