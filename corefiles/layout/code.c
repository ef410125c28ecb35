/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/code.h"

#include <stdlib.h>

enum {
    LOOP_BYTES_MAX = 256,
    LOOP_INSTRUCTIONS_MAX = 60,
    CODE_MAX = 64 << 20, /* bytes; libomp has one million */
};

/* ---- decoding ------------------------------------------------------------------------------------------ */

static int grow(struct ly_code *code, size_t *room)
{
    struct ly_instruction *larger;

    if (code->count < *room)
        return 0;
    *room = *room ? *room * 2 : 1024;
    larger = reallocarray(code->list, *room, sizeof *larger);
    if (!larger)
        return -1;
    code->list = larger;
    return 0;
}

/* From START to END, as long as BYTES_LEFT: sections may claim the same bytes. NEXT is an exported function,
   at whose start an instruction begins for certain. */
static int decode_section(const struct ly_image *image, uint64_t start, uint64_t end, struct ly_code *code,
                          size_t *room, size_t *bytes_left)
{
    size_t left, next = 0;
    struct x86_instruction x86;

    for (uint64_t pc = start; pc < end;) {
        const uint8_t *bytes = ly_bytes(image, pc, &left);
        while (next < image->count && image->functions[next].start <= pc)
            next++;
        if (!bytes || !*bytes_left)
            break;
        if (left > end - pc)
            left = end - pc;
        if (next < image->count && left > image->functions[next].start - pc)
            left = image->functions[next].start - pc;
        if (x86_decode(bytes, left, pc, &x86) != X86_OK) {
            pc++;
            --*bytes_left;
            continue;
        }
        if (grow(code, room))
            return -1;
        code->list[code->count++] = (struct ly_instruction){pc, x86};
        pc += x86.length;
        *bytes_left -= x86.length < *bytes_left ? x86.length : *bytes_left;
    }
    return 0;
}

int ly_decode(const struct ly_image *image, struct ly_code *ret)
{
    struct ly_code code = {0};
    size_t room = 0, bytes_left = image->size;
    uint64_t start, end, all = 0;

    for (unsigned i = 0; ly_code(image, i, &start, &end); i++)
        if (end < start || end - start > CODE_MAX || (all += end - start) > CODE_MAX)
            return 1;
    for (unsigned i = 0; ly_code(image, i, &start, &end); i++)
        if (decode_section(image, start, end, &code, &room, &bytes_left)) {
            ly_code_free(&code);
            return -1;
        }
    *ret = code;
    return 0;
}

void ly_code_free(struct ly_code *code)
{
    free(code->list);
}

size_t ly_at(const struct ly_code *code, uint64_t address)
{
    size_t low = 0, high = code->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->list[middle].pc < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

static bool find_loop(const struct ly_code *code, size_t pause, struct ly_spin *ret)
{
    uint64_t pc = code->list[pause].pc;
    bool found = false;

    for (size_t i = pause; i < code->count && i < pause + LOOP_INSTRUCTIONS_MAX; i++) {
        const struct ly_instruction *at = &code->list[i];
        if ((at->x86.kind != X86_JUMP && at->x86.kind != X86_JUMP_IF) || at->x86.address > pc ||
            pc - at->x86.address >= LOOP_BYTES_MAX)
            continue;
        struct ly_spin loop = {
            .start = at->x86.address, .end = at->pc + at->x86.length, .base = X86_NONE, .with = X86_NONE};
        if (!found || loop.end - loop.start < ret->end - ret->start)
            *ret = loop;
        found = true;
    }
    return found;
}

/* The one register through which the loop reads memory. */
static uint8_t looks_through(const struct ly_code *code, const struct ly_spin *loop)
{
    uint8_t base = X86_NONE;

    for (size_t i = ly_at(code, loop->start); i < code->count && code->list[i].pc < loop->end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (!x86->has_modrm || x86->mod == 3 || x86->kind == X86_LEA || x86->kind == X86_STORE ||
            x86->memory.base == X86_RSP || x86->memory.base == X86_RIP || x86->memory.base == X86_NONE ||
            (x86->map == 1 && x86->opcode >= 0x18 && x86->opcode <= 0x1f)) /* no-operations */
            continue;
        if (x86->memory.index != X86_NONE || (base != X86_NONE && base != x86->memory.base))
            return X86_NONE;
        base = x86->memory.base;
    }
    return base;
}

/* What cmp or test compares: registers, or these. X86_NONE: the number. */
enum { THE_WORD = X86_RIP, OTHER_MEMORY };
struct comparison {
    uint8_t left, right;
    uint32_t number;
};

static bool is_comparison(const struct x86_instruction *x86, uint8_t base, struct comparison *ret)
{
    enum { CMP = 7 }; /* of the group's operations, in the field reg */
    uint8_t rm = x86->mod == 3 ? x86->rm : x86->memory.base == base ? THE_WORD : OTHER_MEMORY;

    if (x86->map != 0 || x86->encoding != X86_LEGACY || x86->size < 4)
        return false;
    switch (x86->opcode) {
    case 0x39:
        *ret = (struct comparison){rm, x86->reg, 0};
        return true;
    case 0x3b:
        *ret = (struct comparison){x86->reg, rm, 0};
        return true;
    case 0x3d:
        *ret = (struct comparison){X86_RAX, X86_NONE, (uint32_t)x86->immediate};
        return true;
    case 0x81:
    case 0x83:
        *ret = (struct comparison){rm, X86_NONE, (uint32_t)x86->immediate};
        return x86->reg % 8 == CMP;
    case 0x85: /* test of a register with itself */
        *ret = (struct comparison){x86->reg, X86_NONE, 0};
        return x86->mod == 3 && x86->rm == x86->reg;
    default:
        return false;
    }
}

/* The condition under which the jump after instruction AT stays in the loop, as in its opcode; -1: none. */
static int stays_if(const struct ly_code *code, const struct ly_spin *loop, size_t at)
{
    const struct ly_instruction *jump = at + 1 < code->count ? &code->list[at + 1] : NULL;

    if (!jump || jump->pc >= loop->end || jump->x86.kind != X86_JUMP_IF || jump->x86.map > 1)
        return -1;
    bool inside = jump->x86.address >= loop->start && jump->x86.address < loop->end;
    return (jump->x86.opcode & 0xf) ^ (inside ? 0 : 1);
}

/* Registers that hold the word that the loop looks at, and those that it writes at all. */
static void written_in(const struct ly_code *code, const struct ly_spin *loop, unsigned *words,
                       unsigned *written)
{
    *words = *written = 0;
    for (size_t i = ly_at(code, loop->start); i < code->count && code->list[i].pc < loop->end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (x86->kind == X86_LOAD && x86->has_modrm && x86->mod != 3 && x86->memory.base == loop->base)
            *words |= 1u << x86->to;
        *written |= x86->writes;
    }
}

/* What the word is compared with, and how: where just one comparison of it decides how the loop goes on. */
static void find_end(const struct ly_code *code, struct ly_spin *loop)
{
    enum { ABOVE_OR_EQUAL = 3, EQUAL = 4, BELOW_OR_EQUAL = 6 };
    unsigned words, written, found = 0;
    struct comparison c;

    written_in(code, loop, &words, &written);
    if (written & 1u << loop->base)
        return;
    words |= 1u << THE_WORD;
    written |= 1u << OTHER_MEMORY;
    for (size_t i = ly_at(code, loop->start); i < code->count && code->list[i].pc < loop->end; i++) {
        if (!is_comparison(&code->list[i].x86, loop->base, &c))
            continue;
        bool left = words & 1u << c.left, right = c.right != X86_NONE && words & 1u << c.right;
        uint8_t with = left ? c.right : c.left;
        int stays = stays_if(code, loop, i);
        if (left == right)
            continue;
        found++;
        loop->how = LY_SPIN_UNKNOWN;
        if (with != X86_NONE && written & 1u << with)
            continue;
        if (stays == EQUAL && code->list[i].x86.size == 4)
            loop->how = LY_SPIN_EQUAL;
        else if (with != X86_NONE && code->list[i].x86.size == 8 &&
                 stays == (left ? BELOW_OR_EQUAL : ABOVE_OR_EQUAL))
            loop->how = LY_SPIN_AT_MOST;
        loop->with = with;
        loop->number = c.number;
    }
    if (found != 1)
        loop->how = LY_SPIN_UNKNOWN;
}

size_t ly_spins(const struct ly_code *code, struct ly_spin *ret, size_t max)
{
    struct ly_spin loop, last = {0};
    size_t count = 0;

    for (size_t i = 0; i < code->count; i++) {
        if (code->list[i].x86.kind != X86_PAUSE || !find_loop(code, i, &loop) || loop.start < last.end)
            continue;
        loop.base = looks_through(code, &loop);
        if (loop.base == X86_NONE)
            continue;
        find_end(code, &loop);
        if (count < max)
            ret[count] = loop;
        last = loop;
        count++;
    }
    return count;
}

/* ---- variables ---------------------------------------------------------------------------------------- */

uint64_t ly_address(const struct ly_code *code, const struct ly_function *function, unsigned nth,
                    uint64_t but)
{
    if (!function)
        return 0;
    for (size_t i = ly_at(code, function->start); i < code->count && code->list[i].pc < function->end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (x86->kind == X86_LOAD && x86->has_modrm && x86->memory.base == X86_RIP && x86->address != but &&
            nth-- == 0)
            return x86->address;
    }
    return 0;
}
