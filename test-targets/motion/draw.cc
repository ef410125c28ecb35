// SPDX-License-Identifier: Apache-2.0
// The grammar. A body is drawn for a place: outside of regions, for all members of a team, or for one thread,
// which may take locks behind those that it has.
#include "motion.h"

namespace motion
{

const char *const kind_names[] = {"region",    "barrier",   "loop",     "ordered",   "doacross",
                                  "sections",  "single",    "critical", "lock",      "nest_lock",
                                  "mutex",     "reduction", "task",     "taskgroup", "depend",
                                  "condition", "pool",      "nested",   "work",      "plant"};
const char *const held_names[] = {"critical a", "critical b", "lock", "nest lock", "mutex a", "mutex b", ""};
const char *const mistake_names[] = {"crossed", "again", "held_at_barrier", "missed",      "taskwait",
                                     "turn",    "sink",  "unsignalled",     "owner_ended", "join"};

namespace
{

/** splitmix64: the same numbers with every compiler and library. */
class Lots
{
  public:
    explicit Lots(uint64_t seed) : state_(seed) {}

    /** From LOW to HIGH, both of them too. */
    int between(int low, int high) { return low + (int)(next() % (uint64_t)(high - low + 1)); }
    bool one_of(int n) { return between(1, n) == 1; }

  private:
    uint64_t next()
    {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    uint64_t state_;
};

class Grammar
{
  public:
    Grammar(uint64_t seed, int threads) : lots_(seed), threads_(threads) {}

    Program program(Kind kind, Mistake mistake)
    {
        Program p;
        kind = kind == KINDS ? (Kind)lots_.between(0, KINDS - 1) : kind;
        for (int i = lots_.between(0, 1); i > 0; i--)
            p.nodes.push_back(region(lots_.between(2, threads_), 1, WORK));
        p.nodes.push_back(kind == POOL ? pool() : region(threads_, 1, kind));
        if (lots_.one_of(3))
            p.nodes.push_back(lots_.one_of(2) ? region(2, 1, REGION) : leaf(HELD));
        plant(p, mistake);
        return p;
    }

  private:
    int little() { return lots_.one_of(6) ? lots_.between(0, 600) : lots_.between(0, 60); }

    /** What one thread does, and may take only what comes behind what it HAS. */
    Node leaf(int has)
    {
        Node n;
        n.work = little();
        n.variant = lots_.between(0, 40); // of work: now and then it sleeps or gives its processor away
        if (has + 1 >= HELD || lots_.one_of(2))
            return n;
        return holding((Held)lots_.between(has + 1, HELD - 1));
    }

    Node holding(Held what)
    {
        static const Kind kinds[] = {CRITICAL, CRITICAL, LOCK, NEST_LOCK, MUTEX, MUTEX};
        Node n;
        n.kind = kinds[what];
        n.variant = what;
        n.body.push_back(lots_.one_of(6) ? region_with(what) : leaf(what));
        return n;
    }

    /** A small region that is started with a lock. */
    Node region_with(Held what)
    {
        Node n;
        n.kind = NESTED;
        n.size = 2;
        n.body.push_back(leaf(what));
        return n;
    }

    std::vector<Node> leaves(int n)
    {
        std::vector<Node> found;
        while (n-- > 0)
            found.push_back(leaf(-1));
        return found;
    }

    Node of_kind(Kind kind, int depth)
    {
        Node n;
        n.kind = kind;
        n.work = little();
        n.variant = lots_.between(0, 11);
        n.size = lots_.between(1, 2 * threads_);
        switch (kind) {
        case CRITICAL:
            return holding((Held)lots_.between(CRITICAL_A, CRITICAL_B));
        case LOCK:
            return holding(SIMPLE);
        case NEST_LOCK:
            return holding(NESTABLE);
        case MUTEX:
            return holding((Held)lots_.between(MUTEX_A, MUTEX_B));
        case REGION:
        case NESTED:
            n = region(lots_.between(2, threads_ < 6 ? 2 : 3), depth + 1, WORK);
            n.kind = NESTED;
            return n;
        case BARRIER:
        case CONDITION:
            break;
        default:
            n.body = leaves(lots_.between(1, 2));
        }
        return n;
    }

    /** What all members do: one of them, of any kind. */
    Node member(int depth)
    {
        if (lots_.one_of(4))
            return leaf(-1);
        Kind kind = (Kind)lots_.between(BARRIER, KINDS - 1);
        if (kind == POOL || (kind == NESTED && depth > 1))
            kind = BARRIER;
        return of_kind(kind, depth);
    }

    /** KIND WORK: of any constructs; REGION: hardly anything but the region. */
    Node region(int size, int depth, Kind kind)
    {
        Node n;
        n.kind = REGION;
        n.size = size;
        n.variant = lots_.between(0, 11);
        n.body.push_back(leaf(-1));
        if (kind == REGION)
            return n;
        if (kind != WORK)
            for (int i = lots_.between(1, 4); i > 0; i--)
                n.body.push_back(of_kind(kind, depth));
        for (int i = lots_.between(kind == WORK, 2); i > 0; i--)
            n.body.push_back(member(depth));
        return n;
    }

    /** Threads that OpenMP does not make, each with teams of its own. */
    Node pool()
    {
        Node n;
        n.kind = POOL;
        n.size = lots_.between(2, 3);
        n.variant = lots_.between(0, 1);
        for (int i = lots_.between(1, 3); i > 0; i--) {
            // One after the other: in what order arguments are evaluated, the compiler chooses.
            const int size = lots_.between(2, threads_ / 2 + 1);
            n.body.push_back(region(size, 2, lots_.one_of(2) ? REGION : WORK));
        }
        return n;
    }

    void regions_below(std::vector<Node> &nodes, std::vector<Node *> &found)
    {
        for (Node &n : nodes) {
            if (n.kind == CRITICAL || n.kind == LOCK || n.kind == NEST_LOCK || n.kind == MUTEX)
                continue; // who makes the mistake must get what it needs for it
            if (n.kind == REGION || n.kind == NESTED)
                found.push_back(&n);
            regions_below(n.body, found);
        }
    }

    Held any_but(Held not_this)
    {
        Held what;
        do
            what = (Held)lots_.between(0, HELD - 1);
        while (what == not_this);
        return what;
    }

    void plant(Program &p, Mistake mistake)
    {
        // Drawn in any case: with a mistake and without, the rest of the program is the same.
        p.round = lots_.between(1, 12);
        p.member = lots_.between(0, 1000);
        p.first = any_but(mistake == AGAIN || mistake == TASKWAIT ? NESTABLE : HELD);
        if (mistake == NO_MISTAKE)
            return;
        p.mistake = mistake == MISTAKES ? (Mistake)lots_.between(0, MISTAKES - 1) : mistake;
        // The calls of critical regions would have to stand in the loop itself; and a thread that is not the
        // program's cannot end in one.
        if (p.mistake == TURN || p.mistake == OWNER_ENDED)
            p.first = (Held)lots_.between(SIMPLE, MUTEX_B);
        if ((p.mistake == AGAIN || p.mistake == TASKWAIT) && p.first == NESTABLE)
            p.first = SIMPLE;
        if (p.mistake == CROSSED) {
            p.second = any_but(p.first);
            if (p.second < p.first)
                std::swap(p.first, p.second);
        }
        if (p.mistake == MISSED || p.mistake == SINK || p.mistake == UNSIGNALLED)
            p.first = HELD;
        std::vector<Node *> regions;
        regions_below(p.nodes, regions);
        Node &where = *regions[(size_t)lots_.between(0, (int)regions.size() - 1)];
        Node n;
        n.kind = PLANT;
        where.body.insert(where.body.begin() + lots_.between(0, (int)where.body.size()), n);
    }

    Lots lots_;
    int threads_;
};

void tell(const std::vector<Node> &nodes, std::string &text)
{
    for (const Node &n : nodes) {
        text += text.empty() || text.back() == '(' ? "" : " ";
        text += kind_names[n.kind];
        if (n.kind == REGION || n.kind == NESTED || n.kind == POOL)
            text += std::to_string(n.size);
        if (!n.body.empty()) {
            text += '(';
            tell(n.body, text);
            text += ')';
        }
    }
}

} // namespace

uint64_t Program::doomed() const
{
    static const uint64_t threads[] = {2, 1, 2, 1, 2, 2, 1, 1, 1, 2};
    return mistake == NO_MISTAKE ? 0 : threads[mistake];
}

const char *Program::proof() const
{
    const bool noted = first >= MUTEX_A && second >= MUTEX_A; // HELD, which is none, comes behind them

    switch (mistake) {
    case NO_MISTAKE:
    case SINK:
    case UNSIGNALLED:
        return "nowhere";
    case CROSSED:
    case JOIN:
    case OWNER_ENDED:
        return noted ? "everywhere" : "owners";
    default:
        return "owners";
    }
}

std::string Program::words() const
{
    std::string text;

    tell(nodes, text);
    if (mistake != NO_MISTAKE) {
        text = std::string(mistake_names[mistake]) + " from round " + std::to_string(round) + ", " +
               held_names[first] + "/" + held_names[second] + ": " + text;
    }
    return text;
}

Program draw(uint64_t seed, int threads, Kind kind, Mistake mistake)
{
    return Grammar(seed, threads).program(kind, mistake);
}

} // namespace motion
