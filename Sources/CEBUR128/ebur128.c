// SPDX-License-Identifier: Apache-2.0
#include "CEBUR128.h"

#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(each) \
  each(ebur128_init) each(ebur128_destroy) each(ebur128_set_channel) each(ebur128_change_parameters) \
  each(ebur128_add_frames_float) each(ebur128_loudness_global_multiple) each(ebur128_loudness_range_multiple) \
  each(ebur128_true_peak)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } library;
static bool is_there;

static void load(void) {
  void *handle = dlopen("libebur128.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define LOOK_UP(name) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  FUNCTIONS(LOOK_UP)
  is_there = true;
}

bool attacca_ebur128_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

ebur128_state *attacca_ebur128_init(unsigned channels, unsigned long rate, int mode) {
  return library.ebur128_init(channels, rate, mode);
}

void attacca_ebur128_destroy(ebur128_state **state) { library.ebur128_destroy(state); }

int attacca_ebur128_set_channel(ebur128_state *state, unsigned channel, int place) {
  return library.ebur128_set_channel(state, channel, place);
}

int attacca_ebur128_change_parameters(ebur128_state *state, unsigned channels, unsigned long rate) {
  return library.ebur128_change_parameters(state, channels, rate);
}

int attacca_ebur128_add_frames_float(ebur128_state *state, const float *samples, size_t frames) {
  return library.ebur128_add_frames_float(state, samples, frames);
}

int attacca_ebur128_loudness_global_multiple(ebur128_state **states, size_t count, double *loudness) {
  return library.ebur128_loudness_global_multiple(states, count, loudness);
}

int attacca_ebur128_loudness_range_multiple(ebur128_state **states, size_t count, double *range) {
  return library.ebur128_loudness_range_multiple(states, count, range);
}

int attacca_ebur128_true_peak(ebur128_state *state, unsigned channel, double *peak) {
  return library.ebur128_true_peak(state, channel, peak);
}
