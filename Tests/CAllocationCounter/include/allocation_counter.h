// SPDX-License-Identifier: Apache-2.0

/// Calls of malloc, calloc, realloc and free on this thread so far; -1 where a sanitizer owns them.
long allocations_on_this_thread(void);
