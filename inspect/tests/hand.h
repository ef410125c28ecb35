// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Snapshots built by hand: region 3 "parallel at solve.c:80" with a team of N, each thread in its implicit
 * task.
 */
#ifndef INSPECT_TESTS_HAND_H
#define INSPECT_TESTS_HAND_H

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "inspect/graph/verdict.h"
#include "inspect/model/model.h"
#include "inspect/model/words.h"

class Hand
{
  public:
    insp_snapshot *s = static_cast<insp_snapshot *>(calloc(1, sizeof(insp_snapshot)));

    explicit Hand(int threads, int room_for_tasks = 64)
    {
        s->complete = s->tasks_known = true;
        s->want = INSP_ALL;
        s->current = -1;
        s->process.pid = 4242;
        s->process.exe = "/apps/solve";
        s->process.rank = s->process.size = -1;
        s->runtimes = Room<mdl_runtime>(1);
        s->runtimes[0] = {};
        s->runtimes[0].id = s->runtime_count = 1;
        s->runtimes[0].kind = "companion";
        s->runtimes[0].cancellation = -1;
        s->threads = Room<mdl_thread>(threads);
        s->tasks = Room<mdl_task>(threads + room_for_tasks);
        s->regions = Room<mdl_region>(1);
        s->regions[0].id = 3;
        s->regions[0].runtime = 1;
        s->regions[0].kind = MDL_REGION_PARALLEL;
        s->regions[0].team_size = s->regions[0].member_count = threads;
        s->regions[0].place = {"solve", "/src/solve.c", 80, nullptr};
        s->regions[0].members = Room<mdl_member>(threads);
        s->region_count = 1;
        for (int i = 0; i < threads; i++) {
            mdl_thread *t = &s->threads[i];

            t->lwp = 100 + i;
            t->gdb_num = i + 1;
            t->openmp = true;
            t->runtime = t->level = t->active_level = 1;
            t->thread_num = i;
            t->team_size = threads;
            t->region = 3;
            t->task = 10 + static_cast<uint64_t>(i);
            t->state = MDL_STATE_WORK_PARALLEL;
            t->asleep = 1;
            Does(i, "computes", nullptr, 0)->asleep = false;
            s->regions[0].members[i] = {i, t->lwp, false};
            Task(t->task, "implicit", "running", i);
        }
        s->thread_count = threads;
        mdl_index_threads(s);
    }
    ~Hand() { insp_free(s); }
    Hand(const Hand &) = delete;
    Hand &operator=(const Hand &) = delete;

    mdl_task *Task(uint64_t id, const char *kind, const char *state, int thread = -1, uint64_t generator = 0,
                   int line = 0)
    {
        mdl_task *t = &s->tasks[s->task_count++];

        t->id = id;
        t->runtime = 1;
        t->kind = static_cast<mdl_task_kind>(Value(mdl_task_words, kind));
        t->state = static_cast<mdl_task_state>(Value(mdl_task_state_words, state));
        t->region = 3;
        t->generator = generator;
        t->thread_num = thread;
        t->creator_thread_num = -1;
        t->lwp = thread >= 0 ? 100 + thread : 0;
        if (line)
            t->place = {nullptr, "/src/solve.c", line, nullptr};
        return t;
    }
    // An explicit task that runs on a thread, over what the thread had before.
    mdl_task *Run(uint64_t id, int thread, uint64_t generator, int line)
    {
        mdl_task *t = Task(id, "explicit", "running", thread, generator, line);

        for (int i = 0; i < s->task_count; i++)
            if (s->tasks[i].id == s->threads[thread].task)
                s->tasks[i].state = MDL_TASK_SUSPENDED;
        t->scheduled_over = s->threads[thread].task;
        s->threads[thread].task = id;
        return t;
    }
    // What a thread does besides OpenMP.
    mdl_activity *Does(int thread, const char *kind, const char *call, int line)
    {
        mdl_activity *a = &s->threads[thread].activity;

        *a = {};
        a->kind = static_cast<mdl_activity_kind>(Value(mdl_activity_words, kind));
        a->call = call;
        a->asleep = true;
        a->timeout_ns = MDL_TIMEOUT_NONE;
        a->descriptor = -1;
        if (line)
            a->at = {nullptr, "/src/solve.c", line, nullptr};
        return a;
    }
    // The same, of what has an owner: -1 not known, -2 ended.
    mdl_activity *Owned(int thread, const char *kind, const char *call, const char *name, int owner, int line)
    {
        mdl_activity *a = Does(thread, kind, call, line);

        a->name = name;
        a->object = name ? 0x2000u + static_cast<uint64_t>(name[0]) : 0;
        a->owner = owner == -2 ? MDL_OWNER_ENDED : owner == -1 ? MDL_OWNER_UNKNOWN : MDL_OWNER_THREAD;
        a->owner_how = owner == -1 ? MDL_HOW_NONE : MDL_HOW_RECORDED;
        a->owner_lwp = owner >= 0 ? 100 + owner : 0;
        return a;
    }
    mdl_activity *Pthread(int thread, const char *name, int owner, int line)
    {
        return Owned(thread, "mutex", "pthread_mutex_lock", name, owner, line);
    }
    // No OpenMP thread any more.
    void Foreign(int thread)
    {
        mdl_thread *t = &s->threads[thread];

        t->openmp = false;
        t->state = MDL_STATE_UNKNOWN;
        t->runtime = 0;
        t->region = t->task = 0;
        for (int i = 0; i < s->task_count; i++)
            if (s->tasks[i].lwp == t->lwp)
                s->tasks[i--] = s->tasks[--s->task_count];
    }
    mdl_wait *Wait(int thread, const char *kind, int line, uint64_t object = 0)
    {
        mdl_wait *w = &s->threads[thread].wait;

        s->threads[thread].state = MDL_STATE_WAIT_MUTEX;
        Does(thread, "openmp", nullptr, 0);
        w->kind = static_cast<mdl_wait_kind>(Value(mdl_wait_words, kind));
        w->object = object;
        w->at = {nullptr, "/src/solve.c", line, nullptr};
        return w;
    }
    void Unrecorded(int thread, const char *kind, const char *name, int line)
    {
        Mutex(thread, kind, name, -1, line);
        s->threads[thread].wait.owner = MDL_OWNER_SOMEBODY;
        s->threads[thread].asleep = 1;
    }
    void Mutex(int thread, const char *kind, const char *name, int owner, int line)
    {
        mdl_wait *w = Wait(thread, kind, line);

        w->name = name;
        w->id = 0x1000u + static_cast<uint64_t>(name[0]);
        w->owner = owner == -2 ? MDL_OWNER_ENDED : owner == -1 ? MDL_OWNER_UNKNOWN : MDL_OWNER_THREAD;
        w->owner_lwp = owner >= 0 ? 100 + owner : 0;
    }
    void Idle(int thread)
    {
        s->threads[thread].state = MDL_STATE_IDLE;
        s->threads[thread].activity.kind = MDL_ACTIVITY_OPENMP;
    }
    void Barrier(int thread, int line, std::initializer_list<int> missing)
    {
        mdl_wait *w = Wait(thread, "barrier", line, 3);
        int *nums = Room<int>(missing.size());
        int64_t *lwps = Room<int64_t>(missing.size());

        w->barrier = MDL_BARRIER_EXPLICIT;
        w->arrivals_known = w->lasts = true;
        w->missing_count = 0;
        for (int m : missing) {
            nums[w->missing_count] = m;
            lwps[w->missing_count++] = 100 + m;
        }
        w->missing = nums;
        w->missing_lwp = lwps;
        w->arrived_count = s->threads[thread].team_size - w->missing_count;
        w->arrived = Room<int>(static_cast<size_t>(w->arrived_count));
    }
    void Frame(int thread, enum insp_code code, const char *function, int line = 0, uint64_t pc = 0)
    {
        mdl_thread *t = &s->threads[thread];

        t->frames = static_cast<mdl_frame *>(
            arena_grow(&s->arena, t->frames, static_cast<size_t>(t->frame_count), sizeof(mdl_frame)));
        t->frames[t->frame_count++] = {pc ? pc : 0x400000u + static_cast<uint64_t>(line),
                                       {function, line ? "/src/io.c" : nullptr, line, nullptr},
                                       nullptr,
                                       code,
                                       nullptr,
                                       false,
                                       false,
                                       nullptr,
                                       0,
                                       false,
                                       0};
    }
    void Icv(const char *name, const char *value)
    {
        s->icvs = Room<mdl_icv>(1);
        s->icvs[0] = {};
        s->icvs[0].runtime = s->icv_count = 1;
        s->icvs[0].name = name;
        s->icvs[0].value = value;
    }
    void After(mdl_task *t, uint64_t before)
    {
        uint64_t *ids = Room<uint64_t>(1);

        ids[0] = before;
        t->depends_on = ids;
        t->depends_count = 1;
    }
    // "kind: sentence"
    std::string Verdict()
    {
        verdict_make(s);
        return std::string(mdl_word(&mdl_verdict_words, s->verdict.kind)) + ": " + s->verdict.sentence;
    }
    std::string Render(int view, int format, int width = 0)
    {
        insp_render_options o = {};

        o.view = view;
        o.format = format;
        o.width = width;
        return Render(o);
    }
    std::string Render(insp_render_options o)
    {
        char *error = nullptr, *text;

        o.size = sizeof(o);
        text = insp_render(s, &o, &error);
        std::string result = text ? text : error;
        insp_string_free(text ? text : error);
        return result;
    }

  private:
    // Tests use the words of JSON.
    static int Value(const mdl_words &words, const char *word)
    {
        int value = word ? mdl_word_value(&words, word) : 0;

        if (value < 0)
            abort();
        return value;
    }
    template <class T> T *Room(size_t n)
    {
        return static_cast<T *>(arena_alloc(&s->arena, (n + 1) * sizeof(T)));
    }
};

// What a thread does outside of OpenMP, at a line of io.c.
inline mdl_activity *Doing(Hand *h, int thread, enum mdl_activity_kind kind, const char *call = nullptr,
                           int line = 0)
{
    mdl_activity *a = &h->s->threads[thread].activity;

    *a = {};
    a->kind = kind;
    a->call = call;
    a->asleep = kind != MDL_ACTIVITY_COMPUTES && kind != MDL_ACTIVITY_UNKNOWN;
    a->timeout_ns = MDL_TIMEOUT_NONE;
    a->descriptor = -1;
    if (line)
        a->at = {"work", "/src/io.c", line, nullptr};
    return a;
}
// A thread of the program's own, of which OpenMP knows nothing.
inline void Foreign(Hand *h, int thread)
{
    mdl_thread *t = &h->s->threads[thread];

    t->openmp = false;
    t->runtime = 0;
    t->thread_num = t->team_size = t->level = t->active_level = -1;
    t->region = t->task = 0;
    t->state = MDL_STATE_UNKNOWN;
}

#endif
