// SPDX-License-Identifier: MIT
//
// What is more than a line around a call of libcurl's, or of which there has to be one.

#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

int duet_memory_file(const char *path, const void *bytes, size_t count) {
  int file = (int)syscall(SYS_memfd_create, "duet", 1 /* MFD_CLOEXEC */);
  int other = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  ssize_t copied = other < 0 ? 0 : 1;
  while (copied > 0) copied = sendfile(file, other, NULL, 1 << 20);
  if (other >= 0) close(other);
  if (copied == 0 && write(file, "\n", 1) == 1 && write(file, bytes, count) == (ssize_t)count) return file;
  if (file >= 0) close(file);
  return -1;
}

int duet_tls_pending(CURL *easy) {
  struct curl_tlssessioninfo *info = NULL;
  // libcurl has brought OpenSSL into the process; linking it would be one more thing to install.
  int (*pending)(const void *) = (int (*)(const void *))dlsym(NULL /* RTLD_DEFAULT */, "SSL_pending");
  if (!pending || curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return 0;
  return info->backend == CURLSSLBACKEND_OPENSSL && info->internals ? pending(info->internals) : 0;
}

void duet_block_sigpipe(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

bool duet_keeps_handles(void) {
  static _Atomic unsigned int version;
  if (!version) version = curl_version_info(CURLVERSION_NOW)->version_num;
  return version > 0x080100;
}

uint64_t duet_next_id(void) {
  static _Atomic uint64_t last;
  return ++last;
}

#endif
