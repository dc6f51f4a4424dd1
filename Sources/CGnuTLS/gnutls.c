// SPDX-License-Identifier: Apache-2.0
#include "CGnuTLS.h"

#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(each) \
  each(gnutls_cipher_init) each(gnutls_cipher_decrypt) each(gnutls_cipher_deinit) \
  each(gnutls_hash_fast) each(gnutls_strerror)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } library;
static bool is_there;

static void load(void) {
  void *handle = dlopen("libgnutls.so.30", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define LOOK_UP(name) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  FUNCTIONS(LOOK_UP)
  is_there = true;
}

bool attacca_gnutls_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

int attacca_gnutls_cipher_init(
    gnutls_cipher_hd_t *handle, gnutls_cipher_algorithm_t cipher, const gnutls_datum_t *key, const gnutls_datum_t *iv) {
  return library.gnutls_cipher_init(handle, cipher, key, iv);
}

int attacca_gnutls_cipher_decrypt(gnutls_cipher_hd_t handle, void *bytes, size_t count) {
  return library.gnutls_cipher_decrypt(handle, bytes, count);
}

void attacca_gnutls_cipher_deinit(gnutls_cipher_hd_t handle) { library.gnutls_cipher_deinit(handle); }

int attacca_gnutls_hash_fast(
    gnutls_digest_algorithm_t algorithm, const void *bytes, size_t count, void *digest) {
  return library.gnutls_hash_fast(algorithm, bytes, count, digest);
}

const char *attacca_gnutls_strerror(int code) { return library.gnutls_strerror(code); }
