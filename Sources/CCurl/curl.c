// SPDX-License-Identifier: Apache-2.0
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(each) \
  each(curl_global_init) each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_pause) \
  each(curl_easy_strerror) each(curl_easy_setopt) each(curl_easy_getinfo) each(curl_multi_init) \
  each(curl_multi_cleanup) each(curl_multi_add_handle) each(curl_multi_remove_handle) \
  each(curl_multi_perform) each(curl_multi_poll) each(curl_multi_wakeup) each(curl_multi_info_read) \
  each(curl_slist_append) each(curl_slist_free_all) each(curl_url) each(curl_url_cleanup) \
  each(curl_url_get) each(curl_url_set) each(curl_free)

#define FIELD(name) __typeof__(&name) name;
static struct { FUNCTIONS(FIELD) } library;
static bool is_there;

static void load(void) {
  // Debian's first, which is built with GnuTLS: it is the one that the build takes its header from.
  void *handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define LOOK_UP(name) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  FUNCTIONS(LOOK_UP)
  is_there = true;
}

bool attacca_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

CURLcode attacca_curl_global_init(long flags) { return library.curl_global_init(flags); }

CURL *attacca_curl_easy_init(void) { return library.curl_easy_init(); }
void attacca_curl_easy_cleanup(CURL *easy) { library.curl_easy_cleanup(easy); }
CURLcode attacca_curl_easy_pause(CURL *easy, int bits) { return library.curl_easy_pause(easy, bits); }
const char *attacca_curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

CURLcode attacca_curl_set_long(CURL *easy, CURLoption option, long value) {
  return library.curl_easy_setopt(easy, option, value);
}

CURLcode attacca_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return library.curl_easy_setopt(easy, option, value);
}

CURLcode attacca_curl_set_sink(CURL *easy, CURLoption option, attacca_curl_sink sink) {
  return library.curl_easy_setopt(easy, option, sink);
}

CURLcode attacca_curl_get_string(CURL *easy, CURLINFO info, char **value) {
  return library.curl_easy_getinfo(easy, info, value);
}

CURLM *attacca_curl_multi_init(void) { return library.curl_multi_init(); }
CURLMcode attacca_curl_multi_cleanup(CURLM *multi) { return library.curl_multi_cleanup(multi); }

CURLMcode attacca_curl_multi_add_handle(CURLM *multi, CURL *easy) {
  return library.curl_multi_add_handle(multi, easy);
}

CURLMcode attacca_curl_multi_remove_handle(CURLM *multi, CURL *easy) {
  return library.curl_multi_remove_handle(multi, easy);
}

CURLMcode attacca_curl_multi_perform(CURLM *multi, int *running) {
  return library.curl_multi_perform(multi, running);
}

CURLMcode attacca_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *extra, unsigned int count, int milliseconds, int *ready) {
  return library.curl_multi_poll(multi, extra, count, milliseconds, ready);
}

CURLMcode attacca_curl_multi_wakeup(CURLM *multi) { return library.curl_multi_wakeup(multi); }

CURLMsg *attacca_curl_multi_info_read(CURLM *multi, int *left) {
  return library.curl_multi_info_read(multi, left);
}

struct curl_slist *attacca_curl_slist_append(struct curl_slist *list, const char *text) {
  return library.curl_slist_append(list, text);
}

void attacca_curl_slist_free_all(struct curl_slist *list) { library.curl_slist_free_all(list); }

CURLU *attacca_curl_url(void) { return library.curl_url(); }
void attacca_curl_url_cleanup(CURLU *url) { library.curl_url_cleanup(url); }

CURLUcode attacca_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return library.curl_url_get(url, part, text, flags);
}

CURLUcode attacca_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return library.curl_url_set(url, part, text, flags);
}

void attacca_curl_free(void *memory) { library.curl_free(memory); }
