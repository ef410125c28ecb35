/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMP_DISPLAY_ENV and KMP_SETTINGS.
 */
#ifndef RT_DISPLAY_ENV_H
#define RT_DISPLAY_ENV_H

/** OMP_DISPLAY_ENV's text on stderr. */
void rt_env_display(int verbose);
/** KMP_SETTINGS's. */
void rt_env_display_settings(void);

#endif
