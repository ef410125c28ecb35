/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which function of libc's or of the C++ library's a thread waits in, by the exact names of its frames. The
 * exported ones are there without any debug symbols; with libc6-dbg more names appear, which are known too.
 */
#ifndef INSPECT_LIBC_CALL_H
#define INSPECT_LIBC_CALL_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct libc_call {
    enum mdl_activity_kind kind;
    const char *name; /**< as a program calls it: "pthread_mutex_lock", "std::future::wait" */
    int frame;        /**< the outermost of its frames */
    bool spins;       /**< it waits without the kernel */
    bool cxx;         /**< it is the C++ library's */
    bool mutex;       /**< of the loader: what it waits for is a mutex */
    bool local; /**< a function within libc, to which several exported ones jump: `name` is one of them */
};

/** Looks at the frames as far as the user's code. False: none of them is a function that waits. */
bool libc_call_find(const struct mdl_thread *t, struct libc_call *ret);

/** The frame of the caller of libc's code that a thread is in, where none of libc's frames has a name that is
 * known; 0: that is not so. */
int libc_call_unnamed(const struct mdl_thread *t);
/** The same as libc_call_find of a function called by frame number FRAME + 1, by its symbol. */
bool libc_call_named(const char *symbol, int frame, struct libc_call *ret);

/** The kernel's call that the frames say was interrupted by a stop: "clock_nanosleep", "poll"; NULL: they do
 *  not say. */
const char *libc_call_interrupted(const struct mdl_thread *t);

/** Is it code of the user's, and not a function of the C++ library that was made in the user's file? Of the
 * program's own MPI functions too: no. */
bool frame_is_users(const struct mdl_frame *frame);
/** The innermost frame of the user's code from number FROM outwards, -1 none. */
int frame_of_user(const struct mdl_thread *t, int from);
/** The function that frame number USER has called, as the program calls it; in A. KERNEL: the name of the
 * system call that it came to, or NULL. NULL: not known. */
const char *frame_called(const struct mdl_thread *t, int user, const char *kernel, struct arena *a);

#ifdef __cplusplus
}
#endif
#endif
