/* spent FILE PROGRAM ARGS...: runs a program, and writes its exit code, CPU seconds, wall seconds and peak memory (KiB) to
 * the file. The kernel counts what the caller of exec had as the program's peak too: whoever starts it has to be smaller
 * than anything that is measured, which no script is. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double Seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char** words) {
  if (count < 3) return 2;
  const double began = Now();
  const pid_t child = fork();
  if (child == 0) {
    execv(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 2;
  FILE* file = fopen(words[1], "w");
  if (file == NULL) return 2;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  fprintf(file, "%d %.6f %.6f %ld\n", code, Seconds(usage.ru_utime) + Seconds(usage.ru_stime), Now() - began,
          usage.ru_maxrss);
  return fclose(file) == 0 ? 0 : 2;
}
