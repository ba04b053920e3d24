// SPDX-License-Identifier: MIT
//
// libcurl's and zlib's macros and variadic functions as functions that Swift can call.
// Empty outside Linux, where URLSession is the transport. libcurl 7.76 and up builds; what a
// version lacks answers CURLE_UNKNOWN_OPTION when it is asked for.

#ifndef DUET_CCURL_H
#define DUET_CCURL_H

#if defined(__linux__)

#if !__has_include(<curl/curl.h>)
#error "Duet needs libcurl's headers: apt-get install libcurl4-openssl-dev (Debian, Ubuntu) or dnf install libcurl-devel (Fedora, RHEL)"
#elif !__has_include(<zlib.h>)
#error "Duet needs zlib's headers: apt-get install zlib1g-dev (Debian, Ubuntu) or dnf install zlib-devel (Fedora, RHEL)"
#else

#include <curl/curl.h>
#include <zlib.h>

// The checks that curl.h wraps around these macros need GCC; without them both compilers agree.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

typedef size_t (*duet_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*duet_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*duet_prerequest_callback)(void *context, char *remote, char *local, int remote_port,
                                        int local_port);

static inline CURLcode duet_setopt_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode duet_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode duet_setopt_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode duet_setopt_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// Sets bytes, which libcurl copies. CURLE_UNKNOWN_OPTION where libcurl is older than the option.
static inline CURLcode duet_setopt_blob(CURL *easy, CURLoption option, const void *bytes,
                                        size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

/// CURLOPT_CAINFO_BLOB, which libcurl has from 7.77 on; below it, an option that no version knows.
static inline CURLoption duet_cainfo_blob(void) {
#if LIBCURL_VERSION_NUM >= 0x074d00
  return CURLOPT_CAINFO_BLOB;
#else
  return (CURLoption)(CURLOPTTYPE_BLOB + 9999);
#endif
}

static inline CURLcode duet_setopt_data_callback(CURL *easy, CURLoption option,
                                                 duet_data_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode duet_setopt_seek_callback(CURL *easy, duet_seek_callback value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

/// Sets what is asked about a connection before a request goes over it; 0 lets it.
static inline CURLcode duet_setopt_prerequest_callback(CURL *easy, duet_prerequest_callback value,
                                                       void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
#else
  (void)easy, (void)value, (void)context;
  return CURLE_UNKNOWN_OPTION;
#endif
}

/// Allows http and https, nothing else.
static inline CURLcode duet_setopt_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a transfer be dropped without waiting for its name to resolve.
static inline CURLcode duet_setopt_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_UNKNOWN_OPTION;
#endif
}

static inline CURLcode duet_getinfo_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode duet_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode duet_getinfo_socket(CURL *easy, curl_socket_t *value) {
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode duet_getinfo_private(CURL *easy, void **value) {
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, value);
}

static inline CURLMcode duet_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// The handle of the next transfer that ended, with its result, or NULL.
static inline CURL *duet_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

/// The CA file that libcurl was built with, or NULL.
static inline const char *duet_default_ca_file(void) {
  return curl_version_info(CURLVERSION_NOW)->cainfo;
}

static inline CURLcode duet_global_init(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline int duet_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
#endif
#endif
