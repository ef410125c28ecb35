/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The interoperability routines on omp_interop_none (OpenMP 5.2, 18.12).
 */
#include "check.h"

CASE("an empty object has no values")
{
    omp_interop_t none = omp_interop_none;
    omp_interop_rc_t rc = omp_irc_success;
    CHECK(omp_get_num_interop_properties(none) >= 0);
    CHECK(omp_get_interop_int(none, omp_ipr_fr_id, &rc) == 0 && rc != omp_irc_success);
    rc = omp_irc_success;
    CHECK(omp_get_interop_ptr(none, omp_ipr_device, &rc) == NULL && rc != omp_irc_success);
    rc = omp_irc_success;
    CHECK(omp_get_interop_str(none, omp_ipr_vendor_name, &rc) == NULL && rc != omp_irc_success);
}

CASE("the code may be left out")
{
    omp_interop_t none = omp_interop_none;
    CHECK(omp_get_interop_int(none, omp_ipr_device_num, NULL) == 0);
    CHECK(omp_get_interop_ptr(none, omp_ipr_platform, NULL) == NULL);
    CHECK(omp_get_interop_str(none, omp_ipr_fr_name, NULL) == NULL);
}

CASE("a property that does not exist")
{
    omp_interop_t none = omp_interop_none;
    omp_interop_rc_t rc = omp_irc_success;
    omp_get_interop_int(none, (omp_interop_property_t)1000, &rc);
    CHECK(rc != omp_irc_success);
}
