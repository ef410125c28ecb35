/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Versions of the library and of the runtime. OpenMP 6.0 sections 41.1 and 41.3.
 */
#include "api/api.h"

static const char version_string[] =
    "libompd 1.0.0 of the OMPD project: OMPD 5.0 to 6.0, layout format 1, with ompdx";

ompd_rc_t ompd_get_api_version(ompd_word_t *version)
{
    TRACED(ompd_get_api_version(version), ARG(OUT_WORD, version));
    API_TRY(api_output(version));
    *version = OMPD_VERSION_60;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_version_string(const char **string)
{
    TRACED(ompd_get_version_string(string), ARG(OUT_STRING, string));
    API_TRY(api_output(string));
    *string = version_string;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space, ompd_word_t *omp_version)
{
    TRACED(ompd_get_omp_version(address_space, omp_version), ARG(POINTER, address_space),
           ARG(OUT_WORD, omp_version));
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(address_space, &aspace));
    API_TRY(api_output(omp_version));
    return api_code(aspace->rt->omp_version(aspace, omp_version));
}

ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space, const char **string)
{
    TRACED(ompd_get_omp_version_string(address_space, string), ARG(POINTER, address_space),
           ARG(OUT_STRING, string));
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(address_space, &aspace));
    API_TRY(api_output(string));
    return api_code(aspace->rt->version_string(aspace, string));
}
