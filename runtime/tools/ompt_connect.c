/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomptarget's events. It reports what devices do to the tool itself, and has from the runtime what only
 * the runtime knows: the tool's callbacks, and the data words of tasks.
 *
 * It looks up ompt_libomp_connect in dlopen("libomp.so") as it is initialised, so the tool is looked for
 * then. The interface is LLVM's own: its structure is that of ompt_start_tool.
 */
#include <string.h>

#include "../core/attach.h"
#include "../core/event.h"
#include "../core/task.h"
#include "ompt.h"
#include "ompt_tool.h"

static ompt_data_t *data_of(struct rt_task *task)
{
    rt_store(task->stamp, 0); /* the tool may store there */
    return (ompt_data_t *)(void *)&task->icvs.tool_data;
}

/** Of the task that has met the construct. */
static ompt_data_t *get_task_data(void)
{
    struct rt_task *task = rt_load(rt_me()->cur_task);
    return data_of(task->flags & RT_TASK_TARGET ? task->parent : task);
}

/** Of the construct's target task; NULL if that is merged into the task that has met the construct. */
static ompt_data_t *get_target_task_data(void)
{
    struct rt_task *task = rt_load(rt_me()->cur_task);
    return task->flags & RT_TASK_TARGET ? data_of(task) : NULL;
}

/** LLVM 16 asks for each callback by its name, later ones for ompt_get_callback. */
static const struct {
    const char *name;
    ompt_callbacks_t event;
} events[] = {
#define EVENT(name)                                  \
    {                                                \
        "ompt_callback_" #name, ompt_callback_##name \
    }
    EVENT(device_initialize),
    EVENT(device_finalize),
    EVENT(device_load),
    EVENT(device_unload),
    EVENT(target),
    EVENT(target_data_op),
    EVENT(target_submit),
    EVENT(target_map),
    EVENT(target_emi),
    EVENT(target_data_op_emi),
    EVENT(target_submit_emi),
    EVENT(target_map_emi),
};

static ompt_interface_fn_t lookup(const char *name)
{
    if (strcmp(name, "ompt_get_task_data") == 0)
        return (ompt_interface_fn_t)get_task_data;
    if (strcmp(name, "ompt_get_target_task_data") == 0)
        return (ompt_interface_fn_t)get_target_task_data;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strcmp(name, events[i].name) == 0)
            return (ompt_interface_fn_t)rt_acquire(ompt_callbacks[events[i].event]);
    return ompt_lookup(name);
}

RT_EXPORT void ompt_libomp_connect(ompt_start_tool_result_t *libomptarget)
{
    (void)rt_me();
    if (libomptarget == NULL || !rt_tools_active())
        return;
    ompt_tool_connect(libomptarget);
    libomptarget->initialize(lookup, 0, NULL);
}
