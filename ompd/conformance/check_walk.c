/* SPDX-License-Identifier: Apache-2.0 */
#include "conf.h"
void check_walk(const char *program){(void)program;}
