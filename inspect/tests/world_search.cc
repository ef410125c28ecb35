// SPDX-License-Identifier: Apache-2.0
// All schedules of a small world, by depth-first search over its states.
#include <unordered_set>

#include "inspect/tests/world.h"

namespace
{

// Everything that moves. A thread: 0 waits as in the snapshot, 1 works, 2 idle; tops popped off its stack.
struct Now {
    uint8_t mode[6] = {}, popped[6] = {};
    int8_t owner[4] = {};
    uint8_t done = 0, submitted = 0, arrived[2] = {}, moved = 0;
    bool b_ended = false;

    // All but `moved`, which follows from the rest. At most 5 tasks are popped.
    uint64_t Key() const
    {
        uint64_t k = b_ended;

        for (int i = 0; i < 6; i++)
            k = k * 18 + mode[i] * 6u + popped[i];
        for (int l = 0; l < 4; l++)
            k = k * 8 + static_cast<uint64_t>(owner[l] + 2);
        return k << 24 | static_cast<uint64_t>(done) << 18 | static_cast<uint64_t>(submitted) << 12 |
               static_cast<uint64_t>(arrived[0]) << 6 | arrived[1];
    }
};

class Searcher
{
  public:
    Searcher(const World &world, const World::Powers &given) : w(world), powers(given) {}

    uint8_t Run()
    {
        Now first;

        for (size_t i = 0; i < w.threads.size(); i++) {
            first.mode[i] = w.threads[i].wait == World::kWorks || w.threads[i].wait == World::kSleep ? 1
                            : w.threads[i].wait == World::kIdle                                      ? 2
                                                                                                     : 0;
            for (int r = 0; r < 2; r++)
                first.arrived[r] |= static_cast<uint8_t>(w.arrived[r][i] << i);
            wanted |= static_cast<uint8_t>((first.mode[i] == 0) << i);
        }
        for (int l = 0; l < 4; l++)
            first.owner[l] = static_cast<int8_t>(w.owner[l]);
        for (size_t t = 0; t < w.tasks.size(); t++)
            first.done |= static_cast<uint8_t>((w.tasks[t].state == World::kCompleting) << t);
        Visit(first);
        while (!todo.empty() && (all & wanted) != wanted) {
            Now now = todo.back();

            todo.pop_back();
            Moves(now);
        }
        return all;
    }

  private:
    void Visit(const Now &now)
    {
        all |= now.moved;
        if (seen.insert(now.Key()).second)
            todo.push_back(now);
    }

    int Top(const Now &now, int thread) const
    {
        const std::vector<int> &s = w.threads[thread].stack;

        return s.size() > now.popped[thread] ? s[s.size() - 1 - now.popped[thread]] : -1;
    }

    bool Done(const Now &now, const std::vector<int> &tasks) const
    {
        for (int t : tasks)
            if (!(now.done >> t & 1))
                return false;
        return true;
    }

    // Are the explicit tasks with this property complete?
    template <class F> bool AllDone(const Now &now, F of) const
    {
        for (size_t t = 0; t < w.tasks.size(); t++)
            if (of(w.tasks[t]) && !(now.done >> t & 1))
                return false;
        return true;
    }

    bool Runnable(const Now &now, int t) const
    {
        const World::Task &task = w.tasks[t];

        if (now.done >> t & 1 || task.state == World::kOnStack || task.state == World::kCompleting)
            return false;
        if (task.state == World::kCreated && !(now.submitted >> t & 1))
            return false;
        return task.state != World::kBlocked || Done(now, task.before);
    }

    bool Descends(int task, int from) const
    {
        while (task < World::kImplicit) {
            task = w.tasks[task].generator;
            if (task == from)
                return true;
        }
        return false;
    }

    bool MayRun(bool at_barrier, int current, int t) const
    {
        bool loose = current < World::kImplicit && w.tasks[current].untied;

        return at_barrier || loose || w.tasks[t].untied || Descends(t, current);
    }

    // Where thread I is, as the number of a region.
    int RegionNow(const Now &now, int i) const
    {
        int top = Top(now, i);

        return top < 0 ? -1 : top >= World::kImplicit ? (top - World::kImplicit) / 10 : w.tasks[top].region;
    }

    bool BarrierOpen(const Now &now, int region) const
    {
        for (size_t i = 0; i < w.threads.size(); i++)
            if (w.InRegion(region, static_cast<int>(i)) && !(now.arrived[region] >> i & 1))
                return false;
        return AllDone(now, [&](const World::Task &t) { return t.region == region; });
    }

    // Code of the program runs: it may give back a lock whose owner waits for it itself. Number 0 is a
    // critical.
    void Give(const Now &now)
    {
        for (int l = 1; powers.gives && l < 4; l++) {
            int o = now.owner[l];

            if (o < 0 || now.mode[o] != 0 || w.threads[o].lock != l ||
                (w.threads[o].wait != World::kLock && w.threads[o].wait != World::kMutex))
                continue;
            Now next = now;
            next.owner[l] = World::kNobody;
            Visit(next);
        }
    }

    void Work(const Now &now, int i)
    {
        int top = Top(now, i);
        Now next;

        Give(now);

        for (int l = 0; l < 4; l++)
            if (now.owner[l] == i) {
                next = now;
                next.owner[l] = World::kNobody;
                Visit(next);
            }
        if (top < 0)
            return;
        for (size_t t = 0; t < w.tasks.size(); t++)
            if (w.tasks[t].state == World::kCreated && w.tasks[t].generator == top &&
                !(now.submitted >> t & 1)) {
                next = now;
                next.submitted |= static_cast<uint8_t>(1 << t);
                Visit(next);
            }
        next = now;
        if (top < World::kImplicit) { // ends its task
            next.done |= static_cast<uint8_t>(1 << top);
            next.popped[i]++;
        } else { // goes to a barrier, where it takes tasks
            int region = (top - World::kImplicit) / 10;

            next.arrived[region] |= static_cast<uint8_t>(1 << i);
            for (size_t t = 0; t < w.tasks.size(); t++)
                if (w.tasks[t].region == region && Runnable(now, static_cast<int>(t))) {
                    Now ran = next;

                    ran.done |= static_cast<uint8_t>(1 << t);
                    Visit(ran);
                    Give(ran);
                }
        }
        Visit(next);
    }

    void Wait(const Now &now, int i)
    {
        const World::Thread &th = w.threads[i];
        int top = Top(now, i), region = RegionNow(now, i);
        bool pass = false, helps = false;
        Now next = now;

        switch (th.wait) {
        case World::kLock:
        case World::kMutex:
            pass = now.owner[th.lock] == World::kNobody || th.own_just_now;
            if (pass)
                next.owner[th.lock] = static_cast<int8_t>(i);
            break;
        case World::kBarrier:
            helps = true;
            pass = BarrierOpen(now, region);
            break;
        case World::kTaskwait:
            helps = true;
            pass = AllDone(now, [&](const World::Task &t) { return t.generator == top; });
            break;
        case World::kTaskgroup:
            helps = true;
            pass = AllDone(now, [&](const World::Task &t) { return t.group == i; });
            break;
        case World::kDepend:
            helps = true;
            pass = w.depends[i].empty() ? powers.events : Done(now, w.depends[i]);
            break;
        case World::kJoin: // who got past what it waits for may end
            pass = now.mode[th.joins] == 1;
            break;
        case World::kRead:
            pass = powers.outside;
            break;
        default:
            pass = powers.events;
        }
        if (pass) {
            next.mode[i] = 1;
            next.moved |= static_cast<uint8_t>(1 << i);
            Visit(next);
        }
        for (size_t t = 0; helps && t < w.tasks.size(); t++)
            if (w.tasks[t].region == region && Runnable(now, static_cast<int>(t)) &&
                MayRun(th.wait == World::kBarrier, top, static_cast<int>(t))) {
                next = now;
                next.done |= static_cast<uint8_t>(1 << t);
                Visit(next);
                Give(next);
            }
    }

    // Region B ends when all its members have nothing else left to do and its tasks are complete.
    void EndB(const Now &now)
    {
        Now next = now;

        if (w.primary_of_b < 0 || now.b_ended ||
            !AllDone(now, [](const World::Task &t) { return t.region == 1; }))
            return;
        for (size_t i = 0; i < w.threads.size(); i++) {
            int thread = static_cast<int>(i);

            if (!w.InRegion(1, thread))
                continue;
            if (now.mode[i] != 1 || Top(now, thread) != World::kImplicit + 10 + thread)
                return;
            next.popped[i]++;
            if (thread != w.primary_of_b)
                next.mode[i] = 2;
        }
        next.b_ended = true;
        Visit(next);
    }

    void Moves(const Now &now)
    {
        bool anybody = false;

        for (size_t i = 0; i < w.threads.size(); i++)
            anybody |= now.mode[i] == 1;
        for (size_t i = 0; i < w.threads.size(); i++) {
            int thread = static_cast<int>(i);

            if (now.mode[i] == 1) {
                Work(now, thread);
            } else if (now.mode[i] == 0) {
                Wait(now, thread);
            } else if (anybody) {
                Now next = now;

                next.mode[i] = 1;
                Visit(next);
            }
        }
        EndB(now);
    }

    const World &w;
    World::Powers powers;
    std::unordered_set<uint64_t> seen;
    std::vector<Now> todo;
    uint8_t all = 0, wanted = 0;
};

} // namespace

std::vector<bool> World::Search(const Powers &given) const
{
    uint8_t moved = Searcher(*this, given).Run();
    std::vector<bool> result;

    for (size_t i = 0; i < threads.size(); i++)
        result.push_back(moved >> i & 1);
    return result;
}
