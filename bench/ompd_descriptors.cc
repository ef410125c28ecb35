// SPDX-License-Identifier: Apache-2.0
// ompd_get_thread_handle and ompd_get_state on many thread descriptors: calls per second, and callbacks per
// call.
//   ompd_descriptors ours LIBOMPD THREADS | llvm LIBOMPD THREADS
// Ours reads a hand-made image of Companion (ompd/tests/image.h), outside a bracket and inside. LLVM's reads
// an image of its own structures, made as it asks: it finds each field by the value of a symbol
// (ompd_access__TYPE__FIELD), so the offsets may be any. Both memories are of the same kind, so that a read
// costs both the same. Prints one line for each measurement: NAME threads calls seconds reads bytes look-ups.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "ompd/tests/image.h"

namespace
{

[[noreturn]] void Fail(const char *what, int rc)
{
    fprintf(stderr, "%s: %d\n", what, rc);
    exit(1);
}

#define OK(call)                      \
    do {                              \
        if (int rc = (call); rc != 0) \
            Fail(#call, rc);          \
    } while (0)

/** The few functions that are measured, of a loaded library. */
struct Library {
    decltype(&ompd_initialize) initialize;
    decltype(&ompd_process_initialize) process_initialize;
    decltype(&ompd_get_thread_handle) get_thread_handle;
    decltype(&ompd_get_state) get_state;
    decltype(&ompd_rel_thread_handle) rel_thread_handle;
    decltype(&ompdx_stop_begin) stop_begin;
    decltype(&ompdx_stop_end) stop_end;

    explicit Library(const char *path)
    {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            fprintf(stderr, "%s\n", dlerror());
            exit(1);
        }
        Find(library, "ompd_initialize", &initialize);
        Find(library, "ompd_process_initialize", &process_initialize);
        Find(library, "ompd_get_thread_handle", &get_thread_handle);
        Find(library, "ompd_get_state", &get_state);
        Find(library, "ompd_rel_thread_handle", &rel_thread_handle);
        Find(library, "ompdx_stop_begin", &stop_begin);
        Find(library, "ompdx_stop_end", &stop_end);
    }

  private:
    template <typename F> static void Find(void *library, const char *name, F *function)
    {
        *function = reinterpret_cast<F>(dlsym(library, name));
    }
};

struct Counts {
    uint64_t reads, bytes, lookups;
};

uint64_t Pthread(unsigned i)
{
    return 0x7e0000001000 + 0x1000ull * i;
}

/** Asks COUNT of THREADS threads, spread over all, twice: handle and state are two calls; the state must be
 * EXPECTED. */
template <typename Now>
void Measure(const char *name, const Library &api, ompd_address_space_handle_t *process, unsigned threads,
             unsigned count, ompd_word_t expected, Now counts)
{
    const Counts before = counts();
    const auto start = std::chrono::steady_clock::now();
    for (unsigned n = 0; n < count; n++) {
        const uint64_t native = Pthread((unsigned)((uint64_t)n * threads / count));
        ompd_thread_handle_t *thread;
        ompd_word_t state = -1;
        ompd_wait_id_t wait;
        OK(api.get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, sizeof native, &native, &thread));
        OK(api.get_state(thread, &state, &wait));
        OK(api.rel_thread_handle(thread));
        if (state != expected)
            Fail("the state", (int)state);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const Counts after = counts();
    printf("%s %u %u %.6f %llu %llu %llu\n", name, threads, 2 * count, seconds.count(),
           (unsigned long long)(after.reads - before.reads), (unsigned long long)(after.bytes - before.bytes),
           (unsigned long long)(after.lookups - before.lookups));
}

// ---- ours

void Ours(const Library &api, unsigned threads)
{
    Tool tool;
    Shape shape;
    shape.natural = true;
    shape.arena = true;
    shape.root_slabs = 40;
    shape.block_slabs = 165;
    Image image(shape);
    image.AddSlab(LAY_C_RT_KIND_THREAD, threads, 0, 0);
    image.AddSlab(LAY_C_RT_KIND_TEAM, 4, 0, 0);
    image.AddSlab(LAY_C_RT_KIND_TASK, threads, 0, 0);
    const uint64_t team = image.Team(1, LAY_C_RT_TEAM_PARALLEL, (int)threads, 1, 1, 0), lock = image.Raw(64);
    for (unsigned i = 0; i < threads; i++) {
        const uint64_t thread = image.Thread(i + 1, Pthread(i), (int)(5000 + i));
        const uint64_t task = image.Task(i + 1, team, 2, LAY_C_RT_TS_STARTED, thread, (int)i);
        image.Set(LAY_F_rt_thread_cur_task, thread, task);
        image.Member(team, (int)i, task, thread);
        image.State(thread, ompt_state_wait_lock, LAY_C_RT_WAIT_LOCK, lock);
    }
    ompd_address_space_handle_t *process;
    OK(api.initialize(202411, Tool::Callbacks()));
    OK(api.process_initialize(Context(&image), &process));
    auto counts = [&] { return Counts{tool.reads, tool.bytes, tool.lookups}; };
    Measure("fresh", api, process, threads, threads, ompt_state_wait_lock, counts);
    OK(api.stop_begin(process));
    Measure("bracket", api, process, threads, threads, ompt_state_wait_lock, counts);
    OK(api.stop_end(process));
}

// ---- LLVM's

struct Llvm {
    explicit Llvm(unsigned threads)
    {
        image.Map(kSymbols, 1 << 16);
        image.Map(kThreads, 8ull * threads);
        image.Map(kLocal, 64ull * threads);
        image.Map(kInfos, (uint64_t)kInfoBytes * threads);
        for (unsigned i = 0; i < threads; i++) {
            image.Put(kThreads + 8ull * i, 8, kInfos + (uint64_t)kInfoBytes * i);
            image.Put(kLocal + 64ull * i, 4, i);
        }
        // Where these fields are is told by their symbols; the nested structures start at 0.
        const uint64_t handle = Value("ompd_access__kmp_desc_base_t__ds_thread", 8, 64);
        const uint64_t state = Value("ompd_access__ompt_thread_info_t__state", 8, 128);
        Value("ompd_sizeof__ompt_thread_info_t__state", 8, 4);
        Value("ompd_sizeof__kmp_desc_base_t__ds_thread", 8, 8);
        Value("__kmp_threads", 8, kThreads);
        Value("ompd_sizeof____kmp_gtid", 8, 4);
        Value("__kmp_openmp_version", 8, 201611);
        Value("ompd_state", 8, 3); // the runtime kept state
        for (unsigned i = 0; i < threads; i++) {
            image.Put(kInfos + (uint64_t)kInfoBytes * i + handle, 8, Pthread(i));
            image.Put(kInfos + (uint64_t)kInfoBytes * i + state, 4, ompt_state_wait_lock);
        }
    }

    /** Makes the symbol, a variable of VALUE; returns the value. */
    uint64_t Value(const std::string &name, unsigned size, uint64_t value)
    {
        image.Put(next, size, value);
        symbols[name] = next;
        next += 16;
        return value;
    }

    uint64_t Symbol(const std::string &name)
    {
        auto found = symbols.find(name);
        if (found != symbols.end())
            return found->second;
        if (name.compare(0, 12, "ompd_sizeof_") == 0)
            Value(name, 8, name.rfind("__") == 11 ? kInfoBytes : 8); // of a type, of a field
        else if (name.compare(0, 12, "ompd_access_") == 0)
            Value(name, 8, 0);
        else
            return 0;
        return symbols[name];
    }

    static const uint64_t kSymbols = 0x10000000, kThreads = 0x20000000, kLocal = 0x30000000,
                          kInfos = 0x40000000;
    static const unsigned kInfoBytes = 1024;
    Image image;
    uint64_t next = kSymbols;
    std::unordered_map<std::string, uint64_t> symbols;
    Counts counts = {};
} * llvm;

ompd_rc_t Alloc(ompd_size_t bytes, void **block)
{
    *block = malloc(bytes);
    return *block != nullptr ? ompd_rc_ok : ompd_rc_nomem;
}

ompd_rc_t Free(void *block)
{
    free(block);
    return ompd_rc_ok;
}

ompd_rc_t Print(const char *, int)
{
    return ompd_rc_ok;
}

ompd_rc_t Sizes(ompd_address_space_context_t *, ompd_device_type_sizes_t *sizes)
{
    *sizes = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

/** A thread's context is its number plus 1. */
ompd_rc_t Symbol(ompd_address_space_context_t *, ompd_thread_context_t *thread, const char *name,
                 ompd_address_t *address, const char *)
{
    llvm->counts.lookups++;
    if (thread != nullptr && strcmp(name, "__kmp_gtid") == 0) {
        *address = {0, Llvm::kLocal + 64 * (reinterpret_cast<uintptr_t>(thread) - 1)};
        return ompd_rc_ok;
    }
    *address = {0, llvm->Symbol(name)};
    return address->address != 0 ? ompd_rc_ok : ompd_rc_error;
}

ompd_rc_t Read(ompd_address_space_context_t *, ompd_thread_context_t *, const ompd_address_t *address,
               ompd_size_t bytes, void *buffer)
{
    llvm->counts.reads++;
    llvm->counts.bytes += bytes;
    return llvm->image.Read(address->address, bytes, buffer) ? ompd_rc_ok : ompd_rc_error;
}

ompd_rc_t Host(ompd_address_space_context_t *, const void *in, ompd_size_t unit, ompd_size_t count, void *out)
{
    memmove(out, in, unit * count);
    return ompd_rc_ok;
}

ompd_rc_t ThreadContext(ompd_address_space_context_t *, ompd_thread_id_t, ompd_size_t, const void *id,
                        ompd_thread_context_t **ret)
{
    uint64_t native;
    memcpy(&native, id, sizeof native);
    *ret = reinterpret_cast<ompd_thread_context_t *>((native - Pthread(0)) / 0x1000 + 1);
    return ompd_rc_ok;
}

void Llvms(const Library &api, unsigned threads)
{
    llvm = new Llvm(threads);
    static ompd_callbacks_t callbacks = {};
    callbacks.alloc_memory = Alloc;
    callbacks.free_memory = Free;
    callbacks.print_string = Print;
    callbacks.sizeof_type = Sizes;
    callbacks.symbol_addr_lookup = Symbol;
    callbacks.read_memory = Read;
    callbacks.read_string = Read;
    callbacks.device_to_host = Host;
    callbacks.host_to_device = Host;
    callbacks.get_thread_context_for_thread_id = ThreadContext;
    ompd_address_space_handle_t *process;
    OK(api.initialize(201811, &callbacks));
    OK(api.process_initialize(Context(&llvm->image), &process));
    Measure("llvm", api, process, threads, threads, ompt_state_wait_lock, [] { return llvm->counts; });
}

} // namespace

int main(int argc, char **argv)
{
    const unsigned threads = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
    if (threads == 0) {
        fprintf(stderr, "usage: ompd_descriptors ours|llvm LIBOMPD THREADS\n");
        return 64;
    }
    const Library api(argv[2]);
    if (strcmp(argv[1], "ours") == 0)
        Ours(api, threads);
    else
        Llvms(api, threads);
    return 0;
}
