/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a terminal must not get as they are, of a thread, a source file and a function without debug
   information: each has an escape sequence, a C1 control and a right-to-left override. */
#include <sys/prctl.h>

#define CONTROLS "\033[31m\302\233\342\200\256"

void mark(void);

__asm__(".pushsection .text\n"
        ".type \"name" CONTROLS "\", @function\n"
        "\"name" CONTROLS "\":\n"
        "push %rbp\n mov %rsp, %rbp\n call mark\n pop %rbp\n ret\n"
        ".size \"name" CONTROLS "\", .-\"name" CONTROLS "\"\n"
        ".popsection");

void __attribute__((noinline)) mark(void)
{
    __asm__ volatile("");
}

int main(void)
{
    prctl(PR_SET_NAME, "me" CONTROLS);
#line 50 "file\033[31m\302\233\342\200\256.c"
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        __asm__ volatile("call \"name" CONTROLS "\"" ::
                             : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
    }
    return 0;
}
