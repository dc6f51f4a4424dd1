// SPDX-License-Identifier: Apache-2.0

#include "render_path.h"

#include <stdatomic.h>
#include <stdbool.h>

// The Swift runtime's own hooks, for instruments.
extern void *(*_swift_retain)(void *);
extern void (*_swift_release)(void *);
extern _Atomic(bool) _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly;

static atomic_long references;
static void *(*real_retain)(void *);
static void (*real_release)(void *);

static void *retain(void *object) {
  atomic_fetch_add(&references, 1);
  return real_retain(object);
}

static void release(void *object) {
  atomic_fetch_add(&references, 1);
  real_release(object);
}

void count_references(void) {
  real_retain = _swift_retain;
  real_release = _swift_release;
  _swift_retain = retain;
  _swift_release = release;
  atomic_store(&_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly, true);
}

long references_counted(void) { return atomic_load(&references); }

extern void *swift_retain(void *);
extern void swift_release(void *);

void retain_and_release(void *object) { swift_release(swift_retain(object)); }

// RealtimeSanitizer's: linked whole, as clang does it for C alone.
void __rtsan_ensure_initialized(void);
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

void begin_real_time(void) {
  __rtsan_ensure_initialized();
  __rtsan_realtime_enter();
}

void end_real_time(void) { __rtsan_realtime_exit(); }
