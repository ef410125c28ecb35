/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Values by unit and key. They stand in a table by the unit's handle, in lists under one lock each: the
 * runtime keeps nothing for a tool that stores values.
 */
#include <pthread.h>
#include <stdlib.h>

#include "abttool.h"

struct ABT_key_opaque {
    void (*destructor)(void *);
};

struct value {
    struct value *next;
    const void *unit;
    ABT_key key;
    void *value;
};

#define LISTS 256
static struct {
    pthread_mutex_t lock;
    struct value *_Atomic first;
} lists[LISTS] = {[0 ... LISTS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

/** Descriptors lie at multiples of 64, 512 bytes each as a rule. */
static unsigned list_of(const void *unit)
{
    return (unsigned)(((uintptr_t)unit >> 9 ^ (uintptr_t)unit >> 6) % LISTS);
}

void abttool_keys_before_fork(void)
{
    for (unsigned list = 0; list < LISTS; list++)
        pthread_mutex_lock(&lists[list].lock);
}

void abttool_keys_after_fork(void)
{
    for (unsigned list = 0; list < LISTS; list++)
        pthread_mutex_unlock(&lists[list].lock);
}

static struct value *find(unsigned list, const void *unit, ABT_key key)
{
    struct value *entry = lists[list].first;
    while (entry != NULL && (entry->unit != unit || entry->key != key))
        entry = entry->next;
    return entry;
}

/** Takes all values of a unit (key NULL) or of a key (unit NULL) out of a list. */
static struct value *take(unsigned list, const void *unit, ABT_key key)
{
    struct value *taken = NULL, *kept = NULL, *next;
    pthread_mutex_lock(&lists[list].lock);
    for (struct value *entry = lists[list].first; entry != NULL; entry = next) {
        struct value **to = entry->unit == unit || entry->key == key ? &taken : &kept;
        next = entry->next;
        entry->next = *to;
        *to = entry;
    }
    lists[list].first = kept;
    pthread_mutex_unlock(&lists[list].lock);
    return taken;
}

static void release(struct value *entry, int destroy)
{
    while (entry != NULL) {
        struct value *next = entry->next;
        if (destroy && entry->value != NULL && entry->key->destructor != NULL)
            entry->key->destructor(entry->value);
        free(entry);
        entry = next;
    }
}

void abttool_keys_event(const struct ompc_unit_event *event)
{
    unsigned list = list_of(event->unit);
    if (event->event == ABT_TOOL_EVENT_THREAD_FREE && lists[list].first != NULL)
        release(take(list, event->unit, ABT_KEY_NULL), 1);
}

ABTTOOL_EXPORT int ABT_key_create(void (*destructor)(void *value), ABT_key *newkey)
{
    ABT_key key = malloc(sizeof *key);
    if (key == NULL)
        return ABT_ERR_MEM;
    key->destructor = destructor;
    *newkey = key;
    return ABT_SUCCESS;
}

ABTTOOL_EXPORT int ABT_key_free(ABT_key *key)
{
    if (key == NULL || *key == ABT_KEY_NULL)
        return ABT_ERR_INV_KEY;
    for (unsigned list = 0; list < LISTS; list++)
        release(take(list, NULL, *key), 0);
    free(*key);
    *key = ABT_KEY_NULL;
    return ABT_SUCCESS;
}

static int check(ABT_thread thread, ABT_key key)
{
    return thread == ABT_THREAD_NULL ? ABT_ERR_INV_THREAD
           : key == ABT_KEY_NULL     ? ABT_ERR_INV_KEY
                                     : ABT_SUCCESS;
}

ABTTOOL_EXPORT int ABT_thread_set_specific(ABT_thread thread, ABT_key key, void *value)
{
    int error = check(thread, key);
    if (error != ABT_SUCCESS)
        return error;
    unsigned list = list_of(thread);
    pthread_mutex_lock(&lists[list].lock);
    struct value *entry = find(list, thread, key);
    if (entry == NULL && (entry = malloc(sizeof *entry)) != NULL) {
        *entry = (struct value){lists[list].first, thread, key, NULL};
        lists[list].first = entry;
    }
    if (entry != NULL)
        entry->value = value;
    pthread_mutex_unlock(&lists[list].lock);
    return entry != NULL ? ABT_SUCCESS : ABT_ERR_MEM;
}

ABTTOOL_EXPORT int ABT_thread_get_specific(ABT_thread thread, ABT_key key, void **value)
{
    int error = check(thread, key);
    if (error != ABT_SUCCESS)
        return error;
    unsigned list = list_of(thread);
    pthread_mutex_lock(&lists[list].lock);
    const struct value *entry = find(list, thread, key);
    *value = entry != NULL ? entry->value : NULL;
    pthread_mutex_unlock(&lists[list].lock);
    return ABT_SUCCESS;
}
