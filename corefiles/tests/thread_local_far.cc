// SPDX-License-Identifier: Apache-2.0
// What thread_local.cc only declares.
int far_away = 77;
thread_local int far_own;
