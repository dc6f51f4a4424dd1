// SPDX-License-Identifier: Apache-2.0
#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>

#define FIELD(result, name, parameters, arguments) __typeof__(&name) name;
static struct { ATTACCA_SQLITE_FUNCTIONS(FIELD) } library;
static bool is_there;

static void load(void) {
  void *handle = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define LOOK_UP(result, name, parameters, arguments) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  ATTACCA_SQLITE_FUNCTIONS(LOOK_UP)
  is_there = true;
}

bool attacca_sqlite_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

#define CALL(result, name, parameters, arguments) \
  result attacca_##name parameters { return library.name arguments; }
ATTACCA_SQLITE_FUNCTIONS(CALL)
