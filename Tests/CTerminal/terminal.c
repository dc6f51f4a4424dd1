// SPDX-License-Identifier: Apache-2.0

#include "terminal.h"

#include <pty.h>
#include <signal.h>
#include <unistd.h>

// In C: Swift has no fork, and between that and exec nothing of Swift's may run.
pid_t attacca_test_spawn_in_terminal(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    int *master) {
  struct winsize size = {.ws_row = 24, .ws_col = 100};
  pid_t child = forkpty(master, NULL, NULL, &size);
  if (child == 0) {
    // Whoever starts the tests in the background has these ignored, and a shell leaves them so.
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    // The threads that tests run on block nearly all of them.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (chdir(folder) == 0) execve(program, arguments, environment);
    _exit(127);
  }
  return child;
}
