// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Begins to count what any thread allocates, from nothing; or ends it.
void count_allocations(bool counts);

/// Places that allocated, each a stack of its own; read when nothing is counted any more.
size_t allocation_sites(void);
/// How often the place allocated.
unsigned long allocations_at(size_t site);
/// How many callers of it are known; the first is who called malloc.
size_t callers_at(size_t site);
/// An address in a caller.
void *caller_at(size_t site, size_t number);
/// Allocations that there was no room to note.
unsigned long allocations_missed(void);

/// The symbol of the function at `address`, with those that are not exported, for the program
/// itself; NULL where there is none.
const char *function_at(void *address);
/// The file that `address` was loaded from; NULL where there is none.
const char *image_at(void *address);
/// Whether it is the program itself.
bool is_program(void *address);
/// A Swift symbol in words, to be freed; NULL for any other.
char *readable_name(const char *symbol);
