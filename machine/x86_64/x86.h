/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Instructions of x86-64: how long one is, where it goes on, and what it does to the general registers, as
 * far as following an address from register to register needs that. (Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2.)
 *
 * Any bytes may be given: what is no instruction, or one that came after AVX-512, is refused. Nothing is
 * allocated, no function of libc is called.
 */
#ifndef X86_X86_H
#define X86_X86_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Registers by their number in instructions. (DWARF has another order.) */
enum x86_register {
    X86_RAX,
    X86_RCX,
    X86_RDX,
    X86_RBX,
    X86_RSP,
    X86_RBP,
    X86_RSI,
    X86_RDI,
    X86_R8,
    X86_R9,
    X86_R10,
    X86_R11,
    X86_R12,
    X86_R13,
    X86_R14,
    X86_R15,
    X86_RIP,
    X86_NONE = 0xff /**< no register */
};

enum x86_kind {
    X86_OTHER,
    X86_CALL,          /**< of `address` */
    X86_CALL_INDIRECT, /**< by register `from`, or by the pointer in `memory` if that is X86_NONE */
    X86_JUMP,          /**< to `address` */
    X86_JUMP_INDIRECT, /**< as X86_CALL_INDIRECT */
    X86_JUMP_IF,       /**< to `address`, or on to the next instruction */
    X86_RETURN,
    X86_LEA,   /**< register `to` becomes the address of `memory`; size as of X86_MOVE */
    X86_SET,   /**< register `to` becomes `immediate`, as it has it in 64 bits */
    X86_MOVE,  /**< register `to` becomes register `from`; size: 8, or 4 with the rest 0 */
    X86_LOAD,  /**< register `to` becomes what `memory` has: `size` bytes, extended to the register */
    X86_STORE, /**< `size` bytes of register `from`, of `immediate` if that is X86_NONE */
    X86_SYSCALL,
    X86_PAUSE,
    X86_STOP, /**< nothing comes after it: ud2, hlt, int3 */
    X86_PUSH, /**< register `from`; if that is X86_NONE, what `memory` has, or `immediate` without ModRM */
    X86_POP   /**< to register `to`, or `memory` if that is X86_NONE */
};

/** Bits of x86_instruction.prefixes. */
enum {
    X86_WORD = 1,       /**< 66 */
    X86_REPEAT = 2,     /**< F3 */
    X86_REPEAT_NOT = 4, /**< F2 */
    X86_LOCKED = 8,
    X86_WIDE = 16, /**< REX.W, VEX.W, EVEX.W */
    X86_REX = 32,
    X86_ADDRESS_32 = 64 /**< 67 */
};

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX };

struct x86_memory {
    uint8_t segment;      /**< 'f' fs, 'g' gs, 0 none that counts */
    uint8_t base, index;  /**< enum x86_register */
    uint8_t scale;        /**< 1, 2, 4, 8 */
    int32_t displacement; /**< not to be used of an EVEX instruction, whose bytes are multiples */
};

struct x86_instruction {
    uint8_t length;
    uint8_t kind;     /**< enum x86_kind */
    uint8_t encoding; /**< enum x86_encoding */
    uint8_t map;      /**< 0: opcodes of one byte, 1: 0F, 2: 0F 38, 3: 0F 3A, 5 and 6: of EVEX */
    uint8_t opcode;
    uint8_t prefixes;
    uint8_t size;         /**< bytes of the operand */
    uint8_t has_modrm;    /**< 1: mod, reg and rm are set, and memory if mod is not 3 */
    uint8_t mod, reg, rm; /**< with the bits of the prefixes */
    uint8_t to, from;     /**< enum x86_register */
    struct x86_memory memory;
    /** Where a call or jump goes; else that of `memory`, where that has no register but X86_RIP, and no
     * segment. 0 none */
    uint64_t address;
    int64_t immediate; /**< sign-extended, 0 none */
    /** Bit N: general register N may be another afterwards. Of calls these are what the psABI does not keep,
     * of a system call rax, rcx and r11. */
    uint16_t writes;
};

enum {
    X86_OK = 0,
    X86_INVALID = -1,  /**< no instruction, or one that is not known here */
    X86_TRUNCATED = -2 /**< it may be one, of more than SIZE bytes */
};

/** The longest instruction has so many bytes. */
enum { X86_MAX = 15 };

/**
 * Decodes the instruction at BYTES, of which SIZE can be read; in the process they are at PC. X86_OK,
 * X86_INVALID, X86_TRUNCATED; *ret is whole only with X86_OK.
 */
int x86_decode(const uint8_t *bytes, size_t size, uint64_t pc, struct x86_instruction *ret);

#ifdef __cplusplus
}
#endif
#endif
