/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Plays libomptarget and a device that has finished when it is told so.
 */
#ifndef STANDIN_H
#define STANDIN_H

struct work {
    int finished; /**< the test stores 1 */
    int asked;    /**< queries so far */
    int waited;   /**< its task could not be left: the device was waited for in its code */
};

/** In a target region: starts the work, and leaves it to the runtime where that takes it. */
void standin_start(struct work *work);

#endif
