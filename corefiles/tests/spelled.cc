// SPDX-License-Identifier: Apache-2.0
// Locks wherever C++ lets one put them; each worker waits for one. The program prints what its source calls
// each, "" where no
// debugger can know.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <list>
#include <map>
#include <memory>
#include <vector>

struct Base {
    long filler;
    omp_lock_t inherited;
    virtual ~Base() {}
};
struct Derived : Base {
    int x;
    omp_lock_t own;
} derived;
union Either {
    long number;
    omp_lock_t lock;
};
struct WithUnions {
    int a;
    Either either;
    union {
        long other;
        omp_lock_t anonymous;
    };
} unions;
struct Bits {
    unsigned a : 3, b : 5;
    omp_lock_t after;
} bits;
struct Inner {
    int k;
    omp_nest_lock_t nest;
};
struct Outer {
    Inner in[2][3];
} outer;
struct Node {
    int v;
    omp_lock_t lock;
    Node *next;
} * head;
struct Reference {
    omp_lock_t &to;
} * reference;
template <class T> struct Template {
    T value;
    omp_lock_t lock;
};
Template<int> instance;
typedef omp_lock_t mine;
mine renamed[2];
omp_lock_t matrix[3][4];
namespace ns
{
struct Holder {
    static omp_lock_t shared;
};
omp_lock_t Holder::shared;
static omp_lock_t file_static[2];
} // namespace ns
namespace
{
omp_lock_t hidden;
}
std::array<omp_lock_t, 4> array;
omp_lock_t *pointer, **pointers;
std::unique_ptr<omp_lock_t> unique;
std::shared_ptr<Inner> shared;
std::vector<Inner> list;
std::vector<std::vector<omp_lock_t>> lists;
std::map<int, omp_lock_t> map;

// spelled_b.c, beside spelled_a.c, whose structure of the same name and size leads to no lock.
extern "C" void make_a();
extern "C" omp_lock_t *make_b();

static omp_lock_t *of_function()
{
    static omp_lock_t in_function[3];
    return &in_function[1];
}

enum { MOST = 32 };
static struct {
    uintptr_t address; // disguised: no pointer of this program's own leads to a lock
    const char *text;
    bool nest;
    long tid;
} locks[MOST];
static int count;

static void add(void *lock, bool nest, const char *text)
{
    if (nest)
        omp_init_nest_lock(static_cast<omp_nest_lock_t *>(lock)),
            omp_set_nest_lock(static_cast<omp_nest_lock_t *>(lock));
    else
        omp_init_lock(static_cast<omp_lock_t *>(lock)), omp_set_lock(static_cast<omp_lock_t *>(lock));
    locks[count].address = ~reinterpret_cast<uintptr_t>(lock);
    locks[count].nest = nest;
    locks[count++].text = text;
}
#define LOCK(lock) add(&(lock), false, #lock)
#define NEST(lock) add(&(lock), true, #lock)

__attribute__((noinline)) static void take(uintptr_t disguised, bool nest)
{
    if (nest)
        omp_set_nest_lock(reinterpret_cast<omp_nest_lock_t *>(~disguised));
    else
        omp_set_lock(reinterpret_cast<omp_lock_t *>(~disguised));
}

static void make()
{
    pointer = new omp_lock_t[5];
    pointers = new omp_lock_t *[3]();
    pointers[1] = new omp_lock_t;
    unique.reset(new omp_lock_t);
    shared = std::make_shared<Inner>();
    list.resize(4);
    lists.resize(3);
    lists[1].resize(5);
    head = new Node();
    head->next = new Node();
    head->next->next = new Node();
    reference = new Reference{*new omp_lock_t};
    make_a();
}

int main()
{
    make();
    LOCK(derived.inherited);
    LOCK(derived.own);
    LOCK(unions.either.lock);
    LOCK(unions.anonymous);
    LOCK(bits.after);
    LOCK(matrix[1][2]);
    NEST(outer.in[1][2].nest);
    LOCK(renamed[1]);
    LOCK(instance.lock);
    LOCK(ns::Holder::shared);
    LOCK(ns::file_static[1]);
    add(&hidden, false, "(anonymous namespace)::hidden");
    LOCK(array[2]);
    LOCK(pointer[3]);
    LOCK(*pointers[1]);
    LOCK(*unique);
    NEST(shared->nest);
    NEST(list[2].nest);
    LOCK(lists[1][4]);
    LOCK(head->next->next->lock);
    LOCK(reference->to);
    add(of_function(), false, "in_function[1]");
    add(make_b(), false, "*zz_table[2].lock");
    add(&map[3], false, "(in the heap)");
#pragma omp parallel num_threads(count + 1)
    {
        int me = omp_get_thread_num();
        if (me) {
            __atomic_store_n(&locks[me - 1].tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
            take(locks[me - 1].address, locks[me - 1].nest);
        } else {
            for (int i = 0; i < count; i++)
                while (!__atomic_load_n(&locks[i].tid, __ATOMIC_ACQUIRE))
                    usleep(1000);
            printf("{\"waits\": [");
            for (int i = 0; i < count; i++)
                printf("%s[%ld, %llu, \"%s\"]", i ? ", " : "", locks[i].tid,
                       static_cast<unsigned long long>(~locks[i].address), locks[i].text);
            printf("]}\n");
            fflush(stdout);
            sleep(600);
        }
    }
    return 0;
}
