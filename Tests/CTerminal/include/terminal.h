// SPDX-License-Identifier: Apache-2.0

#include <sys/types.h>

/// Starts a program in a new session whose terminal is a new pseudo-terminal.
///
/// Returns its process, or -1 with errno set; `master` is the other end of its terminal.
pid_t attacca_test_spawn_in_terminal(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    int *master);
