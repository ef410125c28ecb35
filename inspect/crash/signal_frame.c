/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/crash/signal_frame.h"

#include <signal.h>
#include <string.h>

#include "inspect/target/hostcall.h"

/* Linux' struct rt_sigframe of x86-64, behind the handler's return address: the interrupted registers
   (ucontext_t, as the kernel has it), then siginfo_t. */
enum {
    SP_AT = 160,
    PC_AT = 168,
    ERROR_AT = 192,   /* of a page fault: what was wanted */
    TRAP_AT = 200,    /* the processor's number of the exception */
    ADDRESS_AT = 216, /* of a page fault */
    INFO_AT = 304,
    FRAME_SIZE = INFO_AT + 24
};
enum { INFO_SIGNAL = INFO_AT, INFO_CODE = INFO_AT + 8, INFO_ADDRESS = INFO_AT + 16 };

/* A handler returns to these two instructions, which end it: unwinders know them by their bytes too. */
bool signal_frame_ends_handler(insp_session *s, uint64_t pc)
{
    static const uint8_t sigreturn[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    uint8_t code[sizeof(sigreturn)];

    return !host_read(s, pc, code, sizeof(code)) && !memcmp(code, sigreturn, sizeof(code));
}

static uint64_t word_at(const uint8_t *frame, size_t at)
{
    uint64_t word;

    memcpy(&word, frame + at, sizeof(word));
    return word;
}

/* By the processor's exception, which the kernel notes with the registers: 0 none that tells. */
static int code_of_trap(const uint8_t *frame, int signal)
{
    enum { DIVIDE = 0, INVALID = 6, PROTECTION = 13, PAGE_FAULT = 14, ALIGNMENT = 17 };
    enum { PRESENT = 1, CODE_KERNEL = 0x80 };

    switch (word_at(frame, TRAP_AT)) {
    case PAGE_FAULT:
        if (signal == SIGBUS)
            return BUS_ADRERR;
        return signal != SIGSEGV ? 0 : word_at(frame, ERROR_AT) & PRESENT ? SEGV_ACCERR : SEGV_MAPERR;
    case PROTECTION:
        return signal == SIGSEGV ? CODE_KERNEL : 0;
    case ALIGNMENT:
        return signal == SIGBUS ? BUS_ADRALN : 0;
    case DIVIDE:
        return signal == SIGFPE ? FPE_INTDIV : 0;
    case INVALID:
        return signal == SIGILL ? ILL_ILLOPN : 0;
    default:
        return 0;
    }
}

/* A signal that the thread has sent to itself comes behind a system call: the exception is an older one. */
static bool behind_system_call(insp_session *s, uint64_t pc)
{
    static const uint8_t syscall[] = {0x0f, 0x05};
    uint8_t code[sizeof(syscall)];

    return host_read(s, pc - sizeof(code), code, sizeof(code)) || !memcmp(code, syscall, sizeof(code));
}

static bool read_frame(insp_session *s, uint64_t at, int signal, struct signal_frame *ret)
{
    uint8_t frame[FRAME_SIZE];
    int32_t number, code;

    if (host_read(s, at, frame, sizeof(frame)))
        return false;
    memcpy(&number, frame + INFO_SIGNAL, sizeof(number));
    memcpy(&code, frame + INFO_CODE, sizeof(code));
    ret->sp = word_at(frame, SP_AT);
    ret->pc = word_at(frame, PC_AT);
    ret->address = word_at(frame, INFO_ADDRESS);
    ret->code = code;
    if (number == signal)
        return code > 0;
    /* The handler wants no siginfo_t (SA_SIGINFO), so there is none. */
    if (behind_system_call(s, ret->pc))
        return false;
    ret->code = code_of_trap(frame, signal);
    ret->address = signal == SIGSEGV || signal == SIGBUS ? word_at(frame, ADDRESS_AT) : ret->pc;
    return ret->code > 0;
}

/*
 * The signal that a handler raises comes when the handler has returned, to the same instruction. What the
 * kernel had put on the stack for the handler is then below the stack pointer, and is known by this: it has
 * all registers as they are now.
 */
static bool find_remains(insp_session *s, int64_t lwp, int signal, struct signal_frame *ret)
{
    /* Registers from r8 on in the frame, by their place in struct user_regs_struct. */
    static const uint8_t order[] = {9, 8, 7, 6, 3, 2, 1, 0, 14, 13, 4, 5, 12, 10, 11, 19, 16};
    enum { REGISTERS = sizeof(order), FIRST_AT = 40, RSP = 19, BELOW = 16384, PIECE = 1024 };
    uint64_t reg[27], known = 0, wanted[REGISTERS], word[(PIECE + sizeof(wanted)) / 8];
    uint64_t sp;

    if (host_registers(s, lwp, reg, &known))
        return false;
    for (size_t i = 0; i < REGISTERS; i++) {
        if (!(known >> order[i] & 1))
            return false;
        wanted[i] = reg[order[i]];
    }
    sp = reg[RSP] & ~UINT64_C(7);
    for (uint64_t below = PIECE; below <= BELOW && below < sp; below += PIECE) {
        if (host_read(s, sp - below, word, sizeof(word)))
            continue;
        for (size_t i = 0; i < PIECE / 8; i++)
            if (!memcmp(word + i, wanted, sizeof(wanted)))
                return read_frame(s, sp - below + 8 * i - FIRST_AT, signal, ret);
    }
    return false;
}

bool signal_frame_find(insp_session *s, const struct mdl_thread *t, int signal, struct signal_frame *ret)
{
    enum { INNERMOST = 64 };
    struct insp_frame_registers registers;
    uint32_t index = 0;

    for (int i = 0; i < t->frame_count && i < INNERMOST; i++) {
        if (t->frames[i].inlined)
            continue;
        if (i && t->frames[i].code == INSP_CODE_LIBC && signal_frame_ends_handler(s, t->frames[i].pc) &&
            !host_frame_registers(s, t->lwp, index, &registers))
            return read_frame(s, registers.sp, signal, ret);
        index++;
    }
    return find_remains(s, t->lwp, signal, ret);
}
