// SPDX-License-Identifier: Apache-2.0

// A disk that takes 5 ms for a request and reads 20 MB/s, preloaded: one request at a time waits, as on
// a disk, whichever thread it is of. DISK_MS and DISK_MBPS set others.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;

static double number(const char *name, double usual) {
  const char *text = getenv(name);
  return text ? atof(text) : usual;
}

static ssize_t wait_for(ssize_t count) {
  double bytes = count > 0 ? (double)count : 0;
  double seconds = number("DISK_MS", 5) / 1e3 + bytes / (number("DISK_MBPS", 20) * 1e6);
  struct timespec delay = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
  pthread_mutex_lock(&disk);
  nanosleep(&delay, NULL);
  pthread_mutex_unlock(&disk);
  return count;
}

ssize_t pread(int file, void *buffer, size_t size, off_t offset) {
  ssize_t (*next)(int, void *, size_t, off_t) =
      (ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  return wait_for(next(file, buffer, size, offset));
}

ssize_t pread64(int file, void *buffer, size_t size, off64_t offset) {
  ssize_t (*next)(int, void *, size_t, off64_t) =
      (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
  return wait_for(next(file, buffer, size, offset));
}
