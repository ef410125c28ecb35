/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of libomp and libgomp.
 */
#ifndef RT_ENV_KMP_H
#define RT_ENV_KMP_H

#include "env_setting.h"

/** rt_root.spin from what is set for waiting. */
void rt_env_spin(void);

extern const struct rt_setting rt_settings_kmp[]; /**< ends with a name of NULL */

#endif
