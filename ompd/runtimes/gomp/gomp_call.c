/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_call.h"

#include <string.h>

/** Frames of the library on one stack, above the user's. */
#define FRAMES_MAX 16u
/** Frames of a stack on which regions are looked for. */
#define REGION_FRAMES_MAX 128u
/** The longest call: ff /2 with a SIB byte, four bytes of displacement, and a prefix. */
#define CALL_BYTES 8u
#define STUB_BYTES 16u
/** A call and the instruction before it. */
#define ARGUMENT_BYTES 12u

bool gomp_begins(const char *name, const char *prefix)
{
    return name != NULL && strncmp(name, prefix, strlen(prefix)) == 0;
}

const char *gomp_function(const struct gomp *gomp, uint64_t address)
{
    const ompdx_layout_entry_t *entry = stock_function(gomp->aspace->stock, address);
    return entry != NULL ? entry->name : NULL;
}

/* ---- machine code -------------------------------------------------------------------------------------- */

/** The address that four bytes of displacement name, counted from NEXT. x86-64 is little-endian. */
static uint64_t relative(const uint8_t *bytes, uint64_t next)
{
    const uint32_t low =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return next + (uint64_t)(int64_t)(int32_t)low;
}

/** The function whose address is the word at ADDRESS, of the global offset table. */
static const char *by_table(struct gomp *gomp, uint64_t address)
{
    uint64_t target;
    if (pages_number(gomp->aspace, &gomp->world->pages, address, 8, &target) != ompd_rc_ok)
        return NULL;
    return gomp_function(gomp, target);
}

/** The function at TARGET: one of the library, or what an entry of a procedure linkage table jumps to. */
static const char *by_target(struct gomp *gomp, uint64_t target)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    uint8_t code[STUB_BYTES];
    uint32_t at = 0;
    if (stock_inside(gomp->aspace->stock, target))
        return gomp_function(gomp, target);
    if (pages_read(gomp->aspace, &gomp->world->pages, target, sizeof code, code) != ompd_rc_ok)
        return NULL;
    if (memcmp(code, endbr64, sizeof endbr64) == 0)
        at = sizeof endbr64;
    if (code[at] == 0xf2) /* bnd */
        at++;
    if (code[at] != 0xff || code[at + 1] != 0x25) /* jmp *displacement(%rip) */
        return NULL;
    return by_table(gomp, relative(code + at + 2, target + at + 6));
}

/** Do the bytes end in a call through a register or memory? */
static bool ends_indirect(const uint8_t code[CALL_BYTES])
{
    const uint8_t *end = code + CALL_BYTES;
    for (unsigned size = 2; size <= 7; size++) {
        const uint8_t mod = end[1 - (int)size] >> 6, base = end[1 - (int)size] & 7;
        const unsigned displacement = mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0;
        const unsigned sib = mod != 3 && base == 4 ? 1 : 0;
        if (end[-(int)size] == 0xff && (end[1 - (int)size] >> 3 & 7) == 2 && size == 2 + sib + displacement)
            return true;
    }
    return false;
}

/**
 * What the instruction before RETURNS calls. The code is the program's, so it is not trusted: only a call
 * that leads to an exported function of the library has a name.
 */
static enum gomp_call_how call_before(struct gomp *gomp, uint64_t returns, const char **name)
{
    uint8_t code[CALL_BYTES];
    *name = NULL;
    if (pages_read(gomp->aspace, &gomp->world->pages, returns - sizeof code, sizeof code, code) != ompd_rc_ok)
        return GOMP_CALL_UNKNOWN;
    if (code[3] == 0xe8)
        *name = by_target(gomp, relative(code + 4, returns));
    if (*name == NULL && code[2] == 0xff && code[3] == 0x15) /* call *displacement(%rip) */
        *name = by_table(gomp, relative(code + 4, returns));
    if (*name != NULL)
        return GOMP_CALL_NAMED;
    return code[3] == 0xe8 || ends_indirect(code) ? GOMP_CALL_JUMP : GOMP_CALL_UNKNOWN;
}

/**
 * The call before RETURNS, an address in the library: of one of its own functions, or of one that it got from
 * the program. Where its code cannot be read, what its routines for locks call is known all the same: never
 * the program.
 */
static void call_inside(struct gomp *gomp, uint64_t returns, struct gomp_call *ret)
{
    uint8_t code[CALL_BYTES];
    ret->name = gomp_function(gomp, returns - 1);
    const bool readable =
        pages_read(gomp->aspace, &gomp->world->pages, returns - sizeof code, sizeof code, code) == ompd_rc_ok;
    const bool own =
        readable && code[3] == 0xe8 && stock_inside(gomp->aspace->stock, relative(code + 4, returns));
    if (own || (!readable && ret->name != NULL && strncmp(ret->name, "omp_", 4) == 0))
        ret->how = ret->name != NULL ? GOMP_CALL_NAMED : GOMP_CALL_INNER;
    else
        ret->how = readable && ends_indirect(code) ? GOMP_CALL_JUMP : GOMP_CALL_UNKNOWN;
    if (ret->how != GOMP_CALL_NAMED)
        ret->name = NULL;
}

/* ---- frames -------------------------------------------------------------------------------------------- */

/**
 * Goes from the innermost frame to the first that is not the library's: the call that it made. Where its code
 * does not say what it called, that is the function of the library's outermost frame, if that is exported.
 * Between two frames of the library a function of the program may have been, which has left by a jump.
 */
static ompd_rc_t by_frames(struct gomp *gomp, const struct gomp_native *native, struct gomp_call *ret)
{
    const char *last = NULL;
    struct gomp_call inside;
    *ret = (struct gomp_call){.how = GOMP_CALL_UNKNOWN};
    for (uint32_t i = 0; i < FRAMES_MAX; i++) {
        ompdx_frame_t frame;
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, i, &frame);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        if (stock_inside(gomp->aspace->stock, frame.pc)) {
            if (i > 0) {
                call_inside(gomp, frame.pc, &inside);
                if (inside.how == GOMP_CALL_JUMP || inside.how == GOMP_CALL_UNKNOWN) {
                    ret->how = inside.how;
                    return ompd_rc_ok;
                }
            }
            last = gomp_function(gomp, frame.exact ? frame.pc : frame.pc - 1);
            continue;
        }
        if (i == 0)
            return ompd_rc_ok;
        if (frame.code == ompdx_code_system) { /* a worker's first frames, if there are no others */
            if (i < 2 || last != NULL)
                return ompd_rc_ok;
            ret->how = GOMP_CALL_INNER;
            continue;
        }
        if (ret->how == GOMP_CALL_INNER) {
            ret->how = GOMP_CALL_UNKNOWN;
            return ompd_rc_ok;
        }
        ret->how = call_before(gomp, frame.pc, &ret->name);
        ret->codeptr = frame.pc;
        if (ret->how != GOMP_CALL_NAMED && last != NULL) {
            ret->how = GOMP_CALL_NAMED;
            ret->name = last;
        }
        return ompd_rc_ok;
    }
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_call(struct gomp *gomp, const struct gomp_native *native, bool frames,
                         struct gomp_call *ret)
{
    *ret = (struct gomp_call){.how = GOMP_CALL_UNKNOWN};
    if (native->place == GOMP_SPINNING || native->returns == 0)
        return by_frames(gomp, native, ret);
    if (!stock_inside(gomp->aspace->stock, native->returns)) {
        ret->how = call_before(gomp, native->returns, &ret->name);
        ret->codeptr = native->returns;
        return ompd_rc_ok;
    }
    call_inside(gomp, native->returns, ret);
    if (ret->how == GOMP_CALL_JUMP)
        return ompd_rc_ok;
    if (!frames)
        return ompd_rc_ok;
    const struct gomp_call found = *ret;
    TRY(by_frames(gomp, native, ret));
    if (ret->how == GOMP_CALL_UNKNOWN && found.how == GOMP_CALL_NAMED) /* the stack could not be walked */
        *ret = found;
    return ompd_rc_ok;
}

ompd_rc_t gomp_is_on_the_way(struct gomp *gomp, const struct gomp_native *native, bool *ret)
{
    ompdx_frame_t frame = {.code = ompdx_code_system};
    *ret = native->place == GOMP_INSIDE && !native->strange;
    for (uint32_t i = 0; native->place == GOMP_OUTSIDE && i < FRAMES_MAX && frame.code == ompdx_code_system;
         i++) {
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, i, &frame);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        *ret = stock_inside(gomp->aspace->stock, frame.pc);
    }
    return ompd_rc_ok;
}

/**
 * What the program called before the frame at PC, behind frames of the library; LAST is their outermost. The
 * address is that of the construct only where the instruction before it is that call: a jump has left no
 * trace.
 */
static void called_before(struct gomp *gomp, uint64_t pc, const char *last, struct gomp_call *ret)
{
    const char *name = NULL;
    (void)call_before(gomp, pc, &name);
    ret->codeptr = gomp_begins(name, "GOMP_parallel") ? pc : 0;
    /* A routine that runs a region leaves it by a jump to GOMP_parallel_end. */
    ret->name = last != NULL && strcmp(last, "GOMP_parallel_end") != 0 ? last : name;
    ret->how = gomp_begins(ret->name, "GOMP_parallel") ? GOMP_CALL_NAMED : GOMP_CALL_UNKNOWN;
}

/** As gomp_team_call, by the number of the region: the one that is SKIP regions further out than the thread's
 *  innermost, of COUNT on its stack. */
static ompd_rc_t region_call(struct gomp *gomp, const struct stock_thread *thread, unsigned skip,
                             unsigned count, struct gomp_call *ret)
{
    const char *last = NULL;
    struct gomp_call found = {.how = GOMP_CALL_UNKNOWN};
    bool was_inside = false;
    unsigned seen = 0;
    for (uint32_t i = 0; i < REGION_FRAMES_MAX; i++) {
        ompdx_frame_t frame;
        struct gomp_call call = {.how = GOMP_CALL_UNKNOWN};
        ompd_rc_t rc = stock_frame(gomp->aspace, thread, i, &frame);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok)
            break;
        const uint64_t pc = frame.exact ? frame.pc : frame.pc - 1;
        const bool inside = stock_inside(gomp->aspace->stock, pc);
        if (was_inside && !inside)
            called_before(gomp, frame.pc, last, &call);
        if (call.how == GOMP_CALL_NAMED && seen++ == skip)
            found = call;
        last = inside ? gomp_function(gomp, pc) : NULL;
        was_inside = inside;
    }
    if (seen == count)
        *ret = found;
    return ompd_rc_ok;
}

static bool made_by(const struct world *world, int32_t team, int32_t thread)
{
    return team != WORLD_NONE && world->teams[team].kind == ompd_generator_parallel &&
           world->teams[team].members[0] == thread;
}

ompd_rc_t gomp_team_call(struct gomp *gomp, int32_t team, struct gomp_call *ret)
{
    const struct world *world = gomp->world;
    unsigned skip = 0, count = 0;
    bool found = false;
    *ret = (struct gomp_call){.how = GOMP_CALL_UNKNOWN};
    if (world->teams[team].kind != ompd_generator_parallel || world->teams[team].size < 1)
        return ompd_rc_ok;
    const int32_t creator = world->teams[team].members[0];
    if (creator == WORLD_NONE)
        return ompd_rc_ok;
    for (int32_t at = world->threads[creator].team; made_by(world, at, creator);
         at = world->teams[at].parent) {
        found = found || at == team;
        skip += found ? 0 : 1;
        count++;
    }
    for (size_t i = 0; found && i < world->native_count; i++)
        if (world->native[i].lwp == world->threads[creator].lwp)
            return region_call(gomp, &world->native[i], skip, count, ret);
    return ompd_rc_ok;
}

uint64_t gomp_constant_argument(struct gomp *gomp, uint64_t codeptr)
{
    uint8_t code[ARGUMENT_BYTES];
    const uint8_t *before = code + sizeof code - 5; /* the call itself: e8 and four bytes */
    if (codeptr == 0 ||
        pages_read(gomp->aspace, &gomp->world->pages, codeptr - sizeof code, sizeof code, code) != ompd_rc_ok)
        return 0;
    if (before[-7] == 0x48 && before[-6] == 0x8d && before[-5] == 0x3d) /* lea displacement(%rip),%rdi */
        return relative(before - 4, codeptr - 5);
    if (before[-5] == 0xbf) /* mov $number,%edi */
        return relative(before - 4, 0) & UINT32_MAX;
    return 0;
}
