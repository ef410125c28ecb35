/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/row.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/class_layout.h"
#include "corefiles/layout/decode.h"
#include "corefiles/layout/caller_rules.h"
#include "corefiles/layout/imply.h"
#include "corefiles/layout/members.h"
#include "corefiles/layout/relocations.h"
#include "corefiles/layout/sites.h"
#include "corefiles/layout/variables.h"
#include "ompd/providers/fingerprint.h"

enum { SITES_MAX = 1024, CLASSES_MAX = 32 };

/* libomp's structures by the names of its typedefs. */
struct class
{
    const char *tag;
    char name[80];
};

/* A row in the making. */
struct making {
    const struct ly_request *request;
    bool kmp;
    struct ly_image image;
    struct ly_code code;
    struct ly_fact facts[LY_FACTS_MAX];
    size_t fact_count;
    int debug_fd;
    struct debuginfo *debug; /* NULL: none, or none of use */
    struct debuginfo *own;   /* NULL: it is the caller's */
    struct class classes[CLASSES_MAX];
    struct debuginfo_wanted wanted[CLASSES_MAX]; /* what it says of them */
    size_t class_count;
    FILE *out;
    char *problem; /* of the first thing that contradicts another */
};

static const char nest_lock[] = "omp_nest_lock_t";

static void refuse(struct making *m, const char *format, const char *a, const char *b)
{
    if (!m->problem && asprintf(&m->problem, format, a, b) < 0)
        m->problem = NULL;
}

static const struct ly_fact *fact(const struct making *m, const char *name)
{
    return ly_fact(m->facts, m->fact_count, name);
}

/* ---- structures ---------------------------------------------------------------------------------------- */

static void want_class(struct making *m, const char *tag, const char *end)
{
    for (size_t i = 0; i < m->class_count; i++)
        if (!strcmp(m->classes[i].tag, tag))
            return;
    if (m->class_count == CLASSES_MAX)
        return;
    struct class *class = &m->classes[m->class_count];
    class->tag = tag;
    snprintf(class->name, sizeof class->name, "%s%s", tag, end);
    m->wanted[m->class_count++].name = class->name;
}

/* In one pass: each takes as long as the debug information is large. */
static void find_classes(struct making *m, struct debuginfo *debug)
{
    size_t count;
    const struct ly_member *members = ly_members(m->kmp, &count);

    for (size_t i = 0; i < count; i++)
        want_class(m, members[i].tag, m->kmp ? "_t" : "");
    if (!m->kmp)
        want_class(m, nest_lock, "");
    debuginfo_classes(debug, m->wanted, m->class_count);
}

static int find_class(const struct making *m, const char *tag, struct die *ret)
{
    for (size_t i = 0; m->debug && i < m->class_count; i++)
        if (m->wanted[i].found && !strcmp(m->classes[i].tag, tag)) {
            *ret = m->wanted[i].class;
            return 0;
        }
    return 1;
}

static bool same(const struct ly_fact *decoded, const struct debuginfo_place *place)
{
    return !decoded ||
           (decoded->offset == place->offset && (!decoded->size || decoded->size == place->size) &&
            (!decoded->mask || decoded->mask == place->mask));
}

/* debuginfo_member, and the whole row is refused where its debug information cannot be searched. */
static int debug_member(struct making *m, const struct die *class, const char *path,
                        struct debuginfo_place *ret)
{
    int rc = debuginfo_member(class, path, ret);

    if (rc == DEBUGINFO_ENDLESS)
        refuse(m, "%s: its debug information is damaged: it was searched for the member %s and had no end",
               m->request->file, path);
    return rc;
}

static int find_member(struct making *m, const struct ly_member *member, struct debuginfo_place *ret)
{
    char name[200];
    struct die class;

    snprintf(name, sizeof name, "%s.%s", member->tag, member->path);
    const struct ly_fact *decoded = fact(m, name);
    if (!find_class(m, member->tag, &class) && !debug_member(m, &class, member->path, ret)) {
        if (!same(decoded, ret))
            refuse(m, "the debug information does not fit the code: %s lies elsewhere%s", name, "");
        return 0;
    }
    if (!decoded || m->debug)
        return 1;
    *ret = (struct debuginfo_place){decoded->offset, decoded->size || decoded->is_unsized ? decoded->size : 8,
                                    decoded->mask};
    return 0;
}

static int find_size(struct making *m, const char *tag, uint64_t *ret)
{
    const struct ly_fact *decoded = fact(m, tag);
    struct die class;

    if (!find_class(m, tag, &class) && die_size(&class) > 0) {
        *ret = (uint64_t)die_size(&class);
        if (decoded && decoded->offset != *ret)
            refuse(m, "the debug information does not fit the code: %s has another size%s", tag, "");
        return 0;
    }
    if (m->debug)
        return 1;
    /* Decoded members need a structure to be in: as large as they make it, if nothing tells its size. */
    *ret = decoded ? decoded->offset : 0;
    for (size_t i = 0; !decoded && i < m->fact_count; i++) {
        const struct ly_fact *f = &m->facts[i];
        const uint64_t end = (f->offset + (f->size || f->is_unsized ? f->size : 8) + 7) / 8 * 8;
        if (!strncmp(f->name, tag, strlen(tag)) && f->name[strlen(tag)] == '.' && *ret < end)
            *ret = end;
    }
    return *ret == 0;
}

static void print_structures(struct making *m)
{
    const char *comma = "";
    struct debuginfo_place place;
    uint64_t size;
    size_t count;
    const struct ly_member *members = ly_members(m->kmp, &count);

    fprintf(m->out, "  \"sizes\": {");
    for (size_t i = 0; i < count; i++) {
        if (members[i].path || find_size(m, members[i].tag, &size))
            continue;
        fprintf(m->out, "%s\n    \"%s\": %" PRIu64, comma, members[i].tag, size);
        comma = ",";
    }
    fprintf(m->out, "\n  },\n  \"fields\": {");
    comma = "";
    for (size_t i = 0; i < count; i++) {
        if (m->problem)
            return;
        if (!members[i].path || find_member(m, &members[i], &place))
            continue;
        fprintf(m->out, "%s\n    \"%s.%s\": [%" PRIu64 ", %" PRIu64, comma, members[i].tag, members[i].path,
                place.offset, place.size);
        if (place.mask)
            fprintf(m->out, ", %" PRIu64, place.mask);
        fprintf(m->out, "]");
        comma = ",";
    }
    fprintf(m->out, "\n  },\n");
}

/* ---- variables and constants --------------------------------------------------------------------------- */

/* The words for a thread-local variable are those for libgomp's records where a record begins with two
   pointers before its team, as all do. Else they are for all of the file's variables. */
static bool is_for_records(const struct making *m)
{
    enum { TEAM_AT = 16 };
    const struct ly_fact *team = fact(m, "gomp_thread.ts.team");

    return team && team->offset == TEAM_AT;
}

static void print_variables(struct making *m)
{
    const char *comma = "";

    fprintf(m->out, "  \"variables\": {");
    for (size_t i = 0; i < ly_variable_count; i++) {
        const struct ly_variable *variable = &ly_variables[i];
        const uint64_t address = variable->kmp == m->kmp ? ly_variable(&m->image, &m->code, variable) : 0;
        if (!address || (variable->tls && !is_for_records(m)))
            continue;
        fprintf(m->out, "%s\n    \"%s\": [\"0x%" PRIx64 "\", %u]", comma, variable->name, address,
                variable->size);
        comma = ",";
    }
    fprintf(m->out, "\n  },\n");
}

/* The number that follows TEXT in the file, up to where it ends. */
static unsigned long number_after(const struct ly_image *image, const char *text)
{
    uint64_t at = ly_find(image, text, strlen(text));
    size_t left = 0;
    const uint8_t *bytes = at ? ly_bytes(image, at + strlen(text), &left) : NULL;
    char digits[7] = "";

    if (!bytes || left < sizeof digits)
        return 0;
    memcpy(digits, bytes, sizeof digits - 1);
    return strtoul(digits, NULL, 10);
}

/* "LLVM OMP API version: 5.0 (201611)" */
static unsigned long kmp_version(const struct ly_image *image)
{
    static const char text[] = "OMP API version: ";
    uint64_t at = ly_find(image, text, strlen(text));
    size_t left = 0;
    const uint8_t *bytes = at ? ly_bytes(image, at, &left) : NULL;
    const uint8_t *open = bytes ? memchr(bytes, '(', left < 64 ? left : 64) : NULL;

    return open ? strtoul((const char *)open + 1, NULL, 10) : 0;
}

/* As many as there are unless the environment asks for another number. */
enum { HIDDEN_HELPERS = 8 };

static void print_constants(struct making *m)
{
    static const char hidden[] = "LIBOMP_NUM_HIDDEN_HELPER_THREADS";
    struct die class;
    struct debuginfo_place place;
    unsigned long version = m->kmp ? kmp_version(&m->image) : number_after(&m->image, "_OPENMP = '");
    const struct ly_fact *owner = m->kmp ? NULL : fact(m, LY_NEST_LOCK_OWNER);
    const char *comma = "";

    fprintf(m->out, "  \"constants\": {");
    if (!m->kmp && !find_class(m, nest_lock, &class) && !debug_member(m, &class, "owner", &place)) {
        if (owner && owner->offset != place.offset)
            refuse(m, "the debug information does not fit the code: %s lies elsewhere%s", owner->name, "");
    } else if (owner && !m->debug) {
        place.offset = owner->offset;
    } else {
        owner = NULL;
    }
    if (!m->kmp && owner) {
        fprintf(m->out, "\n    \"%s\": %" PRIu64, LY_NEST_LOCK_OWNER, place.offset);
        comma = ",";
    }
    if (version > 200000 && version < 300000) {
        fprintf(m->out, "%s\n    \"openmp_version\": %lu", comma, version);
        comma = ",";
    }
    if (m->kmp)
        fprintf(m->out, "%s\n    \"hidden_helpers\": %d", comma,
                ly_find(&m->image, hidden, sizeof hidden) ? HIDDEN_HELPERS : 0);
    fprintf(m->out, "\n  },\n");
}

/* ---- code ---------------------------------------------------------------------------------------------- */

static const char *register_name(uint8_t number)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    return number < 16 ? names[number] : "?";
}

/* All of libgomp's own system calls wait for a futex, whose address is their first argument. libomp waits
 * through
   libc, which is no part of it: there the call stack says what it waits for. */
/* How long a loop that waits goes on. */
static void print_end(FILE *out, const struct ly_spin *spin)
{
    if (spin->how != LY_SPIN_UNKNOWN && spin->with != X86_NONE)
        fprintf(out, ", \"%s%s\"", spin->how == LY_SPIN_AT_MOST ? "<=" : "", register_name(spin->with));
    else if (spin->how == LY_SPIN_EQUAL)
        fprintf(out, ", \"0x%" PRIx32 "\"", spin->number);
}

static void print_waits(struct making *m)
{
    static struct ly_site sites[SITES_MAX];
    static struct ly_spin spins[SITES_MAX];
    size_t site_count = m->kmp ? 0 : ly_sites(&m->image, &m->code, sites, SITES_MAX);
    size_t spin_count = m->kmp ? 0 : ly_spins(&m->code, spins, SITES_MAX);

    fprintf(m->out, "  \"sites\": [");
    for (size_t i = 0; i < site_count && i < SITES_MAX; i++)
        fprintf(m->out, "%s\n    [\"0x%" PRIx64 "\", %u, \"rdi\"]", i ? "," : "", sites[i].pc,
                sites[i].frame);
    fprintf(m->out, "\n  ],\n  \"spins\": [");
    for (size_t i = 0; i < spin_count && i < SITES_MAX; i++) {
        fprintf(m->out, "%s\n    [\"0x%" PRIx64 "\", \"0x%" PRIx64 "\", \"%s\"", i ? "," : "", spins[i].start,
                spins[i].end, register_name(spins[i].base));
        print_end(m->out, &spins[i]);
        fprintf(m->out, "]");
    }
    fprintf(m->out, "\n  ],\n");
}

/* Of functions: is it the first one of its name, and which is the next? A function may have an older
   version of the same name. */
struct namesake {
    const char *name;
    size_t index, next; /* next: 0 none */
    bool is_first;
};

static int by_name(const void *a, const void *b)
{
    const struct namesake *one = a, *two = b;
    const int order = strcmp(one->name, two->name);

    return order ? order : one->index < two->index ? -1 : one->index > two->index;
}

static int by_index(const void *a, const void *b)
{
    const struct namesake *one = a, *two = b;

    return one->index < two->index ? -1 : one->index > two->index;
}

static void find_namesakes(const struct ly_image *image, struct namesake *ret)
{
    for (size_t i = 0; i < image->count; i++)
        ret[i] = (struct namesake){.name = image->functions[i].name, .index = i};
    qsort(ret, image->count, sizeof *ret, by_name);
    for (size_t i = 0; i < image->count; i++) {
        ret[i].is_first = !i || strcmp(ret[i - 1].name, ret[i].name) != 0;
        if (!ret[i].is_first)
            ret[i - 1].next = ret[i].index;
    }
    qsort(ret, image->count, sizeof *ret, by_index);
}

static void print_functions(struct making *m)
{
    const struct ly_function *all = m->image.functions;
    struct namesake *names = calloc(m->image.count + 1, sizeof *names);
    const char *comma = "";

    if (!names) {
        refuse(m, "%s: no memory%s", m->request->file, "");
        return;
    }
    find_namesakes(&m->image, names);
    fprintf(m->out, "  \"functions\": {");
    for (size_t i = 0; i < m->image.count; i++) {
        if (!names[i].is_first)
            continue;
        fprintf(m->out, "%s\n    \"%s\": [\"0x%" PRIx64 "\", \"0x%" PRIx64 "\"", comma, all[i].name,
                all[i].start, all[i].end);
        for (size_t k = names[i].next; k; k = names[k].next)
            fprintf(m->out, ", \"0x%" PRIx64 "\", \"0x%" PRIx64 "\"", all[k].start, all[k].end);
        fprintf(m->out, "]");
        comma = ",";
    }
    fprintf(m->out, "\n  },\n");
    free(names);
}

/* In all of these the mutex is the third argument. */
static void print_slots(struct making *m)
{
    static const char *const names[] = {"__kmpc_critical", "__kmpc_critical_with_hint", "__kmpc_set_lock",
                                        "__kmpc_set_lock_with_hint", "__kmpc_set_nest_lock"};
    const char *comma = "";

    fprintf(m->out, "  \"slots\": {");
    for (size_t i = 0; m->kmp && i < sizeof names / sizeof names[0]; i++) {
        const struct ly_function *function = ly_function(&m->image, names[i]);
        struct ly_slot slot;
        if (!function || ly_kept(&m->image, &m->code, function, &slot))
            continue;
        fprintf(m->out, "%s\n    \"%s\": [\"%s\"", comma, names[i], register_name(slot.base));
        if (slot.memory)
            fprintf(m->out, ", %u", slot.offset);
        fprintf(m->out, "]");
        comma = ",";
    }
    fprintf(m->out, "\n  }");
}

static void print_frames(struct making *m)
{
    fprintf(m->out, ",\n");
    if (ly_frames(&m->image, &m->code, m->out))
        refuse(m, "%s: no memory%s", m->request->file, "");
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < 32 ? ' ' : (unsigned char)*text > 126 ? '?' : *text, out);
    }
}

static void print_fingerprint(struct making *m)
{
    struct fingerprint print = {0};
    char text[FINGERPRINT_TEXT];
    const char *const *names = fingerprint_names(m->kmp);

    for (unsigned i = 0; names[i]; i++) {
        const struct ly_function *function = ly_function(&m->image, names[i]);
        size_t left = 0;
        const uint8_t *bytes = function ? ly_bytes(&m->image, function->start, &left) : NULL;
        if (bytes && left >= function->end - function->start)
            fingerprint_add(&print, i, function->start, bytes, function->end - function->start);
    }
    fingerprint_text(&print, text);
    fprintf(m->out, "  \"fingerprint\": \"%s\",\n", text);
}

static void print_row(struct making *m)
{
    const struct ly_request *r = m->request;
    const char *family = m->kmp ? "kmp" : "gomp";

    fprintf(m->out, "{\n  \"format\": 1,\n  \"family\": \"%s\",\n  \"name\": \"", family);
    print_text(m->out, r->name ? r->name : family);
    fprintf(m->out, "\",\n  \"machine\": \"x86-64\",\n  \"source\": \"");
    if (r->source) {
        print_text(m->out, r->source);
    } else {
        print_text(m->out, last_part(r->file));
        fprintf(m->out, m->debug ? " with debug information" : ", by its code alone");
        if (r->debug) {
            fprintf(m->out, " of ");
            print_text(m->out, last_part(r->debug));
        }
    }
    fprintf(m->out, "\",\n  \"build_ids\": [%s%s%s],\n", m->image.build_id[0] ? "\"" : "", m->image.build_id,
            m->image.build_id[0] ? "\"" : "");
    print_fingerprint(m);
    print_structures(m);
    print_variables(m);
    print_constants(m);
    print_waits(m);
    print_functions(m);
    print_slots(m);
    if (!r->is_open) /* else the file is at hand, with its own tables */
        print_frames(m);
    fprintf(m->out, "\n}\n");
}

static void open_debug(struct making *m)
{
    const char *path = m->request->debug ? m->request->debug : m->request->file, *why = NULL;
    struct die class;

    if (m->request->is_open) {
        m->debug = m->request->info;
    } else {
        m->debug_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        m->debug = m->own = m->debug_fd >= 0 ? debuginfo_open(m->debug_fd, NULL, &why) : NULL;
    }
    if (m->debug)
        find_classes(m, m->debug);
    if (m->debug && find_class(m, m->kmp ? "kmp_info" : "gomp_thread", &class)) {
        m->debug = NULL;
        why = "it does not describe the runtime's structures";
    }
    if (!m->debug && m->request->debug)
        refuse(m, "%s: %s", path, why ? why : "it cannot be opened");
}

static void examine(struct making *m)
{
    const bool gomp = ly_function(&m->image, "GOMP_parallel") != NULL;

    m->kmp = ly_function(&m->image, "__kmpc_fork_call") != NULL;
    if (!gomp && !m->kmp) {
        refuse(m, "%s: it is neither libgomp nor libomp%s", m->request->file, "");
        return;
    }
    int rc = ly_decode(&m->image, &m->code);
    if (rc) {
        refuse(m, rc > 0 ? "%s: it has more code than any runtime%s" : "%s: no memory%s", m->request->file,
               "");
        return;
    }
    bool agrees = true;
    m->fact_count = m->kmp ? ly_decode_kmp(&m->image, &m->code, m->facts)
                           : ly_decode_gomp(&m->image, &m->code, m->facts, &agrees);
    open_debug(m);
    if (!m->debug && !m->kmp && m->image.tls_count && !fact(m, "gomp_thread.ts.team"))
        refuse(m,
               "%s: its code does not say where a thread's record begins, as is so where it has one address "
               "for all thread-local variables (-ftls-model=local-dynamic)%s",
               m->request->file, "");
    if (!m->debug && !m->kmp && (!agrees || !ly_gomp_suffices(m->facts, m->fact_count)))
        refuse(m, "%s: its code alone does not say where the members of libgomp's structures lie%s",
               m->request->file, "");
    if (!m->debug && !m->fact_count)
        refuse(m, "%s: nothing tells where its structures' members lie%s", m->request->file, "");
    if (!m->problem)
        print_row(m);
}

static void make(struct making *m)
{
    const char *why =
        m->request->is_open ? ly_open_fd(m->request->fd, &m->image) : ly_open(m->request->file, &m->image);

    if (why) {
        refuse(m, "%s: %s", m->request->file, why);
        return;
    }
    why = ly_read_relocations(&m->image);
    if (why) {
        refuse(m, "%s: %s", m->request->file, why);
        ly_close(&m->image);
        return;
    }
    examine(m);
    debuginfo_close(m->own);
    if (m->debug_fd >= 0)
        close(m->debug_fd);
    ly_code_free(&m->code);
    ly_close(&m->image);
}

int ly_row(const struct ly_request *request, char **ret, char **error)
{
    struct making m = {.request = request, .debug_fd = -1};
    char *text = NULL;
    size_t size = 0;

    m.out = open_memstream(&text, &size);
    if (m.out) {
        make(&m);
        fclose(m.out);
    } else {
        refuse(&m, "%s: no memory%s", request->file, "");
    }
    if (m.problem || !text) {
        free(text);
        *error = m.problem;
        return 1;
    }
    *ret = text;
    return 0;
}
