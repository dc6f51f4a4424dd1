// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>

// Variadic functions, which Swift cannot call.

static inline CURLcode attacca_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode attacca_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*attacca_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode attacca_curl_set_sink(CURL *easy, CURLoption option, attacca_curl_sink sink) {
  return curl_easy_setopt(easy, option, sink);
}

static inline CURLcode attacca_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode attacca_curl_get_string(CURL *easy, CURLINFO info, char **value) {
  return curl_easy_getinfo(easy, info, value);
}
