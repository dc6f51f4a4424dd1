// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <sys/types.h>

// What the headers of Linux make of macros and variadic functions, which Swift cannot call.

/// Sends bytes and open descriptors; -1 and `errno` on failure. At most 4 descriptors.
ssize_t attacca_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives bytes and up to 4 descriptors, which close on exec; the rest of `descriptors` is -1.
ssize_t attacca_receive_descriptors(
    int socket, void *bytes, size_t count, int descriptors[4]);

/// Starts the program at `path` with one argument and one descriptor besides the first three, which becomes `place`.
///
/// 0, or an `errno`.
int attacca_start(
    const char *path, const char *argument, int descriptor, int place, pid_t *process);

/// A file in memory that closes on exec; -1 and `errno` on failure.
int attacca_memory_file(const char *name);

/// A file for reading and writing in a folder that has no name there; -1 and `errno` on failure.
int attacca_nameless_file(const char *folder);

/// Gives up what a file holds in a range, which reads as zeros then; -1 and `errno` on failure.
int attacca_punch_hole(int file, off_t offset, off_t count);

/// Gives a file the extended attributes of another one, as far as its file system has them and this user may.
void attacca_copy_attributes(int source, int target);
