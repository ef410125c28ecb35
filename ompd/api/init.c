/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The library itself. OpenMP 6.0 section 41.1.
 */
#include "api/api.h"
#include "providers/row_add.h"

ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks)
{
    TRACED(ompd_initialize(api_version, callbacks), ARG(NUMBER, api_version), ARG(POINTER, callbacks));
    if (callbacks == NULL || callbacks->alloc_memory == NULL || callbacks->free_memory == NULL ||
        callbacks->sizeof_type == NULL || callbacks->symbol_addr_lookup == NULL ||
        callbacks->read_memory == NULL || callbacks->device_to_host == NULL)
        return ompd_rc_bad_input;
    if (api_version != OMPD_VERSION_50 && api_version != OMPD_VERSION_51 && api_version != OMPD_VERSION_52 &&
        api_version != OMPD_VERSION_60)
        return ompd_rc_unsupported;
    /* Two tools in one debugger would share the one callback table: the first one keeps it. */
    if (tgt_lib.ready)
        return ompd_rc_error;
    tgt_lib = (struct tgt_library){
        .ready = true, .session = tgt_lib.session + 1, .version = api_version, .cb = *callbacks};
    return ompd_rc_ok;
}

ompd_rc_t ompd_finalize(void)
{
    TRACED(ompd_finalize(), NO_ARG);
    if (!tgt_lib.ready)
        return ompd_rc_unsupported;
    row_forget();
    kept_free_all();
    tgt_lib.ready = false;
    return ompd_rc_ok;
}
