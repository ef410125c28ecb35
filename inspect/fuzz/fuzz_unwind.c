/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is the unwinder's tables of a file, .eh_frame_hdr and what follows, in a
 * process of one thread. Its stack is taken, and the bounds of functions, as inspect takes them of a hostile
 * process.
 *
 * Bytes: the place in the code (two), the frame pointer, then the tables. The memory behind them is a page of
 * code and a stack with addresses of that code.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/model.h"
#include "inspect/owner/bounds.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/mapped.h"
#include "inspect/target/still.h"
#include "inspect/unwind/unwind.h"
#include "ompdx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3, PAGE = 4096, TABLES = 0x200, CODE = PAGE, STACK = 2 * PAGE, END = 3 * PAGE };
enum { BASE = 0x10000, FRAMES_MAX = 1024 };

static uint8_t memory[END];
static struct insp_known_module module = {.base = BASE, .bias = BASE, .start = BASE, .end = BASE + STACK};
static uint64_t pc, frame_pointer;

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- the session --------------------------------------------------------------------------------------- */

struct insp_known_module *mapped_at(insp_session *s, uint64_t addr)
{
    (void)s;
    return addr >= module.start && addr < module.end ? &module : NULL;
}

int host_read(insp_session *s, uint64_t addr, void *buf, uint64_t size)
{
    (void)s;
    if (addr < BASE || addr - BASE > END || size > END - (addr - BASE))
        return -1;
    memcpy(buf, memory + (addr - BASE), size);
    return 0;
}

int host_registers(insp_session *s, int64_t lwp, uint64_t reg[27], uint64_t *known)
{
    (void)s, (void)lwp;
    memset(reg, 0, 27 * sizeof(*reg));
    reg[ompdx_reg_rip] = pc;
    reg[ompdx_reg_rsp] = BASE + STACK;
    reg[ompdx_reg_rbp] = frame_pointer;
    *known = UINT64_C(1) << ompdx_reg_rip | UINT64_C(1) << ompdx_reg_rsp | UINT64_C(1) << ompdx_reg_rbp |
             UINT64_C(1) << ompdx_reg_rbx;
    return 0;
}

int host_frame_registers(insp_session *s, int64_t lwp, uint32_t index, struct insp_frame_registers *ret)
{
    (void)s, (void)lwp, (void)index, (void)ret;
    return 1;
}

/* ---- the process --------------------------------------------------------------------------------------- */

static void make_head(void)
{
    Elf64_Ehdr head = {
        .e_machine = EM_X86_64, .e_phoff = sizeof(head), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1};
    const Elf64_Phdr tables = {.p_type = PT_GNU_EH_FRAME, .p_vaddr = TABLES};

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    memcpy(memory, &head, sizeof(head));
    memcpy(memory + sizeof(head), &tables, sizeof(tables));
    for (uint64_t at = STACK; at < END; at += sizeof(at)) {
        const uint64_t word = at % 24 ? BASE + CODE + at * 5 % 256 : BASE + at + 64;

        memcpy(memory + at, &word, sizeof(word));
    }
}

static void ask(insp_session *s)
{
    struct insp_frame_registers frame, before = {0}, again;
    uint64_t start, end;
    bool entry;
    uint32_t index = 0;

    for (; !unwind_frame(s, 1, index, &frame); index++) {
        must(index < FRAMES_MAX && frame.known >> ompdx_reg_rip & 1);
        must(!index || frame.sp > before.sp);
        if (bounds_at(s, frame.pc, &start, &end, &entry))
            must(frame.pc >= start && frame.pc < end);
        before = frame;
    }
    if (index)
        must(!unwind_frame(s, 1, index / 2, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static insp_session session;
    static insp_snapshot still;

    if (size < HEAD || size - HEAD > CODE - TABLES)
        return 0;
    if (!memory[0])
        make_head();
    memset(memory + TABLES, 0, CODE - TABLES);
    memcpy(memory + TABLES, data + HEAD, size - HEAD);
    pc = BASE + CODE + (data[0] | (uint64_t)data[1] << 8) % PAGE;
    frame_pointer = BASE + STACK + 8 * (uint64_t)data[2];
    session.taking = &still;
    ask(&session);
    still_forget(&session);
    return 0;
}
