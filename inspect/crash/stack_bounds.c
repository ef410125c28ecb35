/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/crash/stack_bounds.h"

#include "inspect/target/hostcall.h"

enum { PAGE = 4096, WORD = 8 };
/* A thread's descriptor of any glibc has its stack within so many words: struct pthread has 2304 bytes. It
   lies at the block's upper end. */
enum { DESCRIPTOR_WORDS = 512, DESCRIPTOR_MAX = 2 * PAGE };

static bool is_page(uint64_t addr)
{
    return addr % PAGE == 0;
}

static bool usable(const struct insp_mapping *m)
{
    return m->mapped && (m->access < 0 || m->access & INSP_ACCESS_WRITE) && m->start < m->end;
}

/*
 * glibc notes the block that it has mapped for a thread as three words in a row: where it begins, its size,
 * and how much of that are guard pages. Where they are in the descriptor differs from version to version, so
 * they are looked for: they must describe a block that has the descriptor at its end, and begin, or end their
 * guard, where the mapping does. With glibc 2.42 and Linux 6.13 the guards are no mappings of their own, and
 * stacks side by side are one mapping: then the block lies in it.
 */
static bool is_block(const uint64_t word[3], uint64_t pthread, const struct insp_mapping *m)
{
    const uint64_t start = word[0], size = word[1], guard = word[2];

    if (!is_page(start) || !is_page(size) || !is_page(guard) || guard >= size || start >= pthread ||
        pthread - start >= size)
        return false;
    return start == m->start || start + guard == m->start ||
           (start > m->start && size <= m->end - start && size - (pthread - start) <= DESCRIPTOR_MAX);
}

static bool from_descriptor(insp_session *s, uint64_t pthread, const struct insp_mapping *m,
                            struct stack_bounds *ret)
{
    uint64_t word[DESCRIPTOR_WORDS];
    uint64_t count = (m->end - pthread) / WORD;

    if (count > DESCRIPTOR_WORDS)
        count = DESCRIPTOR_WORDS;
    if (count < 3 || host_read(s, pthread, word, count * WORD))
        return false;
    for (uint64_t i = 0; i + 3 <= count; i++)
        if (is_block(&word[i], pthread, m)) {
            *ret = (struct stack_bounds){
                .low = word[i] + word[i + 2], .high = word[i] + word[i + 1], .guard = word[i], .exact = true};
            return true;
        }
    return false;
}

/* A guard is the mapping without permissions that ends where the stack begins. */
static uint64_t guard_below(insp_session *s, uint64_t low)
{
    struct insp_mapping m;

    if (!low || host_mapping(s, low - 1, &m) || !m.mapped || m.access != 0)
        return low;
    return low - m.start > PAGE ? low - PAGE : m.start;
}

/* The kernel has put the program's arguments there, and the dynamic linker remembers where. */
static bool initial_stack(insp_session *s, const struct mdl_thread *t, struct insp_mapping *m)
{
    enum { RSP = 19 };
    uint64_t at, end, reg[27], known = 0;

    if (!host_lookup(s, "__libc_stack_end", NULL, &at) && !host_read(s, at, &end, WORD))
        return !host_mapping(s, end, m) && usable(m);
    if (host_registers(s, t->lwp, reg, &known) || !(known >> RSP & 1))
        return false;
    return !host_mapping(s, reg[RSP], m) && usable(m);
}

bool stack_bounds_of(insp_session *s, const insp_snapshot *snap, const struct mdl_thread *t,
                     struct stack_bounds *ret)
{
    struct insp_mapping m;

    if (t->lwp == snap->process.pid) {
        if (!initial_stack(s, t, &m))
            return false;
        *ret = (struct stack_bounds){.low = m.start, .high = m.end, .guard = m.start, .initial = true};
        return true;
    }
    if (!t->pthread || host_mapping(s, t->pthread, &m) || !usable(&m) || t->pthread < m.start ||
        t->pthread >= m.end)
        return false;
    if (!from_descriptor(s, t->pthread, &m, ret))
        *ret = (struct stack_bounds){.low = m.start, .high = m.end, .guard = guard_below(s, m.start)};
    return true;
}

const struct mdl_thread *stack_guard_at(insp_session *s, const insp_snapshot *snap, uint64_t addr,
                                        struct stack_bounds *ret)
{
    struct insp_mapping here, above;

    if (host_mapping(s, addr, &here) || here.end <= addr || host_mapping(s, here.end, &above) ||
        !above.mapped)
        return NULL;
    /* Where the kernel has guards within a mapping, the stack is in the same one. */
    if (here.mapped && here.access > 0)
        above = here;
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (t->pthread < above.start || t->pthread >= above.end || t->lwp == snap->process.pid)
            continue;
        if (stack_bounds_of(s, snap, t, ret) && addr >= ret->guard && addr < ret->low)
            return t;
    }
    return NULL;
}
