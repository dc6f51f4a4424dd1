// SPDX-License-Identifier: Apache-2.0

#include "faults.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t rate;
static _Atomic int64_t stalled_until;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void wait_until(int64_t end) {
  const struct timespec time = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

void slow_disk_set_rate(int64_t bytes_a_second) { atomic_store(&rate, bytes_a_second); }

void slow_disk_stall(int64_t milliseconds) { atomic_store(&stalled_until, now() + milliseconds * 1000000); }

// Sound files are read by this alone. The program's own comes before the C library's.
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  const int64_t begin = now();
  const int64_t stalled = atomic_load(&stalled_until), speed = atomic_load(&rate);
  if (stalled > begin) wait_until(stalled);
  const ssize_t read = syscall(SYS_pread64, file, bytes, count, offset);
  if (speed > 0 && read > 0) {
    const int error = errno;
    wait_until(now() + read * 1000000000 / speed);
    errno = error;
  }
  return read;
}
