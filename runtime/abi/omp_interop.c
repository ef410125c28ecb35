/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Interoperability routines (OpenMP 5.2 section 18.12) and clang's interop construct (docs/abi/kmpc.md
 * section 10).
 *
 * libomptarget answers, where it is. Without a device there is no other runtime: the construct waits for its
 * dependences and leaves omp_interop_none, which the specification provides for, and no object has a value.
 */

#include "../core/attach.h"
#include "../core/offload.h"
#include "../core/taskwait.h"
#include "versions.h"

/** omp_interop_property_t -1 .. -9 and omp_interop_rc_t. */
enum { PROPERTY_FIRST = -9, PROPERTY_LAST = -1 };
enum {
    RC_NO_VALUE = 1,
    RC_SUCCESS = 0,
    RC_EMPTY = -1,
    RC_OUT_OF_RANGE = -2,
    RC_TYPE_INT = -3,
    RC_TYPE_PTR = -4,
    RC_TYPE_STR = -5,
    RC_OTHER = -6
};

/** Why there is no value. Nobody makes other objects than omp_interop_none. */
static void no_value(const void *interop, int property, int *rc)
{
    if (rc == NULL)
        return;
    if (interop == NULL)
        *rc = RC_EMPTY;
    else if (property < PROPERTY_FIRST || property > PROPERTY_LAST)
        *rc = RC_OUT_OF_RANGE;
    else
        *rc = RC_OTHER;
}

RT_EXPORT int omp_get_num_interop_properties(const void *interop)
{
    (void)interop;
    return 0;
}
RT_NODE(omp_get_num_interop_properties, "GOMP_5.1.3");

RT_EXPORT intptr_t omp_get_interop_int(const void *interop, int property, int *rc)
{
    RT_FORWARD(omp_get_interop_int, interop, property, rc);
    no_value(interop, property, rc);
    return 0;
}
RT_NODE(omp_get_interop_int, "GOMP_5.1.3");

RT_EXPORT void *omp_get_interop_ptr(const void *interop, int property, int *rc)
{
    RT_FORWARD(omp_get_interop_ptr, interop, property, rc);
    no_value(interop, property, rc);
    return NULL;
}
RT_NODE(omp_get_interop_ptr, "GOMP_5.1.3");

RT_EXPORT const char *omp_get_interop_str(const void *interop, int property, int *rc)
{
    RT_FORWARD(omp_get_interop_str, interop, property, rc);
    no_value(interop, property, rc);
    return NULL;
}
RT_NODE(omp_get_interop_str, "GOMP_5.1.3");

/* The names of table 18.1 hold for every object. */
RT_EXPORT const char *omp_get_interop_name(const void *interop, int property)
{
    RT_FORWARD(omp_get_interop_name, interop, property);
    static const char *const names[] = {"fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
                                        "platform", "device",  "device_context", "targetsync"};
    (void)interop;
    return property < PROPERTY_FIRST || property > PROPERTY_LAST ? NULL : names[-1 - property];
}
RT_NODE(omp_get_interop_name, "GOMP_5.1.3");

/* The type depends on the foreign runtime, and there is none. */
RT_EXPORT const char *omp_get_interop_type_desc(const void *interop, int property)
{
    RT_FORWARD(omp_get_interop_type_desc, interop, property);
    (void)interop;
    (void)property;
    return NULL;
}
RT_NODE(omp_get_interop_type_desc, "GOMP_5.1.3");

RT_EXPORT const char *omp_get_interop_rc_desc(const void *interop, int rc)
{
    (void)interop;
    switch (rc) {
    case RC_NO_VALUE:
        return "the property has no value in this object";
    case RC_SUCCESS:
        return "the value was obtained";
    case RC_EMPTY:
        return "the object is omp_interop_none";
    case RC_OUT_OF_RANGE:
        return "there is no property of that number";
    case RC_TYPE_INT:
        return "the property is an integer";
    case RC_TYPE_PTR:
        return "the property is a pointer";
    case RC_TYPE_STR:
        return "the property is a string";
    case RC_OTHER:
        return "the object is not valid";
    default:
        return NULL;
    }
}
RT_NODE(omp_get_interop_rc_desc, "GOMP_5.1.3");

/* ---- clang's construct --------------------------------------------------------------------------------- */

/* The device has 32 or 64 bits, by clang's release: what the caller has passed is passed on. */

static void wait_for(int n, const struct rt_dep *deps, struct rt_caller caller)
{
    if (n > 0 && deps != NULL)
        rt_deps_wait(rt_me(), deps, n, caller);
}

RT_EXPORT void __tgt_interop_init(const struct rt_loc *loc, int gtid, void **interop, int type,
                                  int64_t device, int n, const struct rt_dep *deps, int nowait)
{
    RT_FORWARD(__tgt_interop_init, loc, gtid, interop, type, device, n, deps, nowait);
    (void)loc, (void)gtid, (void)type, (void)device, (void)nowait;
    wait_for(n, deps, RT_CALLER());
    *interop = NULL;
}

RT_EXPORT void __tgt_interop_use(const struct rt_loc *loc, int gtid, void **interop, int64_t device, int n,
                                 const struct rt_dep *deps, int nowait)
{
    RT_FORWARD(__tgt_interop_use, loc, gtid, interop, device, n, deps, nowait);
    (void)loc, (void)gtid, (void)interop, (void)device, (void)nowait;
    wait_for(n, deps, RT_CALLER());
}

RT_EXPORT void __tgt_interop_destroy(const struct rt_loc *loc, int gtid, void **interop, int64_t device,
                                     int n, const struct rt_dep *deps, int nowait)
{
    RT_FORWARD(__tgt_interop_destroy, loc, gtid, interop, device, n, deps, nowait);
    (void)loc, (void)gtid, (void)device, (void)nowait;
    wait_for(n, deps, RT_CALLER());
    *interop = NULL;
}
