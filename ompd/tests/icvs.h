// SPDX-License-Identifier: Apache-2.0
// What a test asks of control variables, by name.
#ifndef OMPD_TESTS_ICVS_H
#define OMPD_TESTS_ICVS_H

#include <string>
#include <utility>
#include <vector>

#include "ompd/tests/api.h"

struct IcvRow {
    std::string name;
    ompd_icv_id_t id = ompd_icv_undefined;
    ompd_scope_t scope = ompd_scope_t(0);
};

/** All that the library lists. There must be a Tool: names are given back to it. */
std::vector<IcvRow> ListIcvs(ompd_address_space_handle_t *process);
/** The row of a name, id 0 when it is not listed. */
IcvRow FindIcv(ompd_address_space_handle_t *process, const std::string &name);
/** Code and value; the value is -77 when the library left it alone. */
std::pair<ompd_rc_t, ompd_word_t> IcvValue(ompd_address_space_handle_t *process, void *handle,
                                           const std::string &name);
/** The text, or "!" and the code. */
std::string IcvText(ompd_address_space_handle_t *process, void *handle, const std::string &name);

#endif
