// SPDX-License-Identifier: Apache-2.0
#include "inspect/tests/scenario.h"

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "inspect/target/discover.h"

std::string runfile(const std::string &name)
{
    const char *dir = getenv("INSPECT_TESTS"), *root = getenv("TEST_SRCDIR"),
               *space = getenv("TEST_WORKSPACE");
    std::string path = dir ? std::string(dir) + "/" + name.substr(name.rfind('/') + 1)
                           : std::string(root ? root : ".") + "/" + (space ? space : ".") + "/" + name;
    char cwd[4096];

    return path[0] == '/' || !getcwd(cwd, sizeof(cwd)) ? path : std::string(cwd) + "/" + path;
}

Scenario::Scenario(bool extensions) : model(new fake_model())
{
    library = runfile(extensions ? "inspect/tests/fake_ext.so" : "inspect/tests/fake_std.so");
    fill();
    dl = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void Scenario::speak()
{
    if (dl)
        reinterpret_cast<void (*)(fake_model *)>(dlsym(dl, "fake_set_model"))(model.get());
}

void Scenario::close()
{
    speak();
    insp_close(session);
    session = nullptr;
}

Scenario::~Scenario()
{
    close();
    if (dl)
        dlclose(dl);
}

static void add_thread(Scenario *s, int num, uint64_t region, uint64_t task, int state, int wait_kind)
{
    ompdx_thread_info_t *t = &s->model->threads[s->model->thread_count++];
    insp_thread h = {};

    h.lwp = 100 + num;
    h.pthread = 0x7000 + 0x100 * num;
    h.gdb_num = num + 1;
    h.is_current = num == 1;
    s->host.threads.push_back(h);
    *t = ompdx_thread_info_t{};
    t->size = sizeof(*t);
    t->id = 50 + num;
    t->pthread = h.pthread;
    t->tid = h.lwp;
    t->kind = num ? 2 : 1;
    t->state = state;
    t->wait_kind = wait_kind;
    t->region = region;
    t->task = task;
    t->thread_num = num;
    t->team_size = 4;
    t->level = t->active_level = 1;
}

static void add_region(fake_model *m, uint64_t id, uint64_t parent, int kind, int level, int size)
{
    auto *r = &m->regions[m->region_count++];

    r->info = ompdx_parallel_info_t{};
    r->info.size = sizeof(r->info);
    r->info.id = id;
    r->info.parent = parent;
    r->info.kind = kind;
    r->info.level = level;
    r->info.active_level = level;
    r->info.team_size = size;
    r->info.league_size = r->info.team_num = -1;
}

static ompdx_task_info_t *add_task(fake_model *m, uint64_t id, uint64_t region, uint64_t generator,
                                   uint32_t flags, int state, int thread_num)
{
    ompdx_task_info_t *t = &m->tasks[m->task_count++].info;

    *t = ompdx_task_info_t{};
    t->size = sizeof(*t);
    t->id = id;
    t->region = region;
    t->generator = generator;
    t->flags = flags;
    t->state = state;
    t->thread_num = thread_num;
    t->creator_thread_num = flags & 4 ? 0 : -1;
    if (thread_num >= 0 && (state == ompdx_task_running || state == ompdx_task_suspended)) {
        t->thread = 50 + static_cast<uint64_t>(thread_num);
        t->pthread = 0x7000 + 0x100 * static_cast<uint64_t>(thread_num);
        t->tid = 100 + thread_num;
    }
    return t;
}

void Scenario::fill()
{
    fake_model *m = model.get();
    insp_thread other = {};

    host.modules.push_back({0x400000, "/apps/u/mixed"});
    host.memory[0x400000] = std::vector<uint8_t>(4096, 0x7f);
    host.modules.push_back({0x7e0000000000, "/lib/x86_64-linux-gnu/libc.so.6"});
    host.modules.push_back({0x7fff00000000, "[vdso]"});
    host.put_runtime(kBase, "/opt/lib/libompcompanion.so.1.0.0", kTable, true);
    host.put(kSource, ";mixed.c;main;14;3;;");
    host.places[kFunction] = {"main.omp_outlined", "/src/mixed.c", 15, 0x100};
    host.places[0x401200] = {"work", "/src/mixed.c", 20, 0x100};
    host.places[0x401400] = {".omp_task_entry.", "/src/mixed.c", 30, 0x100};
    host.places[kLockA] = {"lock_a", "", 0, 8};
    host.places[kLockB] = {"lock_b", "", 0, 8};
    host.put(kTable + 0x1000, "root");
    m->root = kTable + 0x1000;
    m->reads_in_bracket = 4;
    m->fail_rc = ompd_rc_error;

    add_region(m, 1, 0, ompd_generator_program, 0, 1);
    m->regions[0].members[0] = 50;
    add_region(m, 3, 1, ompd_generator_parallel, 1, 4);
    m->regions[1].info.function = kFunction;
    m->regions[1].info.codeptr = 0x401234;
    m->regions[1].info.source = kSource;
    for (int i = 0; i < 4; i++)
        m->regions[1].members[i] = static_cast<uint64_t>(50 + i);
    m->regions[1].arrivals[0] = 2;
    m->regions[1].arrival_count = 1;
    add_region(m, 5, 3, ompd_generator_parallel, 2, 1);
    m->regions[2].info.function = kFunction + 0x10; // inside a function: not its entry
    m->regions[2].members[0] = 53;

    add_thread(this, 0, 3, 12, ompt_state_wait_lock, ompdx_wait_lock);
    add_thread(this, 1, 3, 13, ompt_state_wait_lock, ompdx_wait_lock);
    add_thread(this, 2, 3, 14, ompt_state_wait_barrier_explicit, ompdx_wait_barrier);
    add_thread(this, 3, 5, 20, ompt_state_work_parallel, ompdx_wait_none);
    for (int i = 0; i < 2; i++) {
        ompdx_thread_info_t *t = &m->threads[i];

        t->wait_id = i ? kLockA : kLockB;
        t->wait_codeptr = 0x401210;
        t->owner_kind = ompdx_owner_thread;
        t->owner_thread = i ? 50 : 51;
        t->owner_pthread = i ? 0x7000 : 0x7100;
        t->owner_tid = i ? 100 : 101;
    }
    m->threads[2].wait_object = 3;
    m->threads[2].wait_id = 0x123400;
    m->threads[2].wait_codeptr = 0x401220;
    m->threads[3].thread_num = 0;
    m->threads[3].team_size = 1;
    m->threads[3].level = 2;

    add_task(m, 2, 1, 0, 1, ompdx_task_suspended, 0);
    for (int i = 0; i < 4; i++)
        add_task(m, static_cast<uint64_t>(12 + i), 3, 2, 2,
                 i == 3 ? ompdx_task_suspended : ompdx_task_running, i)
            ->function = kFunction;
    add_task(m, 18, 5, 15, 2, ompdx_task_suspended, 3)->thread_num = 0;
    add_task(m, 20, 5, 18, 4, ompdx_task_running, 3)->thread_num = 0;
    m->tasks[6].info.function = 0x401400;
    m->tasks[6].info.creator_thread_num = 0;
    m->tasks[6].info.scheduled_over = 18;
    add_task(m, 21, 3, 12, 4, ompdx_task_ready, -1)->function = 0x401400;
    add_task(m, 22, 3, 12, 4, ompdx_task_blocked, -1)->function = 0x401400;
    m->tasks[8].preds[0] = 21;
    m->tasks[8].pred_count = 1;

    other.lwp = 104;
    other.pthread = 0x7400;
    other.gdb_num = 5;
    host.threads.push_back(other);
}

void Scenario::open()
{
    insp_host table = host.table();
    char *error = nullptr;

    speak();
    session = insp_open(&table, library.c_str(), &error);
    insp_string_free(error);
}

std::string Scenario::render(int view, int format, int width, const char *filter, const char *scope)
{
    insp_render_options options = {};
    char *error = nullptr, *text;
    std::string result;

    if (!session)
        open();
    speak();
    insp_snapshot *snap = insp_take(session, want, &error);
    if (!snap) {
        result = std::string("error: ") + (error ? error : "?");
        insp_string_free(error);
        return result;
    }
    options.size = sizeof(options);
    options.view = view;
    options.format = format;
    options.width = width;
    options.filter = filter;
    options.scope = scope;
    options.colour = colour;
    options.stats = stats;
    options.addresses = addresses;
    text = insp_render(snap, &options, &error);
    result = text ? text : std::string("error: ") + (error ? error : "?");
    insp_string_free(text);
    insp_string_free(error);
    insp_free(snap);
    return result;
}

bool Scenario::make_static()
{
    const uint64_t base = host.modules.back().base, table = base + 0x20000;
    const uint16_t fixed = ET_EXEC;

    memcpy(&host.memory[base][offsetof(Elf64_Ehdr, e_type)], &fixed, sizeof(fixed));
    host.modules.back().path = "/apps/u/static";
    model->code_start = table + 0x900;
    model->code_end = table + 0x980;
    return discover_scan(session) == 0;
}
