// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CDescriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { most = 4 };

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(most * sizeof(int))];
};

ssize_t attacca_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
  union control control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
      .msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int))};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t attacca_receive_descriptors(int socket, void *bytes, size_t count, int descriptors[4]) {
  union control control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes};
  for (int i = 0; i < most; i++) descriptors[i] = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  return received;
}

int attacca_start(
    const char *path, const char *argument, int descriptor, int place, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // Where the descriptor is at its place already, this has it stay open.
  posix_spawn_file_actions_adddup2(&actions, descriptor, place);
  posix_spawn_file_actions_addclosefrom_np(&actions, place + 1);
  // Threads of Dispatch block signals that the program may need.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  char *arguments[] = {(char *)path, (char *)argument, 0};
  int code = posix_spawn(process, path, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return code;
}

int attacca_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int attacca_nameless_file(const char *folder) {
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  // Some file systems know no files without a name.
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/spool-XXXXXX", folder) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0) unlink(path);
  return file;
}

int attacca_punch_hole(int file, off_t offset, off_t count) {
  return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
}

void attacca_copy_attributes(int source, int target) {
    // The kernel's limits of all names, and of a value.
    enum { most = 1 << 16 };
    char *names = malloc(most), *value = malloc(most);
    ssize_t size = names && value ? flistxattr(source, names, most) : 0;
    for (ssize_t place = 0; place < size; place += (ssize_t)strlen(names + place) + 1) {
        ssize_t length = fgetxattr(source, names + place, value, most);
        if (length >= 0) fsetxattr(target, names + place, value, (size_t)length, 0);
    }
    free(names);
    free(value);
}
