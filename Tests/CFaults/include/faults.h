// SPDX-License-Identifier: Apache-2.0
// A slow disk, a full one and a server that is far away, for the process that links this.

#ifndef FAULTS_H
#define FAULTS_H

#include <stdint.h>

/// Has `pread` take a second for so many bytes; 0 for as fast as the disk is.
void slow_disk_set_rate(int64_t bytes_a_second);

/// Has whoever calls `pread` wait until that is over.
void slow_disk_stall(int64_t milliseconds);

/// Has `pwrite` to files in `folder` find room for so many bytes and no more; null for a disk that is never full.
void full_disk_set(const char *_Nullable folder, int64_t bytes);

/// An address of a server's, by which what is said takes a while.
struct far_server;

/// Listens at a socket's path for what is handed on to another's; null where that cannot be.
struct far_server *_Nullable far_server_start(const char *_Nonnull path, const char *_Nonnull target);

/// How long what a client says, and what the server says, is under way from now on; in order all the same.
void far_server_set_delay(struct far_server *_Nonnull, int to_server, int from_server);

/// Keeps what the server says behind its first packets, so many to each client, until more are let through; a
/// negative number lets all through.
void far_server_hold_answers(struct far_server *_Nonnull, int most);

/// Ends all connections there are.
void far_server_cut(struct far_server *_Nonnull);

/// How many clients are connected.
int far_server_connections(struct far_server *_Nonnull);

/// Ends it with its connections.
void far_server_stop(struct far_server *_Nonnull);

#endif
