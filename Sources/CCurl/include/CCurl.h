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

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <zlib.h>

// The checks that curl.h wraps around these macros need GCC; without them both compilers agree.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

/// What libcurl calls in the course of a transfer.
struct duet_callbacks {
  size_t (*header)(char *bytes, size_t size, size_t count, void *context);
  size_t (*body)(char *bytes, size_t size, size_t count, void *context);
  size_t (*read)(char *buffer, size_t size, size_t count, void *context);
  int (*seek)(void *context, curl_off_t offset, int origin);
  /// Asked about a connection before a request goes over it, from 7.80 on; 0 lets it.
  int (*connection)(void *context, char *remote, char *local, int remote_port, int local_port);
};

static inline void duet_setopt_callbacks(CURL *easy, struct duet_callbacks callbacks,
                                         void *context) {
  curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, callbacks.read);
  curl_easy_setopt(easy, CURLOPT_READDATA, context);
  curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callbacks.seek);
  curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
#if LIBCURL_VERSION_NUM >= 0x075000
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.connection);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#endif
}

/// Has libcurl's sockets opened and closed by functions of ours.
static inline void duet_setopt_sockets(CURL *easy, curl_opensocket_callback open,
                                       curl_closesocket_callback close, void *context) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

/// Sets the words on an error, at least CURL_ERROR_SIZE bytes, and the header lines.
static inline void duet_setopt_texts(CURL *easy, char *words, struct curl_slist *lines) {
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
}

static inline CURLcode duet_setopt_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode duet_setopt_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/// Sets bytes, which libcurl copies. CURLE_UNKNOWN_OPTION where libcurl is older than the option.
static inline CURLcode duet_setopt_blob(CURL *easy, CURLoption option, const void *bytes,
                                        size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

/// A file that is in memory alone: what the file at a path holds, where there is one, a new line, then
/// the bytes. Its descriptor, or -1 when there is no room.
int duet_memory_file(const char *path, const void *bytes, size_t count);

/// How a request says what follows its head.
enum duet_body {
  /// Nothing.
  DUET_BODY_NONE,
  /// Nothing, and nothing follows the head of the answer either.
  DUET_BODY_HEAD,
  /// So many bytes, or -1: chunks.
  DUET_BODY_SENT
};

/// Sets what differs from one request to the next, whatever the one before it set.
static inline void duet_setopt_request(CURL *easy, const char *url, const char *method,
                                       enum duet_body body, curl_off_t length, int is_secure,
                                       int is_idempotent, long connect_milliseconds) {
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                   (long)(is_secure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  // Better a stream of a connection that is being made than a connection of its own.
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, (long)is_secure);
  // Older ones repeat a request without a body on a reused connection that drops, and don't ask first.
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT,
                   (long)(LIBCURL_VERSION_NUM < 0x075000 && !is_idempotent && length == 0));
  // GET takes back what the other methods set.
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, body == DUET_BODY_HEAD ? NULL : method);
  // As a custom method, HEAD would wait for a body.
  if (body == DUET_BODY_HEAD) curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  if (body == DUET_BODY_SENT) {
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, length);
  }
}

/// Sets what every transfer has in common.
static inline void duet_setopt_defaults(CURL *easy) {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // By default 16 KiB: a large body then takes four times as many hand-overs to its reader.
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  // A transfer can be dropped without waiting for its name to resolve.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  // The URL goes out as given, and what a proxy says is no part of the answer.
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // We undo content codings: libcurl takes a cut one for a whole one.
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  // Sent unless the request has a field of that name.
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "Duet");
}

/// What libcurl knows about a transfer. Times in microseconds from its start, 0 where not reached.
struct duet_info {
  long http_version, new_connections, request_bytes;
  curl_off_t name_lookup, connect, secure_connect, first_byte, total;
};

static inline struct duet_info duet_getinfo(CURL *easy) {
  struct duet_info info = {0};
  long tunnel_status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &info.http_version);
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &info.new_connections);
  curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &info.request_bytes);
  curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &info.name_lookup);
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &info.connect);
  curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &info.secure_connect);
  curl_easy_getinfo(easy, CURLINFO_STARTTRANSFER_TIME_T, &info.first_byte);
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &info.total);
  // A tunnel counts as sent, though the proxy alone has seen it: until TLS is agreed on, that was all.
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &tunnel_status);
  if (tunnel_status != 0 && info.secure_connect == 0) info.request_bytes = 0;
  return info;
}

/// What libcurl does unless it is given a function. No child process takes the socket along.
static inline curl_socket_t duet_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// How many bytes of a connection that is about to be used OpenSSL has decrypted and nobody read; 0 with
/// another TLS library.
int duet_tls_pending(CURL *easy);

/// Keeps this thread from ending the process when it writes to a connection that the server has closed:
/// before 7.87, libcurl's TLS does so in the ordinary way.
void duet_block_sigpipe(void);

/// Whether a handle may be used for one transfer after another. Up to 8.1.0, libcurl keeps a pointer to a
/// header field of the one before, which is gone: a server whose head starts with a folded line could end
/// the process by it.
bool duet_keeps_handles(void);

/// A number that no other transfer of the process has.
uint64_t duet_next_id(void);

/// The local port of an open socket, -1 when there is none.
static inline int duet_local_port(curl_socket_t socket) {
  // The port is at the same place in both families; the larger one has room for both.
  struct sockaddr_in6 address = {0};
  socklen_t length = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return -1;
  return ntohs(address.sin6_port);
}

static inline CURLM *duet_multi_init(long connections_per_host, long connections_in_all) {
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections_per_host);
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections_in_all);
  // By default four times the requests under way: after a burst, the next one would connect anew.
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections_in_all);
  return multi;
}

/// Waits for libcurl's sockets and for an event, which it takes back to zero.
static inline void duet_multi_wait(CURLM *multi, int event, int milliseconds) {
  struct curl_waitfd also = {.fd = event, .events = CURL_WAIT_POLLIN};
  eventfd_t count;
  curl_multi_poll(multi, &also, 1, milliseconds, NULL);
  if (also.revents) eventfd_read(event, &count);
}

/// The context of the next transfer that ended, with its result, or NULL.
static inline void *duet_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    void *context = NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return context;
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
