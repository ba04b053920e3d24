// SPDX-License-Identifier: MIT
//
// A server that throws away what is uploaded, and answers when it has all of it. nginx answers at once
// where it discards a body, and a client may then stop sending.
//
//     sink
//
// Prints its port, and serves one connection after another, one request on each, until it is ended.

#define _GNU_SOURCE  // strcasestr

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static void serve(int connection) {
  static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  char head[65536], *end = NULL;
  size_t count = 0;
  while (!end) {
    ssize_t more = recv(connection, head + count, sizeof head - 1 - count, 0);
    if (more <= 0) return;
    head[count += (size_t)more] = 0;
    end = strstr(head, "\r\n\r\n");
  }
  end[2] = 0;
  char *length = strcasestr(head, "\r\nContent-Length:");
  if (!length) return;
  // curl asks for this, and waits a second where it does not come.
  if (strcasestr(head, "\r\nExpect: 100-continue")) send(connection, interim, sizeof interim - 1, MSG_NOSIGNAL);
  long long rest = atoll(length + 17) - (long long)(count - (size_t)(end + 4 - head));
  while (rest > 0) {
    // With MSG_TRUNC, TCP drops the bytes where they are: the server takes as little as it can.
    ssize_t dropped = recv(connection, NULL, rest < 1 << 20 ? (size_t)rest : 1 << 20, MSG_TRUNC);
    if (dropped <= 0) return;
    rest -= dropped;
  }
  send(connection, answer, sizeof answer - 1, MSG_NOSIGNAL);
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 16)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue;
    serve(connection);
    close(connection);
  }
}
