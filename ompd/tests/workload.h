// SPDX-License-Identifier: Apache-2.0
// A tool that asks everything about a process and gives everything back.
#ifndef OMPD_TESTS_WORKLOAD_H
#define OMPD_TESTS_WORKLOAD_H

#include <map>
#include <string>

#include "ompd/tests/image.h"

struct Outcome {
    std::map<std::string, std::map<int, int>> codes; // function -> code -> times
    int calls = 0;
};

/** Asks all of IMAGE through API (initialised), in a bracket or not. Bounded whatever the target says. */
Outcome AskEverything(const Api &api, Image &image, bool bracket);

/** What the `ompd threads` command asks; needs a bracket for its price. */
void AskThreads(const Api &api, ompd_address_space_handle_t *process);

#endif
