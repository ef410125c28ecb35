/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Call stacks: libdwfl where a module's file is at hand. Through an OpenMP runtime whose file is missing,
 * frame pointers, if it has Companion's note and so is built with them, else the rules that the session has
 * for its frames.
 */
#include "corefiles/unwind.h"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/dwfl.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/read.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"
#include "inspect/frames/frame_pointer.h"
#include "inspect/host.h"
#include "inspect/inspect.h"
#include "ompdx.h"

enum { DEPTH_MAX = 1 << 20 };

struct cf_unwinder {
    struct cf_thread state; /**< registers of the newest frame */
    Elf *machine;           /**< an ELF header that names the machine */
};

void cf_unwinder_free(struct cf_unwinder *unwinder)
{
    if (unwinder && unwinder->machine)
        elf_end(unwinder->machine);
    free(unwinder);
}

struct walk {
    struct cf_target *t;
    int (*each)(const struct cf_raw_frame *frame, void *arg);
    void *arg;
    uint32_t max, count;
    bool first; /* of this run of libdwfl */
    bool ended; /* EACH or MAX ended it */
    bool over;  /* libdwfl stopped at state's frame */
    uint64_t last_pc;
    struct cf_thread *state; /* registers of the newest frame seen */
    uint64_t known;          /* bit N: register N of it is known; else it is an inner frame's */
    uint64_t held;           /* known, those included that a call keeps and no rule names */
    uint64_t lost;           /* not known since a step of ours, though libdwfl has a value */
    uint64_t before[CF_REGISTERS];
    bool activation;
};

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
    (void)dwfl;
    return !cf_read(arg, addr, result, 8);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
    struct cf_target *t = arg;

    (void)dwfl;
    if (*thread)
        return 0;
    *thread = t;
    return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
    (void)dwfl, (void)tid;
    *thread = arg;
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
    struct cf_target *t = arg;
    uint32_t count = t->arch->dwarf_count - (t->arch->pc_apart ? 1 : 0);

    if (!dwfl_thread_state_registers(thread, 0, count, t->unwinder->state.reg))
        return false;
    if (t->arch->pc_apart)
        dwfl_thread_state_register_pc(thread, t->unwinder->state.reg[t->arch->pc]);
    return true;
}

static const Dwfl_Thread_Callbacks callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = memory_read,
    .set_initial_registers = set_registers,
};

/* libdwfl takes the machine from an ELF file; there may be none when all files are missing. */
static bool attach(struct cf_target *t)
{
    Elf64_Ehdr *eh;

    if (t->unwinder->machine)
        return true;
    eh = calloc(1, sizeof(*eh));
    if (!eh || !cf_keep(t, (char *)eh))
        return false;
    memcpy(eh->e_ident, ELFMAG, SELFMAG);
    eh->e_ident[EI_CLASS] = ELFCLASS64;
    eh->e_ident[EI_DATA] = ELFDATA2LSB;
    eh->e_ident[EI_VERSION] = EV_CURRENT;
    eh->e_type = ET_CORE;
    eh->e_machine = t->arch->machine;
    eh->e_version = EV_CURRENT;
    eh->e_ehsize = sizeof(*eh);
    t->unwinder->machine = elf_memory((char *)eh, sizeof(*eh));
    return t->unwinder->machine && dwfl_attach_state(t->dwfl, t->unwinder->machine, 1, &callbacks, t);
}

static bool tell(struct walk *w, const struct cf_raw_frame *frame)
{
    w->count++;
    if (w->each(frame, w->arg) || (w->max && w->count >= w->max))
        w->ended = true;
    return !w->ended;
}

/* The frame whose registers were seen last, but for its canonical frame address. */
static struct cf_raw_frame newest(const struct walk *w)
{
    const struct cf_arch *arch = w->t->arch;

    return (struct cf_raw_frame){.pc = w->state->reg[arch->pc],
                                 .fp = w->state->reg[arch->fp],
                                 .sp = w->state->reg[arch->sp],
                                 .activation = w->activation,
                                 .reg = w->state->reg,
                                 .known = w->known};
}

/* The registers of a frame that libdwfl has come to. */
static void take_registers(struct walk *w, Dwfl_Frame *state)
{
    uint32_t count = w->t->arch->dwarf_count - (w->t->arch->pc_apart ? 1 : 0);

    w->known = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        Dwarf_Word value;

        if (dwfl_frame_reg(state, i, &value) /* elfutils 0.188 */ ||
            (w->lost & bit && value == w->state->reg[i]))
            continue;
        w->state->reg[i] = value;
        w->known |= bit;
    }
    w->held |= w->known;
    w->lost &= ~w->known;
}

/* The canonical frame address is the stack pointer of the caller: it comes with the next frame, so frames are
   told one late. */
static int frame(Dwfl_Frame *state, void *arg)
{
    struct walk *w = arg;
    struct cf_thread *s = w->state;
    struct cf_raw_frame before = newest(w);
    struct cf_mod *m;
    bool activation;
    Dwarf_Addr pc;

    memcpy(w->before, s->reg, sizeof(w->before));
    before.reg = w->before;
    if (!dwfl_frame_pc(state, &pc, &activation)) {
        w->over = true;
        return DWARF_CB_ABORT;
    }
    if (!w->first)
        take_registers(w, state);
    s->reg[w->t->arch->pc] = pc;
    if (!w->first) {
        before.cfa = s->reg[w->t->arch->sp];
        w->activation = activation;
        if (!tell(w, &before))
            return DWARF_CB_ABORT;
    }
    w->first = false;
    /* libdwfl goes on through a module that it knows. Where there is no file it would follow a frame pointer
       that may be none. */
    m = cf_module_at(w->t, pc - (w->activation ? 0 : 1));
    if (!m || !cf_dwfl_module(m) || w->count > DEPTH_MAX) {
        w->over = true;
        return DWARF_CB_ABORT;
    }
    return DWARF_CB_OK;
}

bool cf_has_rules(struct cf_target *t, uint64_t pc)
{
    struct cf_mod *m = cf_module_at(t, pc);
    Dwfl_Module *mod = m ? cf_dwfl_module(m) : NULL;
    Dwarf_Addr bias;
    Dwarf_CFI *table = mod ? dwfl_module_eh_cfi(mod, &bias) : NULL;
    Dwarf_Frame *rules = NULL;
    bool found = table && !dwarf_cfi_addrframe(table, pc - bias, &rules);

    free(rules);
    return found;
}

/* True where the runtime with the note lies: its build keeps frame pointers. */
static bool has_note(struct cf_target *t, const struct cf_mod *m)
{
    uint8_t page[CF_PAGE];
    static const uint8_t owner[] = {5, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 'O', 'M', 'P', 'C', 0};

    return m && m->elf && !cf_read_target(t, m->base, page, sizeof(page)) &&
           memmem(page, sizeof(page), owner, sizeof(owner));
}

static int read_target(void *t, uint64_t addr, void *buf, uint64_t size)
{
    return cf_read(t, addr, buf, size) ? -1 : 0;
}

/* After a step of ours: these registers are known, and no others. */
static void only(struct walk *w, uint64_t known)
{
    w->known = w->held = known;
    w->lost = ~known;
}

/* One step by frame pointers through M. */
static bool step_by_pointer(struct walk *w, const struct cf_mod *m, uint64_t *cfa)
{
    struct cf_target *t = w->t;
    struct cf_thread *s = w->state;
    const struct cf_arch *arch = t->arch;
    struct frame_step at = {s->reg[arch->pc], s->reg[arch->sp], s->reg[arch->fp]};

    if (!frame_pointer_step(read_target, t, m->base, m->end, w->activation, arch->machine == EM_X86_64, &at))
        return false;
    s->reg[arch->pc] = at.pc;
    s->reg[arch->sp] = *cfa = at.sp;
    s->reg[arch->fp] = at.fp;
    only(w, UINT64_C(1) << arch->pc | UINT64_C(1) << arch->sp | UINT64_C(1) << arch->fp);
    return true;
}

const struct cf_kept_register cf_kept[CF_KEPT] = {
    {3, ompdx_reg_rbx, offsetof(struct insp_frame_registers, rbx)},
    {6, ompdx_reg_rbp, offsetof(struct insp_frame_registers, rbp)},
    {12, ompdx_reg_r12, offsetof(struct insp_frame_registers, r12)},
    {13, ompdx_reg_r13, offsetof(struct insp_frame_registers, r13)},
    {14, ompdx_reg_r14, offsetof(struct insp_frame_registers, r14)},
    {15, ompdx_reg_r15, offsetof(struct insp_frame_registers, r15)},
};

/* One step by what the session knows of a runtime. */
static bool step_by_layout(struct walk *w, uint64_t *cfa)
{
    struct cf_target *t = w->t;
    const struct cf_arch *arch = t->arch;
    struct cf_thread *s = w->state;
    struct insp_frame_registers at = {.pc = s->reg[arch->pc], .sp = s->reg[arch->sp], .exact = w->activation};
    uint64_t known = UINT64_C(1) << arch->pc | UINT64_C(1) << arch->sp;

    if (!t->session || arch->machine != EM_X86_64 || !(w->held >> arch->sp & 1))
        return false;
    at.known = UINT64_C(1) << ompdx_reg_rip | UINT64_C(1) << ompdx_reg_rsp;
    for (size_t i = 0; i < CF_KEPT; i++)
        if (w->held >> cf_kept[i].dwarf & 1) {
            memcpy((char *)&at + cf_kept[i].member, &s->reg[cf_kept[i].dwarf], 8);
            at.known |= UINT64_C(1) << cf_kept[i].number;
        }
    if (insp_caller(t->session, read_target, t, &at))
        return false;
    s->reg[arch->pc] = at.pc;
    s->reg[arch->sp] = at.sp;
    for (size_t i = 0; i < CF_KEPT; i++)
        if (at.known >> cf_kept[i].number & 1) {
            memcpy(&s->reg[cf_kept[i].dwarf], (char *)&at + cf_kept[i].member, 8);
            known |= UINT64_C(1) << cf_kept[i].dwarf;
        }
    *cfa = at.sp;
    only(w, known);
    return true;
}

int cf_unwind(struct cf_target *t, struct cf_thread *th, uint32_t max,
              int (*each)(const struct cf_raw_frame *frame, void *arg), void *arg, const char **why)
{
    struct walk w = {.t = t, .each = each, .arg = arg, .max = max, .activation = true};

    if (!th->has_regs) {
        *why = th->running || t->info.moving ? "the thread was not stopped" : "its registers are not known";
        return -1;
    }
    if (!t->unwinder)
        t->unwinder = calloc(1, sizeof(*t->unwinder));
    if (!t->unwinder) {
        *why = "out of memory";
        return -1;
    }
    w.state = &t->unwinder->state;
    *w.state = *th;
    w.known = w.held = (UINT64_C(1) << t->arch->dwarf_count) - 1;
    if (!cf_dwfl(t) || !attach(t)) {
        *why = "out of memory";
        return -1;
    }
    for (;;) {
        struct cf_raw_frame last;
        const struct cf_mod *m;
        int rc;

        w.first = true;
        w.over = false;
        rc = dwfl_getthread_frames(t->dwfl, 1, frame, &w);
        if (w.ended)
            return 0;
        last = newest(&w);
        m = cf_module_at(t, cf_frame_code(&last));
        if (rc == 0 || (!w.over && m && m->dwfl)) {
            /* The outermost frame: its return address is marked as undefined, or it is zero. */
            (void)tell(&w, &last);
            *why = rc == 0 || w.ended ? NULL : dwfl_errmsg(-1);
            return rc == 0 || w.ended ? 0 : 1;
        }
        if (w.count > DEPTH_MAX) {
            *why = "the stack is deeper than 1048576 frames, or damaged";
            return 1;
        }
        if (!m || !(has_note(t, m) ? step_by_pointer(&w, m, &last.cfa) : step_by_layout(&w, &last.cfa))) {
            (void)tell(&w, &last);
            *why = cf_say(
                t, CF_SAY_WHY,
                m ? cf_format("it goes through %s, whose file is missing", m->path)
                  : cf_format("it goes through 0x%llx, which lies in no file", (unsigned long long)last.pc));
            return 1;
        }
        if (!tell(&w, &last))
            return 0;
        w.activation = false;
    }
}
