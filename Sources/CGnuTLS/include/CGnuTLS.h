// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>

// GnuTLS, looked up when something encrypted or kept is first met: Debian's libcurl has loaded it by then, for TLS. Each function
// is GnuTLS's of the name behind `attacca_`; only behind a true answer of `attacca_gnutls_load` may another one be called.

/// Whether GnuTLS is there; loads it the first time. Any thread.
bool attacca_gnutls_load(void);

int attacca_gnutls_cipher_init(
    gnutls_cipher_hd_t *handle, gnutls_cipher_algorithm_t cipher, const gnutls_datum_t *key, const gnutls_datum_t *iv);
int attacca_gnutls_cipher_decrypt(gnutls_cipher_hd_t handle, void *bytes, size_t count);
void attacca_gnutls_cipher_deinit(gnutls_cipher_hd_t handle);
int attacca_gnutls_hash_fast(
    gnutls_digest_algorithm_t algorithm, const void *bytes, size_t count, void *digest);
const char *attacca_gnutls_strerror(int code);
