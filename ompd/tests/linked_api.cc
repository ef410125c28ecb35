// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/api.h"

Api LinkedApi()
{
    Api api = {
#define X(name) ::name,
#include "ompd/tests/api_list.def"
#undef X
    };
    return api;
}
