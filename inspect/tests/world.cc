// SPDX-License-Identifier: Apache-2.0
#include "inspect/tests/world.h"

#include <cstdlib>
#include <sstream>

namespace
{

constexpr int kLwp = 100;
constexpr uint64_t kRegionA = 3, kRegionB = 5, kTaskIds = 20, kGroups = 200;

uint64_t TaskId(int task)
{
    return kTaskIds + static_cast<uint64_t>(task);
}

template <class T> T *Room(insp_snapshot *s, size_t n)
{
    return static_cast<T *>(arena_alloc(&s->arena, (n + 1) * sizeof(T)));
}

} // namespace

bool World::InRegion(int region, int thread) const
{
    if (region == 0)
        return thread < members;
    return primary_of_b >= 0 &&
           (thread == primary_of_b || (thread >= members && thread < members + workers_of_b));
}

int World::Region(int thread) const
{
    if (threads[thread].stack.empty())
        return -1;
    int top = threads[thread].stack.back();
    return top >= kImplicit ? (top - kImplicit) / 10 : tasks[top].region;
}

// What a thread does that no OpenMP runtime knows of.
void World::Elsewhere(std::mt19937_64 &rng, int i)
{
    static const Wait waits[] = {kWorks, kMutex, kMutex, kMutex, kJoin, kJoin, kRead, kSleep};
    Thread &th = threads[i];

    th.wait = waits[rng() % 8];
    th.joins = static_cast<int>(rng() % threads.size());
    th.lock = kPthread;
    th.own_just_now = owner[kPthread] == i && rng() % 2;
}

World World::Random(std::mt19937_64 &rng)
{
    auto below = [&](int n) { return static_cast<int>(rng() % static_cast<uint64_t>(n)); };
    World w;
    int n = 1 + below(6), busy;

    w.seed = static_cast<int>(rng() % 1024);
    w.threads.resize(static_cast<size_t>(n));
    w.members = 1 + below(n);
    if (below(3) == 0) {
        w.primary_of_b = below(w.members);
        w.workers_of_b = below(n - w.members + 1);
    }
    for (int l = 0; l < 4; l++)
        w.owner[l] = below(8) == 0 ? kEnded : below(4) == 0 ? kNobody : below(n);
    for (int i = 0; i < n; i++) {
        if (w.InRegion(0, i))
            w.threads[i].stack.push_back(kImplicit + i);
        else if (!w.InRegion(1, i))
            w.threads[i].wait = kIdle;
        if (w.threads[i].wait == kIdle && below(3) == 0) {
            w.threads[i].foreign = true;
            w.Elsewhere(rng, i);
        }
    }
    busy = w.members + w.workers_of_b;
    // Explicit tasks, of region A first: they lie below region B on its primary's stack.
    int count = below(7), of_b = w.primary_of_b >= 0 ? below(count + 1) : 0;
    for (int t = 0; t < count; t++) {
        Task task;
        std::vector<int> inside, generators;

        task.region = t >= count - of_b;
        if (t == count - of_b && of_b)
            for (int i = 0; i < n; i++)
                if (w.InRegion(1, i))
                    w.threads[i].stack.push_back(kImplicit + 10 + i);
        for (int i = 0; i < n; i++)
            if (w.InRegion(task.region, i)) {
                inside.push_back(i);
                generators.push_back(kImplicit + 10 * task.region + i);
            }
        for (int g = 0; g < t; g++)
            if (w.tasks[g].region == task.region)
                generators.push_back(g);
        task.generator = generators[static_cast<size_t>(below(static_cast<int>(generators.size())))];
        task.untied = below(6) == 0;
        task.group = below(4) == 0 ? below(busy) : -1;
        task.state = static_cast<State>(below(5));
        if (task.state == kCreated && task.generator < kImplicit && w.tasks[task.generator].state != kOnStack)
            task.state = kReady;
        int home = inside[static_cast<size_t>(below(static_cast<int>(inside.size())))];
        if (task.state == kOnStack && w.threads[home].stack.size() >= 4)
            task.state = kReady;
        if (task.state == kOnStack)
            w.threads[home].stack.push_back(t);
        for (int b = 0; b < t && task.state == kBlocked; b++)
            if (below(2))
                task.before.push_back(b);
        w.tasks.push_back(task);
    }
    if (w.primary_of_b >= 0 && !of_b)
        for (int i = 0; i < n; i++)
            if (w.InRegion(1, i))
                w.threads[i].stack.push_back(kImplicit + 10 + i);
    for (int i = 0; i < busy; i++) {
        Thread &th = w.threads[i];
        bool implicit = th.stack.back() >= kImplicit;
        int region = w.Region(i);

        // Its explicit tasks may be run from a barrier.
        w.arrived[region][i] = !implicit && below(2);
        switch (below(12)) {
        case 0:
        case 1:
        case 2:
            th.wait = kLock;
            th.lock = below(kPthread);
            th.own_just_now = w.owner[th.lock] == i && below(2);
            break;
        case 3:
        case 4:
            th.wait = implicit ? kBarrier : kTaskwait;
            w.arrived[region][i] = implicit || w.arrived[region][i];
            break;
        case 5:
            th.wait = kTaskwait;
            break;
        case 6:
            th.wait = kTaskgroup;
            break;
        case 7:
            th.wait = below(8) ? kDepend : kEvent;
            for (int t = 0; t < count; t++)
                if (w.tasks[t].state != kOnStack && below(2))
                    w.depends[i].push_back(t);
            break;
        case 8:
        case 9:
        case 10:
            w.Elsewhere(rng, i);
            break;
        default:
            th.wait = kWorks;
        }
    }
    w.SetInMotion(rng);
    return w;
}

// With more threads than processors some have been let go, or called, and have not had a processor since.
void World::SetInMotion(std::mt19937_64 &rng)
{
    for (size_t i = 0; i < threads.size(); i++) {
        Thread &th = threads[i];
        int region = Region(static_cast<int>(i));
        bool primary = static_cast<int>(i) == (region == 1 ? primary_of_b : 0);

        if (th.wait != kWorks && th.wait != kIdle && th.wait != kSleep && th.wait != kEvent &&
            rng() % 8 == 0) {
            if (th.wait == kBarrier)
                arrived[region][i] = false;
            th.shows = th.wait;
            th.wait = kWorks;
            th.released = true;
        } else if (th.wait == kWorks && !th.foreign && !primary && th.stack.size() == 1 && rng() % 3 == 0) {
            th.unbegun = true;
        }
    }
}

World::Wait World::Shown(int i) const
{
    const Thread &th = threads[static_cast<size_t>(i)];

    return th.unbegun ? kIdle : th.released ? th.shows : th.wait;
}

static void FillActivity(const World &w, int i, mdl_activity *a)
{
    const World::Thread &th = w.threads[i];
    const World::Wait shown = w.Shown(i);
    int owner = shown == World::kMutex ? w.owner[th.lock] : th.joins;

    *a = mdl_activity{};
    a->timeout_ns = MDL_TIMEOUT_NONE;
    a->descriptor = -1;
    a->asleep = true;
    switch (shown) {
    case World::kWorks:
        a->kind = MDL_ACTIVITY_COMPUTES;
        a->asleep = false;
        break;
    case World::kMutex:
    case World::kJoin:
        a->kind = shown == World::kJoin ? MDL_ACTIVITY_JOIN : MDL_ACTIVITY_MUTEX;
        a->owner = owner == World::kEnded    ? MDL_OWNER_ENDED
                   : owner == World::kNobody ? MDL_OWNER_NONE
                                             : MDL_OWNER_THREAD;
        a->owner_lwp = owner >= 0 ? kLwp + owner : 0;
        // A mutex that nobody holds is about to be taken.
        a->asleep = shown == World::kJoin || (!th.own_just_now && owner != World::kNobody);
        break;
    case World::kRead:
        a->kind = MDL_ACTIVITY_READ;
        break;
    case World::kSleep:
        a->kind = MDL_ACTIVITY_SLEEP;
        break;
    default:
        a->kind = MDL_ACTIVITY_OPENMP;
    }
}

static void FillThread(const World &w, int i, mdl_thread *t)
{
    const World::Thread &th = w.threads[i];
    const World::Wait shown = w.Shown(i);
    int region = w.Region(i), top = th.stack.empty() ? -1 : th.stack.back();

    *t = mdl_thread{};
    t->lwp = kLwp + i;
    t->asleep = th.own_just_now ? 0 : 1;
    t->released = th.released;
    t->thread_num = t->team_size = t->level = t->active_level = -1;
    FillActivity(w, i, &t->activity);
    if (th.foreign)
        return;
    t->openmp = true;
    t->runtime = 1;
    t->state = shown == World::kIdle                              ? MDL_STATE_IDLE
               : shown == World::kWorks || shown >= World::kMutex ? MDL_STATE_WORK_PARALLEL
                                                                  : MDL_STATE_WAIT_MUTEX;
    if (region < 0 || th.unbegun)
        return;
    t->region = region ? kRegionB : kRegionA;
    t->task = TaskId(top);
    t->thread_num = region ? (i == w.primary_of_b ? 0 : 1 + i - w.members) : i;
    t->team_size = region ? 1 + w.workers_of_b : w.members;
}

static void FillWait(const World &w, int i, insp_snapshot *s)
{
    const World::Thread &th = w.threads[i];
    const World::Wait shown = w.Shown(i);
    mdl_thread *t = &s->threads[i];
    mdl_wait *wait = &t->wait;
    int region = w.Region(i);

    switch (shown) {
    case World::kLock: {
        int owner = w.owner[th.lock];

        wait->kind = th.lock == 0 ? MDL_WAIT_CRITICAL : th.lock == 1 ? MDL_WAIT_NEST_LOCK : MDL_WAIT_LOCK;
        wait->id = 0x1000u + static_cast<unsigned>(th.lock);
        wait->owner = owner == World::kEnded    ? MDL_OWNER_ENDED
                      : owner == World::kNobody ? MDL_OWNER_NONE
                                                : MDL_OWNER_THREAD;
        wait->owner_lwp = owner >= 0 ? kLwp + owner : 0;
        break;
    }
    case World::kBarrier: {
        int *arrived = Room<int>(s, 6), *missing = Room<int>(s, 6), num = 0;
        bool others = false; // a member that is not seen waiting at the barrier
        bool closed = false;

        for (int k = 0; k < 6; k++)
            others |= w.InRegion(region, k) &&
                      (w.Region(k) != region || w.Shown(k) != World::kBarrier || w.threads[k].released);
        int64_t *lwps = Room<int64_t>(s, 6);

        wait->kind = MDL_WAIT_BARRIER;
        wait->barrier = MDL_BARRIER_EXPLICIT;
        wait->object = t->region;
        // At one where all have come, and no task is left, nobody stays.
        for (int k = 0; k < 6; k++)
            closed |= w.InRegion(region, k) && !w.arrived[region][k];
        for (const World::Task &task : w.tasks)
            closed |= task.region == region && task.state != World::kCompleting;
        wait->lasts = !th.released && closed;
        wait->arrivals_known = !wait->lasts || !others || w.seed % 2;
        wait->arrived = arrived;
        wait->missing = missing;
        wait->missing_lwp = lwps;
        for (int k = 0; k < 6; k++) {
            if (!w.InRegion(region, k))
                continue;
            int number = region && k == w.primary_of_b ? 0 : region ? 1 + k - w.members : num;

            if (w.arrived[region][k]) {
                arrived[wait->arrived_count++] = number;
            } else {
                lwps[wait->missing_count] = kLwp + k;
                missing[wait->missing_count++] = number;
            }
            num++;
        }
        break;
    }
    case World::kTaskwait:
        wait->kind = MDL_WAIT_TASKWAIT;
        wait->object = t->task;
        break;
    case World::kTaskgroup:
        wait->kind = MDL_WAIT_TASKGROUP;
        wait->object = kGroups + static_cast<uint64_t>(i);
        break;
    case World::kDepend:
        wait->kind = MDL_WAIT_DEPEND;
        wait->object = t->task;
        break;
    case World::kEvent:
        wait->kind = MDL_WAIT_EVENT;
        break;
    default:
        break;
    }
}

static void FillTask(const World &w, int number, insp_snapshot *s, const std::vector<int> &before)
{
    static const mdl_task_state states[] = {MDL_TASK_READY, MDL_TASK_BLOCKED, MDL_TASK_CREATED,
                                            MDL_TASK_RUNNING, MDL_TASK_COMPLETING};
    bool implicit = number >= World::kImplicit;
    mdl_task *t = &s->tasks[s->task_count++];
    uint64_t *ids = Room<uint64_t>(s, before.size());

    *t = mdl_task{};
    t->id = TaskId(number);
    t->runtime = 1;
    t->thread_num = t->creator_thread_num = -1;
    t->kind = implicit ? MDL_TASK_IMPLICIT : MDL_TASK_EXPLICIT;
    t->state = implicit ? MDL_TASK_RUNNING : states[w.tasks[number].state];
    t->region = (implicit ? (number - World::kImplicit) / 10 : w.tasks[number].region) ? kRegionB : kRegionA;
    t->depends_on = ids;
    for (int b : before)
        ids[t->depends_count++] = TaskId(b);
    if (!implicit) {
        t->generator = TaskId(w.tasks[number].generator);
        t->flags = w.tasks[number].untied ? MDL_TASK_UNTIED : 0;
        if (w.tasks[number].group >= 0)
            t->taskgroup = kGroups + static_cast<uint64_t>(w.tasks[number].group);
    }
    for (size_t i = 0; i < w.threads.size(); i++)
        for (size_t depth = 0; depth < w.threads[i].stack.size(); depth++)
            if (int on = w.threads[i].stack[depth]; on == number) {
                bool top = on == w.threads[i].stack.back();
                int thread = static_cast<int>(i);

                if (w.threads[i].unbegun) {
                    t->state = MDL_TASK_CREATED;
                } else {
                    t->lwp = kLwp + thread;
                }
                t->scheduled_over = depth ? TaskId(w.threads[i].stack[depth - 1]) : 0;
                if (!w.threads[i].unbegun)
                    t->state = top ? MDL_TASK_RUNNING : MDL_TASK_SUSPENDED;
                t->thread_num = t->region == kRegionA      ? thread
                                : thread == w.primary_of_b ? 0
                                                           : 1 + thread - w.members;
            }
}

std::unique_ptr<insp_snapshot, World::Free> World::Snapshot() const
{
    std::unique_ptr<insp_snapshot, Free> owned(
        static_cast<insp_snapshot *>(calloc(1, sizeof(insp_snapshot))));
    insp_snapshot *s = owned.get();
    int n = static_cast<int>(threads.size());

    s->complete = s->tasks_known = true;
    s->want = INSP_ALL;
    s->current = -1;
    s->runtimes = Room<mdl_runtime>(s, 1);
    s->runtime_count = 1;
    s->runtimes[0].id = 1;
    s->runtimes[0].kind = "companion";
    s->threads = Room<mdl_thread>(s, 6);
    s->regions = Room<mdl_region>(s, 2);
    s->tasks = Room<mdl_task>(s, 30);
    for (s->thread_count = 0; s->thread_count < n; s->thread_count++)
        FillThread(*this, s->thread_count, &s->threads[s->thread_count]);
    mdl_index_threads(s);
    for (int r = 0; r < 2; r++) {
        mdl_region *region = &s->regions[r];
        int num = 0;

        if (r && primary_of_b < 0)
            continue;
        *region = mdl_region{};
        region->id = r ? kRegionB : kRegionA;
        region->parent = r ? kRegionA : 0;
        region->runtime = 1;
        region->kind = MDL_REGION_PARALLEL;
        region->members = Room<mdl_member>(s, 6);
        if (r)
            region->members[num++] = {0, kLwp + primary_of_b, false};
        for (int i = 0; i < n; i++)
            if (InRegion(r, i) && (!r || i != primary_of_b)) {
                region->members[num] = {num, kLwp + i, false};
                num++;
            }
        region->member_count = region->team_size = num;
        s->region_count++;
    }
    for (size_t t = 0; t < tasks.size(); t++) {
        int number = static_cast<int>(t);
        std::vector<int> before = tasks[t].before;

        for (int i = 0; i < n; i++)
            if (!threads[i].stack.empty() && threads[i].stack.back() == number && threads[i].wait == kDepend)
                before = depends[i];
        FillTask(*this, number, s, before);
    }
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < n; i++)
            if (InRegion(r, i)) {
                int number = kImplicit + 10 * r + i;
                bool waits = threads[i].stack.back() == number && threads[i].wait == kDepend;

                FillTask(*this, number, s, waits ? depends[i] : std::vector<int>());
            }
    for (int i = 0; i < n; i++)
        FillWait(*this, i, s);
    return owned;
}

std::string World::Text() const
{
    static const char *const waits[] = {"works",  "idle",  "lock",  "barrier", "taskwait", "taskgroup",
                                        "depend", "event", "mutex", "join",    "read",     "sleep"};
    static const char *const states[] = {"ready", "blocked", "created", "on stack", "completing"};
    std::ostringstream out;

    out << members << " members; B: primary " << primary_of_b << ", " << workers_of_b << " workers\n";
    for (size_t i = 0; i < threads.size(); i++) {
        out << "thread " << i << " " << waits[threads[i].wait];
        if (threads[i].released)
            out << " (released from " << waits[threads[i].shows] << ")";
        if (threads[i].unbegun)
            out << " (has not begun)";
        if (threads[i].foreign)
            out << " (no OpenMP thread)";
        if (threads[i].wait == kJoin)
            out << " " << threads[i].joins;
        if (threads[i].wait == kLock || threads[i].wait == kMutex)
            out << " " << threads[i].lock << (threads[i].own_just_now ? " (has it)" : "");
        for (int t : threads[i].stack)
            out << " [" << t << "]";
        for (int d : depends[i])
            out << " <" << d << ">";
        out << (arrived[0][i] ? " arrived A" : "") << (arrived[1][i] ? " arrived B" : "") << "\n";
    }
    for (int l = 0; l < 4; l++)
        out << "lock " << l << ": " << owner[l] << "\n";
    for (size_t t = 0; t < tasks.size(); t++) {
        out << "task " << t << " of region " << tasks[t].region << " by " << tasks[t].generator << " "
            << states[tasks[t].state] << (tasks[t].untied ? " untied" : "") << " group " << tasks[t].group;
        for (int b : tasks[t].before)
            out << " <" << b << ">";
        out << "\n";
    }
    return out.str();
}
