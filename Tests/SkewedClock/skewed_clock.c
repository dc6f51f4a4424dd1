// SPDX-License-Identifier: Apache-2.0

// Preloaded into a sound server, makes its monotonic clock run CLOCK_PPM millionths fast: its null sinks
// then play as a sound card with such a clock does. Timeouts are relative everywhere, to what the server
// calculates with this clock: they stay as they are.

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t ppm;

__attribute__((constructor)) static void read_ppm(void) {
  const char *text = getenv("CLOCK_PPM");
  if (text) ppm = atoll(text);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  const int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result || clock != CLOCK_MONOTONIC) return result;
  // Months of nanoseconds times some hundred fit into 64 bits.
  int64_t now = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
  now += now / 1000 * ppm / 1000;
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}
