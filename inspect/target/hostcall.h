/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Every call of the host goes through these: they count, and after INSP_HOST_FAILED they ask no more.
 * Return values as in host.h; a member that the host left NULL answers 1 (nothing known).
 */
#ifndef INSPECT_HOSTCALL_H
#define INSPECT_HOSTCALL_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

int host_process(insp_session *s, int64_t *pid, const char **exe, const char **core, const char **hostname,
                 int32_t *signal, int64_t *crashed_lwp) INSP_WARN_UNUSED;
int host_module(insp_session *s, uint32_t index, struct insp_module *ret) INSP_WARN_UNUSED;
int host_read(insp_session *s, uint64_t addr, void *buf, uint64_t size) INSP_WARN_UNUSED;
int host_thread(insp_session *s, uint32_t index, struct insp_thread *ret) INSP_WARN_UNUSED;
int host_lookup(insp_session *s, const char *symbol, const char *module, uint64_t *addr) INSP_WARN_UNUSED;
int host_lookup_tls(insp_session *s, int64_t lwp, const char *symbol, const char *module,
                    uint64_t *addr) INSP_WARN_UNUSED;
int host_place(insp_session *s, uint64_t addr, struct insp_place *ret) INSP_WARN_UNUSED;
int host_reg(insp_session *s, int64_t lwp, uint32_t dwarf_reg, uint64_t *value) INSP_WARN_UNUSED;
int host_frame(insp_session *s, int64_t lwp, uint32_t index, struct insp_frame *ret) INSP_WARN_UNUSED;
int host_region(insp_session *s, uint64_t addr, struct insp_region *ret) INSP_WARN_UNUSED;
int host_data(insp_session *s, uint32_t index, uint64_t *start, uint64_t *end,
              const char **module) INSP_WARN_UNUSED;
int host_variable_at(insp_session *s, uint64_t addr, uint32_t index,
                     struct insp_variable *ret) INSP_WARN_UNUSED;
int host_unit(insp_session *s, uint64_t pc, uint64_t *ret) INSP_WARN_UNUSED;
int host_variable(insp_session *s, int scope, uint64_t of, uint32_t frame, uint32_t index,
                  struct insp_variable *ret) INSP_WARN_UNUSED;
int host_type(insp_session *s, uint64_t type, struct insp_type *ret) INSP_WARN_UNUSED;
int host_field(insp_session *s, uint64_t type, uint32_t index, struct insp_field *ret) INSP_WARN_UNUSED;
int host_array(insp_session *s, uint64_t type, uint64_t addr, struct insp_type *ret,
               uint64_t *start) INSP_WARN_UNUSED;
int host_local(insp_session *s, int64_t lwp, uint32_t frame, uint32_t index,
               struct insp_local *ret) INSP_WARN_UNUSED;
int host_system_call(insp_session *s, int64_t lwp, struct insp_system_call *ret) INSP_WARN_UNUSED;
int host_kernel(insp_session *s, int64_t lwp, struct insp_kernel *ret) INSP_WARN_UNUSED;
int host_descriptor(insp_session *s, int32_t fd, const char **ret) INSP_WARN_UNUSED;
/** A host without it cannot know: negative. */
int host_task(insp_session *s, int64_t tid, int64_t *pid, int32_t *parent) INSP_WARN_UNUSED;
/** A host without it does not know: negative. */
int host_environment(insp_session *s, uint32_t index, const char **ret) INSP_WARN_UNUSED;
int host_registers(insp_session *s, int64_t lwp, uint64_t reg[27], uint64_t *known) INSP_WARN_UNUSED;
int host_frame_registers(insp_session *s, int64_t lwp, uint32_t index,
                         struct insp_frame_registers *ret) INSP_WARN_UNUSED;
/** A host without it does not know: 1. */
int host_identity(insp_session *s, const char **boot_id, uint64_t *start, int64_t *taken) INSP_WARN_UNUSED;
/** A host without it does not know: 1. */
int host_origin(insp_session *s, int32_t *forked, int64_t *parent) INSP_WARN_UNUSED;
int host_own_line(insp_session *s, uint64_t start, uint64_t addr, const char *in, const char **file,
                  int32_t *line) INSP_WARN_UNUSED;
int host_mapping(insp_session *s, uint64_t addr, struct insp_mapping *ret) INSP_WARN_UNUSED;
int host_signal(insp_session *s, struct insp_signal *ret) INSP_WARN_UNUSED;
int host_allowed(insp_session *s, int64_t lwp, const char **ret) INSP_WARN_UNUSED;
/** Sets the reads and bytes of s->stats to those since the session began, or since they were reset. */
void host_count_reads(insp_session *s);
/** Non-zero: the user wants to stop. */
int host_progress(insp_session *s, const char *what, uint64_t done, uint64_t total) INSP_WARN_UNUSED;
void host_print(insp_session *s, const char *text);

/** Reads a NUL-terminated string of at most MAX bytes (NUL included) in pieces that do not cross a page
 *  needlessly. */
int host_read_string(insp_session *s, uint64_t addr, char *buf, size_t max) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
