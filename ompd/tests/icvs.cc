// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/icvs.h"

#include "ompd/tests/image.h"

std::vector<IcvRow> ListIcvs(ompd_address_space_handle_t *process)
{
    std::vector<IcvRow> rows;
    IcvRow row;
    const char *text;
    for (int more = 1; more;) {
        if (ompd_enumerate_icvs(process, row.id, &row.id, &text, &row.scope, &more) != ompd_rc_ok)
            return {};
        row.name = text;
        ToolFree(text);
        rows.push_back(row);
    }
    return rows;
}

IcvRow FindIcv(ompd_address_space_handle_t *process, const std::string &name)
{
    for (const IcvRow &row : ListIcvs(process))
        if (row.name == name)
            return row;
    return {};
}

std::pair<ompd_rc_t, ompd_word_t> IcvValue(ompd_address_space_handle_t *process, void *handle,
                                           const std::string &name)
{
    IcvRow row = FindIcv(process, name);
    ompd_word_t value = -77;
    ompd_rc_t rc = ompd_get_icv_from_scope(handle, row.scope, row.id, &value);
    return {rc, value};
}

std::string IcvText(ompd_address_space_handle_t *process, void *handle, const std::string &name)
{
    IcvRow row = FindIcv(process, name);
    const char *text = nullptr;
    ompd_rc_t rc = ompd_get_icv_string_from_scope(handle, row.scope, row.id, &text);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return "!" + std::to_string(rc);
    std::string copy = text;
    ToolFree(text);
    return copy;
}
