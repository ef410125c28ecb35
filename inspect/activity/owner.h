/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From a thread's number in the target to the thread, or to what has become of it.
 */
#ifndef INSPECT_OWNER_H
#define INSPECT_OWNER_H

#include "inspect/base/hash.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers as the target's pid namespace has them. In a container the host's are others. */
struct owners {
    insp_session *session;
    insp_snapshot *snap;
    struct hash by_tid; /**< index of the thread + 1 */
    bool same;          /**< the target's numbers are the host's, as far as both are known */
};

/** Once the threads' target_tid are as known as they will be. */
void owners_init(struct owners *o, insp_session *session, insp_snapshot *snap);
/** No thread has such a number: the kernel's limit is 2^22. */
bool owner_is_tid(int64_t tid);
/**
 * Fills the owner of what a thread waits for: TID holds it. SHARED: threads of other processes use the object
 * too. A has no owner yet.
 */
void owner_fill(const struct owners *o, int64_t tid, bool shared, enum mdl_owner_how how,
                struct mdl_activity *a);

#ifdef __cplusplus
}
#endif
#endif
