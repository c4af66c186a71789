// Puts the wall clock of a program forward or back by the seconds in SHIFTED_BY, and no other clock: to be
// loaded before its libraries (LD_PRELOAD).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long shift(void) {
  const char* text = getenv("SHIFTED_BY");
  return text == NULL ? 0 : atoll(text);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int done = real(clock, now);
  if (done == 0 && clock == CLOCK_REALTIME) now->tv_sec += shift();
  return done;
}

int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  struct timespec exact;
  const int done = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return done;
}

time_t time(time_t* place) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (place != NULL) *place = exact.tv_sec;
  return exact.tv_sec;
}
