// The attacker of the race tests: exchanges two names as fast as it can until it is told to stop.
//   swapper A B [SPIN]
// SPIN is the most busy steps between two exchanges. On SIGTERM it leaves the names as they were and prints how often it
// exchanged them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

static volatile sig_atomic_t stopped = 0;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static int exchange(const char *a, const char *b) {
  return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    return 2;
  }
  unsigned most = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
  unsigned seed = 12345;
  unsigned long count = 0;
  signal(SIGTERM, stop);
  while (!stopped) {
    if (!exchange(argv[1], argv[2])) {
      perror("exchange");
      return 1;
    }
    count++;
    if (most > 0) {
      seed = seed * 1103515245u + 12345u;
      for (volatile unsigned left = (seed >> 8) % most; left > 0; left--) {
      }
    }
  }
  if (count % 2 == 1) {
    exchange(argv[1], argv[2]);
    count++;
  }
  printf("%lu\n", count);
  return 0;
}
