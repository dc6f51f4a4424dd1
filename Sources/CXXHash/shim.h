// SPDX-License-Identifier: Apache-2.0
// The header has the functions themselves: nothing is linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

// `XXH3_128bits`, which is a macro here.
static inline XXH128_hash_t attacca_xxh3_128bits(const void *bytes, size_t count) {
  return XXH3_128bits(bytes, count);
}
