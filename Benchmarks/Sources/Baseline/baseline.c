// SPDX-License-Identifier: MIT
//
// The floor: a C program on the same libcurl, with its multi interface, that does what a client must:
// each request has its URL and header fields set, each body is collected, and no more.
//
//     baseline [-f] [-m connections] <url> <requests> <concurrency> [PEM file to trust]
//
// With -f each request has a fresh handle, as ours have up to libcurl 8.1.0; with -m there are at most so many
// connections to a host, as we have 64. Prints seconds and CPU seconds.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *url, *roots;
static struct curl_slist *fields;

struct body {
  char *bytes;
  size_t count;
};

static size_t collect(char *bytes, size_t size, size_t count, void *context) {
  struct body *body = context;
  char *grown = realloc(body->bytes, body->count + size * count);
  if (!grown) return 0;
  memcpy(grown + body->count, bytes, size * count);
  body->bytes = grown;
  body->count += size * count;
  return size * count;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static CURL *handle(void) {
  CURL *easy = curl_easy_init();
  struct body *body = calloc(1, sizeof *body);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
  if (roots) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, roots);
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  }
  return easy;
}

static void start(CURLM *multi, CURL *easy) {
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
  curl_multi_add_handle(multi, easy);
}

// Sends so many requests with so many at once, and returns when all are answered.
static void send_all(CURLM *multi, long requests, long width, int is_fresh) {
  long started = 0, ended = 0;
  for (; started < width && started < requests; started++) start(multi, handle());
  while (ended < requests) {
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) {
        fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
        exit(1);
      }
      CURL *easy = message->easy_handle;
      struct body *body;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
      free(body->bytes);
      *body = (struct body){0};
      ended++;
      curl_multi_remove_handle(multi, easy);
      if (is_fresh || started == requests) {
        free(body);
        curl_easy_cleanup(easy);
        easy = NULL;
      }
      if (started == requests) continue;
      started++;
      start(multi, easy ? easy : handle());
    }
    if (ended < requests) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

int main(int argc, char **argv) {
  int is_fresh = 0, option;
  long connections = 0;
  while ((option = getopt(argc, argv, "fm:")) != -1) {
    if (option == 'f') is_fresh = 1;
    if (option == 'm') connections = atol(optarg);
  }
  if (argc - optind < 3) return 2;
  url = argv[optind];
  roots = argv[optind + 3];
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
  fields = curl_slist_append(NULL, "Accept: application/json");
  // Once unmeasured, as all the others do.
  send_all(multi, 1, 1, is_fresh);
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  send_all(multi, atol(argv[optind + 1]), atol(argv[optind + 2]), is_fresh);
  printf("%.6f %.6f\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  curl_slist_free_all(fields);
  curl_multi_cleanup(multi);
  return 0;
}
