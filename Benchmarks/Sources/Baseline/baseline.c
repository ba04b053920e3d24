// SPDX-License-Identifier: MIT
//
// The floor: a C program on the same libcurl, with its multi interface, that does what a client must:
// each request has its URL and header fields set, each body is collected, and no more.
//
//     baseline <url> <requests> <concurrency> [PEM file to trust]
//
// Prints seconds and CPU seconds.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long requests = atol(argv[2]), width = atol(argv[3]), started = 0, ended = 0;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  struct curl_slist *fields = curl_slist_append(NULL, "Accept: application/json");
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (; started < width && started < requests; started++) {
    CURL *easy = curl_easy_init();
    struct body *body = calloc(1, sizeof *body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    if (argc > 4) {
      curl_easy_setopt(easy, CURLOPT_CAINFO, argv[4]);
      curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    curl_multi_add_handle(multi, easy);
  }
  while (ended < requests) {
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) {
        fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
        return 1;
      }
      CURL *easy = message->easy_handle;
      struct body *body;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
      free(body->bytes);
      *body = (struct body){0};
      ended++;
      curl_multi_remove_handle(multi, easy);
      if (started < requests) {
        started++;
        curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
        curl_multi_add_handle(multi, easy);
      } else {
        free(body);
        curl_easy_cleanup(easy);
      }
    }
    if (ended < requests) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%.4f %.4f\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  curl_slist_free_all(fields);
  curl_multi_cleanup(multi);
  return 0;
}
