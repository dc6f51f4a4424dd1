// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// libcurl, loaded when something on a network is first asked for: with it come 28 libraries, 4 ms and 5.6 MB, which
// whoever plays files does not pay. Each function is libcurl's of the name behind `attacca_`; only behind a true
// answer of `attacca_curl_load` may another one be called. Options and information have functions for each type, as
// Swift calls none of a variable number of arguments.

/// Whether libcurl is there; loads it the first time. Any thread.
bool attacca_curl_load(void);

CURLcode attacca_curl_global_init(long flags);

CURL *attacca_curl_easy_init(void);
void attacca_curl_easy_cleanup(CURL *easy);
CURLcode attacca_curl_easy_pause(CURL *easy, int bits);
const char *attacca_curl_easy_strerror(CURLcode code);
CURLcode attacca_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode attacca_curl_set_pointer(CURL *easy, CURLoption option, const void *value);
typedef size_t (*attacca_curl_sink)(char *bytes, size_t size, size_t count, void *context);
CURLcode attacca_curl_set_sink(CURL *easy, CURLoption option, attacca_curl_sink sink);
CURLcode attacca_curl_get_string(CURL *easy, CURLINFO info, char **value);

CURLM *attacca_curl_multi_init(void);
CURLMcode attacca_curl_multi_cleanup(CURLM *multi);
CURLMcode attacca_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode attacca_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode attacca_curl_multi_perform(CURLM *multi, int *running);
CURLMcode attacca_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *extra, unsigned int count, int milliseconds, int *ready);
CURLMcode attacca_curl_multi_wakeup(CURLM *multi);
CURLMsg *attacca_curl_multi_info_read(CURLM *multi, int *left);

struct curl_slist *attacca_curl_slist_append(struct curl_slist *list, const char *text);
void attacca_curl_slist_free_all(struct curl_slist *list);

CURLU *attacca_curl_url(void);
void attacca_curl_url_cleanup(CURLU *url);
CURLUcode attacca_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
CURLUcode attacca_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
void attacca_curl_free(void *memory);
