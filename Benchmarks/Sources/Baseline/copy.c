// SPDX-License-Identifier: MIT
//
// The floor for making a form: a file is read in blocks of 64 KiB, each of which is written to nowhere.
//
//     copy <file>
//
// Prints seconds and CPU seconds.

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  static char block[65536];
  if (argc < 2) return 2;
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  int from = open(argv[1], O_RDONLY), to = open("/dev/null", O_WRONLY);
  ssize_t count;
  while ((count = read(from, block, sizeof block)) > 0)
    if (write(to, block, (size_t)count) != count) return 1;
  if (count < 0) return 1;
  close(to);
  close(from);
  printf("%.6f %.6f\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  return 0;
}
