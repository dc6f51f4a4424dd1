// SPDX-License-Identifier: Apache-2.0

#include "allocation_counter.h"

#include <stddef.h>

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

long allocations_on_this_thread(void) { return -1; }

#else

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static _Thread_local long count;

long allocations_on_this_thread(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

// Releasing on the render path is as bad as allocating there.
void free(void *memory) {
  count++;
  __libc_free(memory);
}

#endif
