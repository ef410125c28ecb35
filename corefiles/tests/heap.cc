// SPDX-License-Identifier: Apache-2.0
// A program without OpenMP that knows the truth about locks in its heap: one line of JSON, [address,
// expression] of each as the source writes it, "" where none may be given; then it waits in read().
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory>
#include <vector>

// Only the name of the type counts. The headers of LLVM give the structure a tag, GCC's does not.
#ifdef __clang__
typedef struct omp_lock_t {
#else
typedef struct {
#endif
    void *word;
} omp_lock_t;
typedef omp_lock_t guard_t;

struct Base {
    int filler;
    omp_lock_t inherited;
};
struct Grid : Base {
    omp_lock_t *locks;
    Grid *next;
    guard_t matrix[2][3];
};
struct Node {
    Node *next, *previous;
    long payload;
    omp_lock_t lock;
};
struct Table {
    int size;
    Node **buckets;
};
// With a destructor, so that new[] counts them.
struct Guard {
    ~Guard() { lock.word = nullptr; }
    omp_lock_t lock;
};
struct Deep {
    Deep *down;
    omp_lock_t lock;
};
union Either {
    omp_lock_t *lock;
    long *number;
};
class Owner
{
  public:
    static Grid *shared;
    std::vector<Guard> guards;
    std::vector<std::unique_ptr<Grid>> grids;
};

Grid *g;
omp_lock_t *single, *several, *loose;
omp_lock_t **rows;
Node *ring;
Table table;
Guard *counted;
Owner owner;
std::shared_ptr<Grid> common;
std::unique_ptr<omp_lock_t[]> array;
std::vector<omp_lock_t> plain(30);
Grid &referred = *new Grid();
Deep *deep;
void *untyped;
Either either;
long number;
Grid *Owner::shared;
static bool first = true;

void say(const void *address, const char *text)
{
    printf("%s[%llu, \"%s\"]", first ? "" : ", ", (unsigned long long)(uintptr_t)address, text);
    first = false;
}

template <class T> static T *make(size_t count = 1)
{
    return static_cast<T *>(calloc(count, sizeof(T)));
}

int main()
{
    char byte;
    g = make<Grid>();
    g->locks = make<omp_lock_t>(32);
    g->next = make<Grid>();
    g->next->next = g;
    single = make<omp_lock_t>();
    several = make<omp_lock_t>(100000);
    rows = make<omp_lock_t *>(20);
    rows[7] = make<omp_lock_t>(50);
    loose = several + 10;
    ring = make<Node>();
    ring->next = make<Node>();
    ring->next->next = ring->previous = make<Node>();
    ring->next->next->next = ring;
    table.size = 1000;
    table.buckets = make<Node *>(1000);
    table.buckets[900] = make<Node>();
    counted = new Guard[40];
    owner.guards.resize(5);
    owner.grids.resize(3);
    owner.grids[2].reset(new Grid());
    owner.grids[2]->locks = make<omp_lock_t>(9);
    common = std::make_shared<Grid>();
    array.reset(new omp_lock_t[60]);
    Owner::shared = make<Grid>();
    deep = make<Deep>();
    Deep *at = deep;
    for (int i = 0; i < 5; i++)
        at = at->down = make<Deep>();
    untyped = make<omp_lock_t>();
    either.lock = make<omp_lock_t>(4);
    number = (long)(uintptr_t)make<omp_lock_t>();

    printf("{\"names\": [");
    say(&g->locks[17], "g->locks[17]");
    say(&g->locks[0], "g->locks[0]");
    say(&g->inherited, "g->inherited");
    say(&g->matrix[1][2], "g->matrix[1][2]");
    say(&g->next->matrix[0][1], "g->next->matrix[0][1]");
    say(single, "*single");
    say(&several[99999], "several[99999]");
    say(&rows[7][49], "rows[7][49]");
    say(&ring->lock, "ring->lock");
    say(&ring->next->lock, "ring->next->lock");
    say(&ring->previous->lock, "ring->previous->lock");
    say(&table.buckets[900]->lock, "table.buckets[900]->lock");
    say(&counted[39].lock, "counted[39].lock");
    say(&owner.guards[4].lock, "owner.guards[4].lock");
    say(&owner.grids[2]->inherited, "owner.grids[2]->inherited");
    say(&owner.grids[2]->locks[8], "owner.grids[2]->locks[8]");
    say(&common->matrix[1][1], "common->matrix[1][1]");
    say(&array[59], "array[59]");
    say(&plain[0], "plain[0]");
    say(&plain[29], "plain[29]");
    say(&Owner::shared->inherited, "Owner::shared->inherited");
    say(&referred.inherited, "referred.inherited");
    say(&deep->down->down->down->lock, "deep->down->down->down->lock");
    // Too far; no type; a union does not say what it holds; an integer is no pointer; nor is a lock's middle.
    say(&deep->down->down->down->down->lock, "");
    say(untyped, "");
    say(&either.lock[1], "");
    say(reinterpret_cast<void *>(number), "");
    say(reinterpret_cast<char *>(&g->locks[17]) + 4, "");
    // Behind the last that was given out: whatever lies there is not this array's.
    say(&g->locks[33], "");
    say(owner.guards.data() + owner.guards.size(), "");
    printf("]}\n");
    fflush(stdout);
    return read(0, &byte, 1) < 0 || loose == nullptr || table.size == 0;
}
