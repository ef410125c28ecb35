/* SPDX-License-Identifier: Apache-2.0 */
/* 64 threads, each in a system call below three frames of assembler, whose registers they know: the truth is
   printed as JSON. `outer` sets them. `middle` saves rbx and changes it, and its unwind table says nothing of
   the others. With "bare" one half of the threads has `bare` in its place, which does the same without an
   unwind table, by frame pointers. With "abort" the program dumps core. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 64 };

/* The order is known to the assembler below. */
struct slot {
    uint64_t magic, word;
    uint64_t pc[3], sp[3]; /* of inner, middle, outer */
    uint64_t ready, is_bare;
    int64_t tid;
};
static struct slot slots[THREADS];

void outer(struct slot *slot);

__asm__(".text\n"
        ".type inner, @function\n"
        "inner:\n"
        "  .cfi_startproc\n"
        "  mov %rsp, 40(%r15)\n"
        "  lea 1f(%rip), %rax\n"
        "  mov %rax, 16(%r15)\n"
        "  mov $202, %eax\n" /* futex, FUTEX_WAIT_PRIVATE */
        "  lea 8(%r15), %rdi\n"
        "  mov $128, %esi\n"
        "  xor %edx, %edx\n"
        "  xor %r10d, %r10d\n"
        "  movq $1, 64(%r15)\n"
        "  syscall\n"
        "1:ret\n"
        "  .cfi_endproc\n"
        ".size inner, .-inner\n"

        ".type middle, @function\n"
        "middle:\n"
        "  .cfi_startproc\n"
        "  push %rbx\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset rbx, -16\n"
        "  not %rbx\n"
        "  mov %rsp, 48(%r15)\n"
        "  lea 2f(%rip), %rax\n"
        "  mov %rax, 24(%r15)\n"
        "  call inner\n"
        "2:pop %rbx\n"
        "  .cfi_def_cfa_offset 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size middle, .-middle\n"

        ".type bare, @function\n"
        "bare:\n"
        "  push %rbp\n"
        "  mov %rsp, %rbp\n"
        "  push %rbx\n"
        "  sub $8, %rsp\n"
        "  not %rbx\n"
        "  mov %rsp, 48(%r15)\n"
        "  lea 3f(%rip), %rax\n"
        "  mov %rax, 24(%r15)\n"
        "  call inner\n"
        "3:add $8, %rsp\n"
        "  pop %rbx\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size bare, .-bare\n"

        ".globl outer\n"
        ".type outer, @function\n"
        "outer:\n"
        "  .cfi_startproc\n"
        "  push %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset rbp, -16\n"
        "  push %rbx\n"
        "  .cfi_def_cfa_offset 24\n"
        "  .cfi_offset rbx, -24\n"
        "  push %r12\n"
        "  .cfi_def_cfa_offset 32\n"
        "  .cfi_offset r12, -32\n"
        "  push %r13\n"
        "  .cfi_def_cfa_offset 40\n"
        "  .cfi_offset r13, -40\n"
        "  push %r14\n"
        "  .cfi_def_cfa_offset 48\n"
        "  .cfi_offset r14, -48\n"
        "  push %r15\n"
        "  .cfi_def_cfa_offset 56\n"
        "  .cfi_offset r15, -56\n"
        "  mov %rdi, %r15\n"
        "  mov (%r15), %rax\n"
        "  lea 1(%rax), %rbx\n"
        "  lea 2(%rax), %rbp\n"
        "  lea 3(%rax), %r12\n"
        "  lea 4(%rax), %r13\n"
        "  lea 5(%rax), %r14\n"
        "  mov %rsp, 56(%r15)\n"
        "  lea 4f(%rip), %rax\n"
        "  cmpq $0, 72(%r15)\n"
        "  jne 5f\n"
        "  mov %rax, 32(%r15)\n"
        "  call middle\n"
        "4:jmp 7f\n"
        "5:lea 6f(%rip), %rax\n"
        "  mov %rax, 32(%r15)\n"
        "  call bare\n"
        "6:\n"
        "7:pop %r15\n"
        "  .cfi_def_cfa_offset 48\n"
        "  pop %r14\n"
        "  .cfi_def_cfa_offset 40\n"
        "  pop %r13\n"
        "  .cfi_def_cfa_offset 32\n"
        "  pop %r12\n"
        "  .cfi_def_cfa_offset 24\n"
        "  pop %rbx\n"
        "  .cfi_def_cfa_offset 16\n"
        "  pop %rbp\n"
        "  .cfi_def_cfa_offset 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size outer, .-outer\n");

static void *body(void *arg)
{
    struct slot *slot = arg;

    slot->tid = syscall(SYS_gettid);
    outer(slot);
    return NULL;
}

int main(int argc, char **argv)
{
    const int bare = argc > 1 && strstr(argv[1], "bare");

    for (uint64_t i = 0; i < THREADS; i++) {
        pthread_t thread;

        slots[i].magic = UINT64_C(0x1234500000000) + (i << 16);
        slots[i].is_bare = bare && i % 2;
        pthread_create(&thread, NULL, body, &slots[i]);
    }
    for (int i = 0; i < THREADS; i++)
        while (!*(volatile uint64_t *)&slots[i].ready)
            usleep(1000);
    usleep(100000);
    printf("[");
    for (int i = 0; i < THREADS; i++) {
        const struct slot *s = &slots[i];

        printf("%s{\"tid\": %lld, \"slot\": %llu, \"magic\": %llu, \"word\": %llu, \"bare\": %llu, "
               "\"pc\": [%llu, %llu, %llu], \"sp\": [%llu, %llu, %llu]}",
               i ? ", " : "", (long long)s->tid, (unsigned long long)(uintptr_t)s,
               (unsigned long long)s->magic, (unsigned long long)(uintptr_t)&s->word,
               (unsigned long long)s->is_bare, (unsigned long long)s->pc[0], (unsigned long long)s->pc[1],
               (unsigned long long)s->pc[2], (unsigned long long)s->sp[0], (unsigned long long)s->sp[1],
               (unsigned long long)s->sp[2]);
    }
    printf("]\n");
    fflush(stdout);
    if (argc > 1 && strstr(argv[1], "abort"))
        abort();
    pause();
    return 0;
}
