/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that looks like libomp to corefiles/layout, as small as can be: the fuzzer damages it. Nobody calls
 * its functions.
 */
typedef union kmp_info {
    struct kmp_base_info {
        struct {
            struct kmp_desc {
                int ds_gtid;
            } ds;
        } th_info;
        void *th_root;
        int th_team_nproc;
    } th;
} kmp_info_t;

typedef struct ident {
    int reserved_1, flags;
    const char *psource;
} ident_t;

static kmp_info_t *threads[64];
static volatile unsigned long values[145];
const char version[] = "LLVM OMP API version: 5.0 (201611)";

const char *getenv(const char *name);
void lock_acquire(void *lock, int gtid);

/* What libomp stores before it asks for OMP_DEBUG: 54 offsets, 11 masks, 80 sizes; each by an instruction. */
#define SIZE(i) \
    ((i) == 75 || (i) == 141 ? 4 : (i) == 142 ? 1 : (i) == 119 ? sizeof(kmp_info_t) : sizeof(void *))
#define ONE(i)         values[i] = (i) < 54 ? 8 * (i) : (i) < 65 ? 1UL << ((i)-54) : SIZE(i);
#define FIVE(i)        ONE(i) ONE((i) + 1) ONE((i) + 2) ONE((i) + 3) ONE((i) + 4)
#define TWENTY_FIVE(i) FIVE(i) FIVE((i) + 5) FIVE((i) + 10) FIVE((i) + 15) FIVE((i) + 20)

const char *ompd_init(void)
{
    TWENTY_FIVE(0)
    TWENTY_FIVE(25)
    TWENTY_FIVE(50)
    TWENTY_FIVE(75)
    TWENTY_FIVE(100)
    FIVE(125)
    FIVE(130)
    FIVE(135)
    FIVE(140)
    return getenv("OMP_DEBUG");
}

int omp_get_level(void)
{
    return threads[0]->th.th_info.ds.ds_gtid;
}

void __kmpc_critical(ident_t *place, int gtid, void *lock)
{
    lock_acquire(lock, gtid);
    threads[gtid]->th.th_root = lock;
    lock_acquire(place, gtid);
}

void __kmpc_set_lock(ident_t *place, int gtid, void **lock)
{
    void *kept[4];

    lock_acquire(kept, gtid);
    lock_acquire(*lock, gtid);
    lock_acquire(place, gtid);
}

void __kmpc_fork_call(ident_t *place, int count, void (*microtask)(void))
{
    lock_acquire(place, count);
    microtask();
}
