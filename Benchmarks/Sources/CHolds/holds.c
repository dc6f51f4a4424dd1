// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE

#include "holds.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// The program's functions are found before libdispatch's, by Swift's overlay too: what is measured
// knows nothing of it.
typedef intptr_t (*waiting)(void *, uint64_t);
typedef intptr_t (*signalling)(void *);

struct times {
  long processor, wall;
};

static _Thread_local bool is_choosing;
static _Atomic(void *) watched;
// Touched by who holds the semaphore, and by the one who watches when no one does.
static struct times begin, *noted;
static size_t used, room;
static bool has_begun;

static long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  static _Atomic(waiting) next;
  waiting function = atomic_load_explicit(&next, memory_order_relaxed);
  if (!function) {
    function = (waiting)dlsym(RTLD_NEXT, "dispatch_semaphore_wait");
    atomic_store_explicit(&next, function, memory_order_relaxed);
  }
  intptr_t result = function(semaphore, timeout);
  if (is_choosing) {
    is_choosing = false;
    atomic_store(&watched, semaphore);
  }
  if (result == 0 && semaphore == atomic_load_explicit(&watched, memory_order_relaxed)) {
    begin.wall = now(CLOCK_MONOTONIC);
    begin.processor = now(CLOCK_THREAD_CPUTIME_ID);
    has_begun = true;
  }
  return result;
}

intptr_t dispatch_semaphore_signal(void *semaphore) {
  static _Atomic(signalling) next;
  signalling function = atomic_load_explicit(&next, memory_order_relaxed);
  if (!function) {
    function = (signalling)dlsym(RTLD_NEXT, "dispatch_semaphore_signal");
    atomic_store_explicit(&next, function, memory_order_relaxed);
  }
  if (semaphore == atomic_load_explicit(&watched, memory_order_relaxed) && has_begun) {
    has_begun = false;
    long processor = now(CLOCK_THREAD_CPUTIME_ID) - begin.processor;
    long wall = now(CLOCK_MONOTONIC) - begin.wall;
    if (used < room) noted[used++] = (struct times){processor, wall};
  }
  return function(semaphore);
}

void watch_holds(size_t capacity) {
  atomic_store(&watched, NULL);
  free(noted);
  noted = malloc(capacity * sizeof *noted);
  used = 0;
  room = noted ? capacity : 0;
  has_begun = false;
  is_choosing = true;
}

void end_holds(void) { atomic_store(&watched, NULL); }

size_t hold_count(void) { return used; }
long hold_processor(size_t number) { return noted[number].processor; }
long hold_wall(size_t number) { return noted[number].wall; }
