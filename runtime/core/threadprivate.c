/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threadprivate variables without compiler TLS (flang, clang -fnoopenmp-use-tls): a copy per thread and
 * variable.
 *
 * The initial thread's copy is the variable itself. Another thread's copy is made at its first use: by the
 * constructor, by the copy constructor, or from the bytes that the variable had when the runtime first met
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "threadprivate.h"

struct copy {
    struct copy *next;
    const struct rt_thread *thread;
    void *data;
};

/** An array of the compiler's for a variable: the copy of each gtid below RT_CACHED_GTIDS. */
struct cache {
    struct cache *next;
    void **copies;
};

struct variable {
    struct variable *next;
    void *original;
    size_t size;
    void *image; /**< initial bytes, for plain data */
    rt_ctor ctor;
    rt_cctor cctor;
    rt_dtor dtor;
    size_t elements; /**< an array: the three get this number too */
    struct copy *copies;
    struct cache *caches;
};

/* An array's constructors take the number of elements behind the addresses. */
typedef void *array_ctor(void *, size_t);
typedef void *array_cctor(void *, void *, size_t);
typedef void array_dtor(void *, size_t);

static struct variable *variables;

static struct variable *threadprivate_find(void *original)
{
    for (struct variable *v = variables; v != NULL; v = v->next)
        if (v->original == original)
            return v;
    struct variable *v = calloc(1, sizeof *v);
    if (v == NULL)
        rt_fatal("no memory for a threadprivate variable");
    v->original = original;
    v->next = variables;
    variables = v;
    return v;
}

void rt_threadprivate_register(void *data, rt_ctor ctor, rt_cctor cctor, rt_dtor dtor, size_t elements)
{
    rt_lock(&rt_threadprivate_lock);
    struct variable *v = threadprivate_find(data);
    v->ctor = ctor;
    v->cctor = cctor;
    v->dtor = dtor;
    v->elements = elements;
    rt_unlock(&rt_threadprivate_lock);
}

static void *copy_create(struct variable *v)
{
    void *data = NULL;
    if (posix_memalign(&data, RT_LINE, v->size ? v->size : 1) != 0)
        rt_fatal("no memory for a threadprivate variable of %zu bytes", v->size);
    memset(data, 0, v->size);
    if (v->ctor == NULL && v->cctor == NULL)
        memcpy(data, v->image, v->size);
    return data;
}

static void construct(const struct variable *v, void *copy, void *original)
{
    if (v->ctor != NULL && v->elements != 0)
        ((array_ctor *)(void *)v->ctor)(copy, v->elements);
    else if (v->ctor != NULL)
        v->ctor(copy);
    else if (v->cctor != NULL && v->elements != 0)
        ((array_cctor *)(void *)v->cctor)(copy, original, v->elements);
    else if (v->cctor != NULL)
        v->cctor(copy, original);
}

void *rt_threadprivate_get(struct rt_thread *th, void *data, size_t size)
{
    rt_lock(&rt_threadprivate_lock);
    struct variable *v = threadprivate_find(data);
    if (v->image == NULL) {
        v->size = size;
        v->image = malloc(size ? size : 1);
        if (v->image == NULL)
            rt_fatal("no memory for a threadprivate variable of %zu bytes", size);
        memcpy(v->image, data, size);
    }
    if (size > v->size && th->gtid != 0)
        rt_fatal("a threadprivate variable of %zu bytes is used as one of %zu", v->size, size);
    /* Number 0 is the thread that used the runtime first; a worker may be here before it. */
    void *result = th->gtid == 0 ? data : NULL;
    for (struct copy *c = v->copies; c != NULL && result == NULL; c = c->next)
        if (c->thread == th)
            result = c->data;
    int fresh = result == NULL;
    if (fresh) {
        struct copy *c = malloc(sizeof *c);
        if (c == NULL)
            rt_fatal("no memory for a threadprivate variable");
        *c = (struct copy){v->copies, th, copy_create(v)};
        v->copies = c;
        result = c->data;
    }
    rt_unlock(&rt_threadprivate_lock);
    /* User code, so without the lock; nobody else has this copy. */
    if (fresh)
        construct(v, result, data);
    return result;
}

void **rt_threadprivate_cache(void *data, void ***array)
{
    rt_lock(&rt_threadprivate_lock);
    /*
     * Listed before anybody uses it: a thread that ends must find its entry, for its gtid will be another's.
     */
    if (*array == NULL) {
        struct cache *cache = malloc(sizeof *cache);
        void **copies = calloc(RT_CACHED_GTIDS, sizeof *copies);
        if (cache == NULL || copies == NULL)
            rt_fatal("no memory for a threadprivate cache");
        struct variable *v = threadprivate_find(data);
        *cache = (struct cache){v->caches, copies};
        v->caches = cache;
        __atomic_store_n(array, copies, __ATOMIC_RELEASE);
    }
    rt_unlock(&rt_threadprivate_lock);
    return *array;
}

/** The thread's copy is no more. */
static void uncache(const struct variable *v, int32_t gtid)
{
    for (const struct cache *cache = v->caches; cache != NULL && gtid < RT_CACHED_GTIDS; cache = cache->next)
        cache->copies[gtid] = NULL;
}

/** The link to one of the thread's copies and its variable; NULL when there is none. The lock is held. */
static struct copy **copy_of(const struct rt_thread *th, const struct variable **of)
{
    for (struct variable *v = variables; v != NULL; v = v->next)
        for (struct copy **link = &v->copies; *link != NULL; link = &(*link)->next)
            if ((*link)->thread == th) {
                *of = v;
                return link;
            }
    return NULL;
}

int rt_threadprivate_has(const struct rt_thread *th)
{
    const struct variable *of;
    rt_lock(&rt_threadprivate_lock);
    int has = copy_of(th, &of) != NULL;
    rt_unlock(&rt_threadprivate_lock);
    return has;
}

void rt_threadprivate_end(struct rt_thread *th)
{
    for (;;) {
        struct copy *gone = NULL;
        const struct variable *of;
        rt_dtor dtor = NULL;
        size_t elements = 0;
        rt_lock(&rt_threadprivate_lock);
        struct copy **link = copy_of(th, &of);
        if (link != NULL) {
            gone = *link;
            *link = gone->next;
            uncache(of, th->gtid);
            dtor = of->dtor;
            elements = of->elements;
        }
        rt_unlock(&rt_threadprivate_lock);
        if (gone == NULL)
            return;
        if (dtor != NULL && elements != 0)
            ((array_dtor *)(void *)dtor)(gone->data, elements);
        else if (dtor != NULL)
            dtor(gone->data);
        free(gone->data);
        free(gone);
    }
}

void rt_threadprivate_after_fork(const struct rt_thread *self)
{
    for (const struct variable *v = variables; v != NULL; v = v->next)
        for (const struct cache *cache = v->caches; cache != NULL; cache = cache->next)
            for (int32_t gtid = 1; gtid < RT_CACHED_GTIDS; gtid++)
                if ((self == NULL || gtid != self->gtid) && cache->copies[gtid] != NULL)
                    cache->copies[gtid] = NULL;
}
