// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ebur128.h>
#include <stdbool.h>

// libebur128, looked up when loudness is first measured. Each function is libebur128's of the name behind `attacca_`;
// only behind a true answer of `attacca_ebur128_load` may another one be called.

/// Whether libebur128 is there; loads it the first time. Any thread.
bool attacca_ebur128_load(void);

ebur128_state *attacca_ebur128_init(unsigned channels, unsigned long rate, int mode);
void attacca_ebur128_destroy(ebur128_state **state);
int attacca_ebur128_set_channel(ebur128_state *state, unsigned channel, int place);
int attacca_ebur128_change_parameters(ebur128_state *state, unsigned channels, unsigned long rate);
int attacca_ebur128_add_frames_float(ebur128_state *state, const float *samples, size_t frames);
int attacca_ebur128_loudness_global_multiple(ebur128_state **states, size_t count, double *loudness);
int attacca_ebur128_loudness_range_multiple(ebur128_state **states, size_t count, double *range);
int attacca_ebur128_true_peak(ebur128_state *state, unsigned channel, double *peak);
