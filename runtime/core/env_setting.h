/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the two lists of variables share.
 */
#ifndef RT_ENV_SETTING_H
#define RT_ENV_SETTING_H

enum {
    RT_SETTING_ALL = 1,  /**< NAME_ALL counts when NAME is not there (OpenMP 5.2 section 21.1) */
    RT_SETTING_FILE = 2, /**< names a file to load or to write: not read when rt_env_secure() */
};
/** A variable and what reads its value. */
struct rt_setting {
    const char *name;
    int is; /**< RT_SETTING_* */
    void (*read)(const char *name, const char *value);
};

#endif
