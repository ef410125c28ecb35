/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that looks like a libomp of before its OMPD library, with code that could be taken for something
 * else. Nobody calls its functions. decoys_test.py has the numbers, too; TOOL is one of its own.
 */
#include <stddef.h>

struct team {
    char some[248];
    int number, size;    /* 248, 252 */
    void *pkfn, *invoke; /* 256, 264 */
    char more[48];
    struct info **threads; /* 320 */
    void *implicit;
    int level; /* 336 */
};
struct info {
    char some[128];
    struct team *team; /* 128 */
};
/* No team: it has as many bytes before its list, and two pointers elsewhere. */
struct tool {
    char some[TOOL];
    void *begin, *end;
    char more[304 - TOOL];
    void **list; /* 320 */
};
_Static_assert(offsetof(struct team, pkfn) == 256 && offsetof(struct team, threads) == 320 &&
                   offsetof(struct team, level) == 336 && offsetof(struct info, team) == 128 &&
                   offsetof(struct team, size) == 252 && offsetof(struct tool, list) == 320,
               "as above");

#define HIDDEN __attribute__((visibility("hidden"), noinline, used))

__attribute__((visibility("hidden"))) struct info **threads;
int gtid(void);
void *allocate(long number);
void prepare(void), wait_for(void *what, long more);

int omp_get_level(void)
{
    return threads[gtid()]->team->level;
}

int __kmpc_bound_num_threads(void *place)
{
    return threads[gtid()]->team->size;
}

void __kmpc_fork_call(void *place, int count, void *microtask)
{
    prepare();
}

HIDDEN void begin_region(void *place, int number, int how, int count, void *microtask, void *invoke)
{
    struct team *team = allocate(count);

    team->threads[0] = threads[number];
    team->pkfn = microtask;
    team->invoke = invoke;
    prepare();
}

HIDDEN void set_tool(void *place, int number, int how, int count, void *begin, void *end)
{
    struct tool *tool = allocate(number);

    tool->begin = begin;
    tool->end = end;
    tool->list[count] = place;
}

/* The lock is the third argument, in rdx. */
#define FUNCTION(name, ...)                                                                     \
    __asm__(".globl " name "\n.type " name ",@function\n" name ": .cfi_startproc\n" __VA_ARGS__ \
            ".cfi_endproc\n.size " name ",.-" name "\n")

/* A register that keeps it until the end, and one that is used for something else once it is not needed. */
FUNCTION("__kmpc_set_lock", "push %rbx\nmov %rdx,%rbx\ncall prepare@PLT\nmov %rbx,%rdi\n"
                            "call wait_for@PLT\npop %rbx\nret\n");
FUNCTION("__kmpc_set_nest_lock", "push %rbx\nmov %rdx,%rbx\ncall prepare@PLT\nmov (%rbx),%rbx\n"
                                 "mov %rbx,%rdi\ncall wait_for@PLT\npop %rbx\nret\n");
/* A word of the stack that lies elsewhere from the stack pointer at the second call, which has arguments on
 * the stack. */
FUNCTION("__kmpc_critical_with_hint",
         "sub $24,%rsp\nmov %rdx,8(%rsp)\ncall prepare@PLT\npush $1\npush $2\ncall wait_for@PLT\n"
         "add $40,%rsp\nret\n");
/* Twice at the same place. */
FUNCTION("__kmpc_critical", "sub $24,%rsp\nmov %rdx,8(%rsp)\ncall prepare@PLT\nmov 8(%rsp),%rdi\n"
                            "call wait_for@PLT\nadd $24,%rsp\nret\n");
