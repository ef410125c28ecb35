/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which frames of a thread's stack are the bodies of constructs.
 */
#ifndef INSPECT_STACK_LABELS_H
#define INSPECT_STACK_LABELS_H

#include "inspect/render/text_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of one frame. */
struct stack_label {
    const char *construct; /**< "#pragma omp task at solve.c:15"; NULL: it is no construct's body */
    const char *function;  /**< the function in whose source the construct is; NULL not known */
    /** It only calls the frame inside of it: clang makes two functions of a construct when it debugs, and
     *  of a task always. */
    bool wrapper;
};

/** Where the code of all constructs begins that the process is in, ascending. */
struct stack_entries {
    uint64_t *entry;
    int count;
};
/** False out of memory. */
bool stack_entries(const struct text_view *v, struct stack_entries *ret) INSP_WARN_UNUSED;
/** The innermost construct that T executes: "#pragma omp task at solve.c:15"; NULL: it is in none. */
const char *stack_construct(const struct text_view *v, const struct mdl_thread *t);
/** One for each of T's own frames; NULL out of memory. */
const struct stack_label *stack_labels(const struct text_view *v, const struct stack_entries *e,
                                       const struct mdl_thread *t);

#ifdef __cplusplus
}
#endif
#endif
