// SPDX-License-Identifier: Apache-2.0

#include "faults.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char full[PATH_MAX];
static int64_t room;

void full_disk_set(const char *folder, int64_t bytes) {
  pthread_mutex_lock(&lock);
  snprintf(full, sizeof full, "%s", folder ? folder : "");
  room = bytes;
  pthread_mutex_unlock(&lock);
}

static int has_room(int file, size_t count) {
  char link[64], path[PATH_MAX] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  pthread_mutex_lock(&lock);
  int is_there = 1;
  if (*full && readlink(link, path, sizeof path - 1) > 0 && !strncmp(path, full, strlen(full))) {
    is_there = (int64_t)count <= room;
    if (is_there) room -= count;
  }
  pthread_mutex_unlock(&lock);
  return is_there;
}

// What is loaded is written by this alone. The program's own comes before the C library's.
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  if (!has_room(file, count)) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, file, bytes, count, offset);
}
