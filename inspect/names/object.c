/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/object.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/function.h"
#include "inspect/model/model.h"
#include "inspect/names/path.h"
#include "inspect/names/search.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"

/** Frames that are asked for; the hosts list no more. */
enum { FRAMES_MAX = 1024 };

/** The frames of one thread in which the user's code is. */
struct stack {
    struct user_frame {
        uint64_t pc, code; /**< code: an address in the instruction that it is at */
        uint32_t index;    /**< for the host */
    } * frames;
    uint32_t count;
};

struct unit_search {
    uint64_t unit;
    uint64_t asked; /**< the last name for which this was searched */
    struct pointer_search search;
};

struct objects {
    insp_session *session;
    struct name_types types;
    struct name_memory memory;
    struct arena arena;     /**< stacks */
    struct arena text;      /**< of the last answer */
    uint64_t asked;         /**< names */
    uint32_t reads, stacks; /**< done of NAMES_ALL_READS, NAMES_STACKS */
    uint32_t visits;        /**< done of NAMES_ALL_VISITS */
    uint32_t frames;        /**< of NAMES_ALL_FRAMES */
    struct hash stack_of;   /**< index + 1 in stack, by lwp */
    struct stack *stack;
    uint32_t stack_count;
    struct unit_search *units;
    uint32_t unit_count;
    struct pointer_search program; /**< from what is in no file that a viewer sees */
    bool program_searched;
};

void objects_free(struct objects *o)
{
    if (!o)
        return;
    for (uint32_t i = 0; i < o->unit_count; i++)
        search_free(&o->units[i].search);
    search_free(&o->program);
    free(o->units);
    hash_free(&o->stack_of);
    memory_free(&o->memory);
    types_free(&o->types);
    arena_free(&o->arena);
    arena_free(&o->text);
    free(o);
}

struct objects *objects_of(insp_session *session)
{
    struct objects *o = session->objects;

    if (o)
        return o;
    o = calloc(1, sizeof(*o));
    if (!o)
        return NULL;
    o->session = o->types.session = o->memory.session = session;
    session->objects = o;
    session->objects_free = objects_free;
    return o;
}

static const struct stack *stack_of(struct objects *o, int64_t lwp)
{
    uint64_t *known = hash_find(&o->stack_of, (uint64_t)lwp, NULL);
    struct stack stack = {0}, *grown;
    uint64_t newest = 0;
    struct insp_frame frame;

    if (known)
        return &o->stack[*known - 1];
    grown = arena_grow(&o->arena, o->stack, o->stack_count, sizeof(*grown));
    if (!grown || !(known = hash_add(&o->stack_of, (uint64_t)lwp, NULL)))
        return NULL;
    *known = o->stack_count + 1;
    o->stack = grown;
    for (uint32_t i = 0; i < FRAMES_MAX && !host_frame(o->session, lwp, i, &frame); i++) {
        struct user_frame *frames;
        uint64_t code;

        newest = i ? newest : frame.pc;
        code = frame.pc - (frame.pc != newest); /* elsewhere than in what is newest it is a return address */
        if (!code_is_users(code_of_frame(o->session, code, &frame)))
            continue;
        frames = arena_grow(&o->arena, stack.frames, stack.count, sizeof(*frames));
        if (!frames)
            break;
        stack.frames = frames;
        frames[stack.count++] = (struct user_frame){frame.pc, code, i};
    }
    o->stack[o->stack_count] = stack;
    return &o->stack[o->stack_count++];
}

/** The variables of one scope, in the order in which a search starts from them. */
struct variable_list {
    struct arena arena;
    struct insp_variable *list;
    uint32_t count;
};

/* NULL of none, and of one that is too long. */
static const char *copy(struct arena *arena, const char *text)
{
    return text && *text && strnlen(text, NAMES_NAME) < NAMES_NAME ? arena_str(arena, text) : NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct insp_variable *x = a, *y = b;

    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : strcmp(x->name, y->name);
}

/* Not by address, which not all hosts know of all. */
static int by_name(const void *a, const void *b)
{
    const struct insp_variable *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : x->address < y->address ? -1 : x->address > y->address;
}

/* Those that can lead to a lock; WHOLE: all. Inner blocks of a frame come first, and in a block what was
   declared first. */
static struct variable_list list_variables(struct objects *o, int scope, uint64_t of, uint32_t frame,
                                           bool whole)
{
    const uint32_t max = scope == INSP_SCOPE_FRAME ? NAMES_LOCALS : NAMES_UNIT_VARIABLES;
    struct variable_list all = {0};
    struct insp_variable v;

    for (uint32_t i = 0; i < max && !host_variable(o->session, scope, of, frame, i, &v); i++) {
        struct insp_variable *grown;
        uint32_t type;

        if (!v.name || !*v.name)
            continue;
        type = type_index(&o->types, v.type);
        /* A frame's others hide those of the same name in outer blocks. */
        if (!whole && scope != INSP_SCOPE_FRAME && !type_can_reach_lock(&o->types, type, NAMES_POINTERS) &&
            !v.is_value)
            continue;
        if (v.symbol && host_lookup(o->session, v.symbol, NULL, &v.address))
            continue;
        grown = arena_grow(&all.arena, all.list, all.count, sizeof(*grown));
        if (!grown)
            break;
        all.list = grown;
        v.name = copy(&all.arena, v.name);
        v.function = copy(&all.arena, v.function);
        v.file = copy(&all.arena, v.file);
        v.symbol = NULL;
        if (v.name)
            all.list[all.count++] = v;
    }
    if (all.count)
        qsort(all.list, all.count, sizeof(*all.list), scope == INSP_SCOPE_FRAME ? by_place : by_name);
    return all;
}

static struct pointer_search new_search(struct objects *o, uint32_t limit)
{
    const uint32_t left = NAMES_ALL_READS - o->reads, visits = NAMES_ALL_VISITS - o->visits;

    return (struct pointer_search){.types = &o->types,
                                   .memory = &o->memory,
                                   .limit = limit < left ? limit : left,
                                   .visit_limit = visits < NAMES_VISITS ? visits : NAMES_VISITS};
}

static void run(struct objects *o, struct pointer_search *s)
{
    search_run(s);
    o->reads += s->reads < s->limit ? s->reads : s->limit;
    o->visits += s->visits < s->visit_limit ? s->visits : s->visit_limit;
}

static void search_from(struct objects *o, int scope, uint64_t of, uint32_t frame, struct pointer_search *s)
{
    struct variable_list variables = list_variables(o, scope, of, frame, false);
    struct hash depths = {.arena = &variables.arena}; /* + 1, of the innermost block with the name */

    for (uint32_t i = 0; i < variables.count; i++) {
        const struct insp_variable *v = &variables.list[i];
        uint64_t *depth = scope == INSP_SCOPE_FRAME ? hash_add(&depths, 0, v->name) : NULL;

        if (depth && !*depth)
            *depth = (uint64_t)v->depth + 1;
        /* What is written in the program is the innermost one. */
        if (!depth || *depth == (uint64_t)v->depth + 1)
            search_add(s, v);
    }
    run(o, s);
    arena_free(&variables.arena);
}

/* What leads to ADDR from the variables of the unit of PC; malloc'ed, NULL nothing. */
static char *from_unit(struct objects *o, uint64_t pc, uint64_t addr)
{
    struct unit_search *grown;
    uint64_t unit;

    if (host_unit(o->session, pc, &unit))
        return NULL;
    for (uint32_t i = 0; i < o->unit_count; i++) {
        struct unit_search *u = &o->units[i];

        if (u->unit != unit)
            continue;
        /* Most frames of all threads are of a few files. */
        if (u->asked == o->asked)
            return NULL;
        u->asked = o->asked;
        return search_find(&u->search, addr);
    }
    grown = realloc(o->units, (o->unit_count + (size_t)1) * sizeof(*grown));
    if (!grown)
        return NULL;
    o->units = grown;
    o->units[o->unit_count] = (struct unit_search){unit, o->asked, new_search(o, NAMES_READS)};
    search_from(o, INSP_SCOPE_UNIT, unit, 0, &o->units[o->unit_count].search);
    return search_find(&o->units[o->unit_count++].search, addr);
}

static char *from_frame(struct objects *o, int64_t lwp, uint32_t index, uint64_t addr)
{
    struct pointer_search s = new_search(o, NAMES_LOCAL_READS);
    char *found;

    search_from(o, INSP_SCOPE_FRAME, (uint64_t)lwp, index, &s);
    found = search_find(&s, addr);
    search_free(&s);
    return found;
}

/* No more than a variable: "x", "*x". */
static bool is_bare(const char *text)
{
    text += *text == '*';
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

/*
 * FOUND, the name that frame I has for ADDR, or a better one: "x" may be no more than a parameter of a
 * guard's constructor, and all locks would be called so. What the caller has for the same object says which
 * it is.
 */
static char *of_caller(struct objects *o, const struct insp_viewer *viewer, const struct stack *stack,
                       uint32_t i, uint64_t addr, char *found)
{
    const uint32_t end = i + 1 + NAMES_WRAPPERS;

    for (i++; i < stack->count && i < end && is_bare(found); i++) {
        char *outer = from_frame(o, viewer->lwp, stack->frames[i].index, addr);

        if (!outer)
            return found;
        free(found);
        found = outer;
    }
    return found;
}

static char *from_viewer(struct objects *o, const struct insp_viewer *viewer, uint64_t addr, bool locals)
{
    const struct stack *stack = stack_of(o, viewer->lwp);
    uint32_t first = 0, end;
    char *found = NULL;

    while (stack && viewer->pc && first < stack->count && stack->frames[first].pc != viewer->pc)
        first++;
    end = first + NAMES_FRAMES;
    for (uint32_t i = first; stack && i < stack->count && i < end && !found; i++) {
        const struct user_frame frame = stack->frames[i];

        found = locals ? from_frame(o, viewer->lwp, frame.index, addr) : from_unit(o, frame.code, addr);
        if (found && locals)
            found = of_caller(o, viewer, stack, i, addr, found);
    }
    return found;
}

/* Variables of static storage whose words point into memory that was allocated: the others lead to no
   lock there. */
struct words {
    struct objects *o;
    uint64_t bytes; /**< of data that were looked through */
    uint32_t words;
    const char *files[NAMES_DATA_FILES]; /**< in which variables were found */
    uint32_t file_count;
    struct variable_list found;
};

static bool is_allocated(struct objects *o, uint64_t addr)
{
    struct insp_region region;

    return addr >= NAMES_PAGE && memory_region(&o->memory, addr, &region) &&
           region.memory != INSP_MEMORY_FILE;
}

static bool count_file(struct words *w, const char *file)
{
    for (uint32_t i = 0; i < w->file_count; i++)
        if (!strcmp(w->files[i], file ? file : ""))
            return true;
    if (w->file_count == NAMES_DATA_FILES)
        return false;
    w->files[w->file_count] = arena_str(&w->found.arena, file ? file : "");
    return w->files[w->file_count] && ++w->file_count;
}

/* The variables around the word at ADDR. Returns where the next one can begin; 0 the end of the search. */
static uint64_t word(struct words *w, uint64_t addr)
{
    uint64_t next = addr + 8;
    struct insp_variable v;

    if (w->words >= NAMES_DATA_WORDS)
        return 0;
    w->words++;
    for (uint32_t i = 0; i < NAMES_VARIABLES_AT && !host_variable_at(w->o->session, addr, i, &v); i++) {
        struct insp_variable *grown =
            arena_grow(&w->found.arena, w->found.list, w->found.count, sizeof(*grown));
        uint64_t size;

        if (!grown || !v.name || !count_file(w, v.file))
            return 0;
        w->found.list = grown;
        v.name = copy(&w->found.arena, v.name);
        v.function = v.file = NULL;
        size = type_size(&w->o->types, type_index(&w->o->types, v.type));
        if (!i && !v.is_value && size <= UINT64_MAX - v.address && v.address + size > next)
            next = v.address + size;
        if (v.name)
            w->found.list[w->found.count++] = v;
    }
    return next;
}

static void look_through(struct words *w, uint64_t start, uint64_t end)
{
    uint64_t value, next;

    start += -start % 8;
    if (end <= start || end - start > NAMES_DATA - w->bytes)
        return;
    w->bytes += end - start;
    for (uint64_t at = start; at < end && end - at >= 8; at = next) {
        next = at + 8;
        if (memory_word(&w->o->memory, at, &value) && is_allocated(w->o, value) && !(next = word(w, at)))
            return;
        next += -next % 8;
        if (next <= at)
            return; /* a variable up to the last address there is */
    }
}

/* No variable of the system's libraries leads to a lock of the program's, and their debug information is
   large. */
static bool is_users(struct objects *o, uint64_t addr, const char *module)
{
    const struct insp_place place = {.module = module};

    return code_is_users(code_at(o->session, addr, &place));
}

/* From the rest of the program: its own variables first, then those of its libraries. */
static char *from_program(struct objects *o, uint64_t addr)
{
    struct words w = {.o = o};
    const char *module;
    uint64_t start, end;

    if (o->program_searched)
        return search_find(&o->program, addr);
    o->program_searched = true;
    o->program = new_search(o, NAMES_READS);
    for (int library = 0; library < 2; library++)
        for (uint32_t i = 0; i < NAMES_DATA_PARTS && !host_data(o->session, i, &start, &end, &module); i++)
            if ((module != NULL) == library && (!module || is_users(o, start, module)))
                look_through(&w, start, end);
    for (uint32_t i = 0; i < w.found.count; i++)
        search_add(&o->program, &w.found.list[i]);
    arena_free(&w.found.arena);
    run(o, &o->program);
    return search_find(&o->program, addr);
}

static char *pointed(struct objects *o, uint64_t addr, const struct insp_viewer *viewers, uint32_t count)
{
    char *found = NULL;

    for (int locals = 0; locals < 2 && !found; locals++)
        for (uint32_t i = 0; i < count && !found && o->stacks < NAMES_STACKS; i++, o->stacks++)
            found = from_viewer(o, &viewers[i], addr, locals);
    return found ? found : from_program(o, addr);
}

/* Puts the part of V that begins at ADDR into *ret; *lock: it is one. False: none does. */
static bool describe(struct objects *o, const struct insp_variable *v, uint64_t addr, struct insp_object *ret,
                     bool *lock)
{
    uint32_t type = type_index(&o->types, v->type);
    uint64_t offset = addr - v->address;
    struct sbuf path = {0};
    struct name_part part;
    bool ok = v->name && strnlen(v->name, NAMES_NAME) < NAMES_NAME && !v->is_value &&
              path_write(&o->types, type, offset, &path, &part);

    sbuf_add(&path, "");
    ok = ok && !path.oom && (!offset || offset < type_size(&o->types, type));
    if (ok) {
        /* The first byte of a thing that is no lock is the thing. */
        bool whole = !part.lock && !offset && !(type_of(&o->types, type)->fortran && part.element);

        *ret = (struct insp_object){.kind = INSP_OBJECT_VARIABLE,
                                    .text = arena_printf(&o->text, "%s%s", v->name, whole ? "" : path.text),
                                    .function = function_name(&o->text, v->function, v->file),
                                    .type = copy(&o->text, part.type_name),
                                    .file = copy(&o->text, v->file),
                                    .line = v->line};
        *lock = part.lock;
        ok = ret->text;
    }
    sbuf_free(&path);
    return ok;
}

/* Things can lie on top of each other, as in a COMMON block: a lock is meant. */
static bool is_static(struct objects *o, uint64_t addr, struct insp_object *ret)
{
    struct insp_object found;
    struct insp_variable v;
    bool any = false, lock = false;

    for (uint32_t i = 0; i < NAMES_VARIABLES_AT && !lock && !host_variable_at(o->session, addr, i, &v); i++)
        if (describe(o, &v, addr, &found, &lock) && (!any || lock)) {
            *ret = found;
            any = true;
        }
    return any;
}

static bool is_local(struct objects *o, int64_t lwp, uint64_t addr, struct insp_object *ret)
{
    const struct stack *stack = stack_of(o, lwp);
    bool found = false, lock;

    for (uint32_t i = 0; stack && i < stack->count && !found && o->frames < NAMES_ALL_FRAMES;
         i++, o->frames++) {
        struct variable_list all =
            list_variables(o, INSP_SCOPE_FRAME, (uint64_t)lwp, stack->frames[i].index, true);

        for (uint32_t k = 0; k < all.count && !found; k++)
            found = addr >= all.list[k].address && describe(o, &all.list[k], addr, ret, &lock);
        arena_free(&all.arena);
    }
    if (!found)
        return false;
    ret->kind = INSP_OBJECT_LOCAL;
    ret->lwp = lwp;
    return true;
}

/* A debugger may know of some variables of static storage only by their unit: those of the viewers are
   asked for. */
static void look_at_units(struct objects *o, const struct insp_viewer *viewers, uint32_t count)
{
    uint64_t unit;

    for (uint32_t i = 0; i < count && o->stacks < NAMES_STACKS; i++, o->stacks++) {
        const struct stack *stack = stack_of(o, viewers[i].lwp);

        for (uint32_t k = 0; stack && k < stack->count && k < NAMES_FRAMES; k++)
            (void)!host_unit(o->session, stack->frames[k].code, &unit);
    }
}

/* What lies in a file's memory where no variable is known: a symbol, else the file and how far behind its
   header. */
static bool in_file(struct objects *o, uint64_t addr, struct insp_object *ret)
{
    struct insp_place place;
    const char *path;
    uint64_t base;

    *ret = (struct insp_object){.kind = INSP_OBJECT_SYMBOL};
    if (!host_place(o->session, addr, &place) && place.symbol && *place.symbol) {
        ret->text = function_variable(&o->text, place.symbol);
        if (ret->text && place.offset)
            ret->text = arena_printf(&o->text, "%s+%" PRIu64, ret->text, place.offset);
        return ret->text;
    }
    path = code_file(o->session, addr, &base);
    if (!path)
        return false;
    ret->kind = INSP_OBJECT_FILE;
    ret->text = arena_printf(&o->text, "%s+0x%" PRIx64, mdl_base_name(path), addr - base);
    return ret->text;
}

/* What lies on a stack or in allocated memory. */
static void in_memory(struct objects *o, uint64_t addr, const struct insp_region *region,
                      const struct insp_viewer *viewers, uint32_t count, struct insp_object *ret)
{
    char *text;

    *ret = (struct insp_object){.kind = INSP_OBJECT_MEMORY};
    if (region->memory == INSP_MEMORY_STACK) {
        if (is_local(o, region->lwp, addr, ret))
            return;
        ret->text = arena_printf(&o->text, "(on the stack of LWP %" PRId64 ")", region->lwp);
        ret->lwp = region->lwp;
    } else if ((text = pointed(o, addr, viewers, count))) {
        ret->kind = INSP_OBJECT_POINTED;
        ret->text = arena_str(&o->text, text);
        free(text);
    } else {
        ret->text = region->memory == INSP_MEMORY_HEAP ? "(in the heap)" : "(in allocated memory)";
    }
}

int objects_name(struct objects *o, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
                 struct insp_object *ret)
{
    struct insp_object found = {0};
    struct insp_region region;

    arena_free(&o->text);
    o->text = (struct arena){0};
    o->asked++;
    if (is_static(o, addr, &found)) {
        *ret = found;
        return 0;
    }
    if (host_region(o->session, addr, &region) || region.memory == INSP_MEMORY_NONE)
        return 1;
    if (region.memory != INSP_MEMORY_FILE) {
        in_memory(o, addr, &region, viewers, count, &found);
    } else {
        look_at_units(o, viewers, count);
        if (!is_static(o, addr, &found) && !in_file(o, addr, &found))
            return 1;
    }
    if (!found.text)
        return -1;
    *ret = found;
    return 0;
}

int insp_name(insp_session *s, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
              struct insp_object *ret)
{
    insp_session *before;
    int rc;

    if (!s)
        return -1;
    s->host_failed = false;
    before = callbacks_activate(s);
    /* Whose code it is depends on the files; without them it may be the user's. */
    if (!s->scan)
        (void)!discover_scan(s);
    rc = objects_of(s) ? objects_name(s->objects, addr, viewers, count, ret) : -1;
    callbacks_restore(before);
    return rc;
}
