// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Counts what the Swift runtime retains and releases from now on, on any thread.
void count_references(void);
/// Retains and releases so far.
long references_counted(void);
/// What the optimiser would leave out in Swift.
void retain_and_release(void *object);

/// From here on RealtimeSanitizer ends the process at a call that may wait: an allocation, a lock, a
/// system call.
void begin_real_time(void);
void end_real_time(void);
