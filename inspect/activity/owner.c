/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/owner.h"

#include "inspect/target/hostcall.h"
#include "inspect/target/start_routine.h"
#include "inspect/target/still.h"

enum { TID_LIMIT = 1 << 22 };

bool owner_is_tid(int64_t tid)
{
    return tid > 0 && tid <= TID_LIMIT;
}

void owners_init(struct owners *o, insp_session *session, insp_snapshot *snap)
{
    *o = (struct owners){.session = session, .snap = snap, .by_tid = {.arena = &snap->arena}, .same = true};
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        o->same = o->same && (!t->target_tid || t->target_tid == t->lwp);
    }
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        int64_t tid = t->target_tid ? t->target_tid : o->same ? t->lwp : 0;
        uint64_t *at = tid > 0 ? hash_add(&o->by_tid, (uint64_t)tid, NULL) : NULL;

        if (at && !*at)
            *at = (uint64_t)i + 1;
    }
}

/* Is it known that the threads' numbers here are those of the target's namespace? Where nobody says so, a
   thread's descriptor may. */
static bool are_numbers_known(const struct owners *o)
{
    const uint32_t offset = start_routine_tid_offset(o->session);

    for (int i = 0; i < o->snap->thread_count; i++) {
        const struct mdl_thread *t = &o->snap->threads[i];
        uint32_t word;

        if (t->target_tid)
            return true;
        if (offset && t->pthread && !still_read(o->session, t->pthread + offset, &word, sizeof(word)) &&
            word == (uint64_t)t->lwp)
            return true;
    }
    return false;
}

void owner_fill(const struct owners *o, int64_t tid, bool shared, enum mdl_owner_how how,
                struct mdl_activity *a)
{
    uint64_t *at = hash_find(&o->by_tid, (uint64_t)tid, NULL);
    int64_t pid = 0;
    int32_t parent = 0;
    int rc;

    a->owner_tid = tid;
    a->owner_how = how;
    if (at) {
        a->owner = MDL_OWNER_THREAD;
        a->owner_lwp = o->snap->threads[*at - 1].lwp;
        return;
    }
    rc = host_task(o->session, tid, &pid, &parent);
    if (rc) {
        pid = 0;
        parent = 0;
    }
    a->owner = o->snap->process.forked ? MDL_OWNER_GONE : MDL_OWNER_ENDED;
    if (shared && rc != 1) {
        a->owner = MDL_OWNER_PROCESS;
        a->owner_pid = pid > 0 ? pid : 0;
    } else if (parent) {
        a->owner = MDL_OWNER_FORK;
        a->owner_pid = pid > 0 ? pid : 0;
    } else if (rc < 0 && !are_numbers_known(o)) {
        a->owner_doubt = "the debugger may have other numbers for threads than the program";
    }
}
