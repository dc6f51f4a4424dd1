// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

/// Notes each hold of one dispatch semaphore from now on, up to `capacity` of them: of the first one
/// that this thread takes.
void watch_holds(size_t capacity);
/// Ends that.
void end_holds(void);
/// Holds that have been noted; asked when none is any more.
size_t hold_count(void);
/// Nanoseconds of the holder's own CPU time.
long hold_processor(size_t number);
/// Nanoseconds on the wall.
long hold_wall(size_t number);
