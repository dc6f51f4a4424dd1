// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 64, CHUNK = 65536, FILES = 16, MOST_QUEUED = 8 << 20, HEADER = 20, SMALL = 256 };

// What was said at one time, with the descriptors that came along: the server's shared memory.
struct chunk {
  struct chunk *next;
  int64_t due;
  size_t count, sent;
  int files[FILES], file_count;
  int ends_packet;
  char bytes[];
};

struct direction {
  // A header, or a small packet, that is not whole yet; and what is read next of a packet, which begins with its
  // length, 0 where a header is. Descriptors come with a packet's first byte, and must not be handed on with those
  // of the one before.
  struct chunk *begun;
  size_t rest;
  struct chunk *first, **last;
  size_t queued;
  int64_t due;
  int packets_said;
};

// ends[0] is the client's, ends[1] the server's; directions[i] is what ends[i] has said.
struct connection {
  int ends[2];
  struct direction directions[2];
};

struct far_server {
  pthread_t thread;
  int listener, wakeup;
  struct sockaddr_un target;
  char path[108];
  _Atomic int delays[2];
  _Atomic int most_answers, is_cut, is_over, count;
  struct connection connections[CONNECTIONS];
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int is_open(const struct connection *connection) { return connection->ends[0] >= 0; }

static void drop(struct chunk *chunk) {
  for (int i = 0; chunk && i < chunk->file_count; i++) close(chunk->files[i]);
  free(chunk);
}

static void drop_first(struct direction *direction) {
  struct chunk *chunk = direction->first;
  direction->queued -= chunk->count;
  direction->first = chunk->next;
  if (!direction->first) direction->last = &direction->first;
  drop(chunk);
}

// Closing alone is no end while a program that another thread begins has a copy of the socket: as long as from
// its fork to its exec a client went on with what it had been told.
static void end(struct connection *connection) {
  for (int i = 0; i < 2; i++) {
    while (connection->directions[i].first) drop_first(&connection->directions[i]);
    drop(connection->directions[i].begun);
    shutdown(connection->ends[i], SHUT_RDWR);
    close(connection->ends[i]);
    connection->ends[i] = -1;
  }
}

static void begin(struct far_server *server) {
  const int client = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0) return;
  // A server that is stopped accepts nobody: whoever comes then is refused, as others must be served.
  const int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct connection *free_one = NULL;
  for (int i = 0; i < CONNECTIONS && !free_one; i++)
    if (!is_open(&server->connections[i])) free_one = &server->connections[i];
  if (!free_one || connect(other, (struct sockaddr *)&server->target, sizeof server->target)) {
    close(client);
    close(other);
    return;
  }
  *free_one = (struct connection){.ends = {client, other}};
  for (int i = 0; i < 2; i++) free_one->directions[i].last = &free_one->directions[i].first;
}

static struct chunk *make_chunk(void) {
  struct chunk *chunk = malloc(sizeof *chunk + CHUNK);
  *chunk = (struct chunk){0};
  return chunk;
}

// False where the connection is over.
static int receive(struct connection *connection, int from, int delay) {
  struct direction *direction = &connection->directions[from];
  const int has_header = direction->begun || !direction->rest;
  struct chunk *chunk = direction->begun ? direction->begun : make_chunk();
  char control[CMSG_SPACE(FILES * sizeof(int))];
  const size_t wanted = direction->rest ? direction->rest : HEADER - chunk->count;
  struct iovec vector = {chunk->bytes + chunk->count, wanted < CHUNK ? wanted : CHUNK};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  const ssize_t count = recvmsg(connection->ends[from], &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) {
    const int goes_on = count < 0 && (errno == EAGAIN || errno == EINTR);
    if (chunk != direction->begun) drop(chunk);
    return goes_on;
  }
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t size = c->cmsg_len - CMSG_LEN(0);
    memcpy(chunk->files, CMSG_DATA(c), size);
    chunk->file_count = size / sizeof(int);
  }
  chunk->count += count;
  if (direction->rest) {
    direction->rest -= count;
  } else if (chunk->count == HEADER) {
    const unsigned char *h = (const unsigned char *)chunk->bytes;
    direction->rest = (size_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
  }
  // Both sides say a small packet at once, and so none ends behind a header: a client that was left there kept the
  // memory that had come along.
  const int is_small = chunk->count + direction->rest <= SMALL;
  const int is_kept = has_header && (chunk->count < HEADER || (is_small && direction->rest));
  direction->begun = is_kept ? chunk : NULL;
  if (is_kept) return 1;
  chunk->ends_packet = direction->rest == 0;
  const int64_t due = now() + delay * (int64_t)1000000;
  direction->due = chunk->due = due > direction->due ? due : direction->due;
  direction->queued += chunk->count;
  *direction->last = chunk;
  direction->last = &chunk->next;
  return 1;
}

// Says the first chunk; false where the connection is over.
static int hand_on(struct connection *connection, int from) {
  struct direction *direction = &connection->directions[from];
  struct chunk *chunk = direction->first;
  char control[CMSG_SPACE(FILES * sizeof(int))] = {0};
  struct iovec vector = {chunk->bytes + chunk->sent, chunk->count - chunk->sent};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (chunk->sent == 0 && chunk->file_count) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(chunk->file_count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(chunk->file_count * sizeof(int));
    memcpy(CMSG_DATA(c), chunk->files, chunk->file_count * sizeof(int));
  }
  const ssize_t count = sendmsg(connection->ends[!from], &message, MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  chunk->sent += count;
  if (chunk->sent < chunk->count) return 1;
  direction->packets_said += chunk->ends_packet;
  drop_first(direction);
  return 1;
}

static void serve(struct far_server *server) {
  struct pollfd polls[2 + 2 * CONNECTIONS];
  polls[0] = (struct pollfd){server->listener, POLLIN, 0};
  polls[1] = (struct pollfd){server->wakeup, POLLIN, 0};
  const int64_t begun = now();
  int64_t next = INT64_MAX;
  for (int i = 0; i < CONNECTIONS; i++) {
    struct connection *connection = &server->connections[i];
    for (int end = 0; end < 2; end++) {
      struct pollfd *poll = &polls[2 + 2 * i + end];
      *poll = (struct pollfd){connection->ends[end], 0, 0};
      if (!is_open(connection)) continue;
      if (connection->directions[end].queued < MOST_QUEUED) poll->events = POLLIN;
      const struct direction *other = &connection->directions[!end];
      const int isHeld = end == 0 && other->packets_said >= atomic_load(&server->most_answers);
      const struct chunk *waiting = isHeld ? NULL : other->first;
      if (waiting && waiting->due <= begun) poll->events |= POLLOUT;
      if (waiting && waiting->due > begun && waiting->due < next) next = waiting->due;
    }
  }
  const int timeout = next == INT64_MAX ? -1 : (int)((next - begun) / 1000000 + 1);
  if (poll(polls, 2 + 2 * CONNECTIONS, timeout) < 0) return;
  uint64_t count;
  if (polls[1].revents) (void)!read(server->wakeup, &count, sizeof count);
  const int isCut = atomic_exchange(&server->is_cut, 0);
  for (int i = 0; i < CONNECTIONS; i++) {
    struct connection *connection = &server->connections[i];
    int goes_on = !isCut;
    for (int e = 0; e < 2 && is_open(connection) && goes_on; e++) {
      const short events = polls[2 + 2 * i + e].revents;
      if (events & (POLLIN | POLLHUP | POLLERR))
        goes_on = receive(connection, e, atomic_load(&server->delays[e]));
      if (goes_on && events & POLLOUT && connection->directions[!e].first) goes_on = hand_on(connection, !e);
    }
    if (is_open(connection) && !goes_on) end(connection);
  }
  if (polls[0].revents) begin(server);
  int open_count = 0;
  for (int i = 0; i < CONNECTIONS; i++) open_count += is_open(&server->connections[i]);
  atomic_store(&server->count, open_count);
}

static void *run(void *argument) {
  struct far_server *server = argument;
  while (!atomic_load(&server->is_over)) serve(server);
  for (int i = 0; i < CONNECTIONS; i++)
    if (is_open(&server->connections[i])) end(&server->connections[i]);
  return NULL;
}

static void wake(struct far_server *server) {
  const uint64_t one = 1;
  (void)!write(server->wakeup, &one, sizeof one);
}

struct far_server *far_server_start(const char *path, const char *target) {
  struct far_server *server = calloc(1, sizeof *server);
  for (int i = 0; i < CONNECTIONS; i++) server->connections[i].ends[0] = server->connections[i].ends[1] = -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  server->target.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  strncpy(server->target.sun_path, target, sizeof address.sun_path - 1);
  strncpy(server->path, path, sizeof server->path - 1);
  server->most_answers = INT_MAX;
  server->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (bind(server->listener, (struct sockaddr *)&address, sizeof address) || listen(server->listener, 16) ||
      pthread_create(&server->thread, NULL, run, server)) {
    close(server->listener);
    close(server->wakeup);
    free(server);
    return NULL;
  }
  return server;
}

void far_server_set_delay(struct far_server *server, int to_server, int from_server) {
  atomic_store(&server->delays[0], to_server);
  atomic_store(&server->delays[1], from_server);
}

void far_server_hold_answers(struct far_server *server, int most) {
  atomic_store(&server->most_answers, most < 0 ? INT_MAX : most);
  wake(server);
}

void far_server_cut(struct far_server *server) {
  atomic_store(&server->is_cut, 1);
  wake(server);
}

int far_server_connections(struct far_server *server) { return atomic_load(&server->count); }

void far_server_stop(struct far_server *server) {
  atomic_store(&server->is_over, 1);
  wake(server);
  pthread_join(server->thread, NULL);
  unlink(server->path);
  close(server->listener);
  close(server->wakeup);
  free(server);
}
