// Another time of day for one program and what it starts: LD_PRELOAD=day-clock.so DAY_CLOCK=FILE.
//
// FILE holds eight bytes, the nanoseconds that are added to the computer's clock, and is mapped: who writes into it
// changes the clock of every program that has it, at once, forward or back. Only the time of day changes. The monotonic
// clock goes on, as it does when a person sets the time, and the kernel's own times (of files, of timers) stay.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t billion = 1000000000;
static _Atomic int64_t none;
static _Atomic int64_t *ahead = &none;

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("DAY_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) ahead = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t now = time->tv_sec * billion + time->tv_nsec + atomic_load(ahead);
        time->tv_sec = now / billion;
        time->tv_nsec = now % billion;
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
