// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>

/// Bytes that the program has allocated and not freed, in all of malloc's arenas.
static inline size_t heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
