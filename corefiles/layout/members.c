/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/members.h"

#define STOCK_STRUCT(id, tag, comment)                             {#tag, NULL, #tag, 0, 0},
#define STOCK_FIELD(id, tag, member, path, bytes, behind, comment) {#tag, path, #tag "." path, bytes, behind},
#define STOCK_VAR(id, name, comment)
#define STOCK_CONST(id, name, comment)
static const struct ly_member gomp[] = {
#include "ompd/providers/gomp.def"
};
static const struct ly_member kmp[] = {
#include "ompd/providers/kmp.def"
};

const struct ly_member *ly_members(bool is_kmp, size_t *count)
{
    *count = is_kmp ? sizeof kmp / sizeof kmp[0] : sizeof gomp / sizeof gomp[0];
    return is_kmp ? kmp : gomp;
}
