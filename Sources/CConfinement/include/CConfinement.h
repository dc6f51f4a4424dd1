// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// `fork`, which Swift does not import; for a process of one thread.
pid_t attacca_fork(void);

/// Closes every descriptor from `first` on but `kept` ones, which have become the numbers from `first` on.
void attacca_keep_descriptors(const int *kept, int count, int first);

/// Takes from this process what a decoder does not need: files, programs, the network, memory above `memory` bytes.
///
/// Of the system calls those are left that read, write and allocate; others fail with EPERM. 0, or 1 where the
/// kernel has no filter of system calls: the limits hold then, alone.
int attacca_confine(uint64_t memory);

/// Ends this process by SIGPROF after so many seconds of processor time; 0 takes the limit back.
void attacca_limit_work(int seconds);
