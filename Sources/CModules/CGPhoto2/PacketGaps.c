// Measures the longest time without a packet during a driver call. The driver may time out on a response
// without reporting an error. Packets whose log format is unknown count, too.
#include "CGPhoto2.h"

#include <time.h>

// The time of the last packet, or 0 while no measurement is running.
static _Thread_local uint64_t gap_began = 0;
static _Thread_local uint64_t longest_gap = 0;
static _Thread_local uint64_t packets_seen = 0;

static uint64_t now_nanoseconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void end_gap(void) {
    uint64_t now = now_nanoseconds();
    if (now - gap_began > longest_gap) longest_gap = now - gap_began;
    gap_began = now;
}

void framefast_begin_gaps(void) {
    longest_gap = packets_seen = 0;
    gap_began = now_nanoseconds();
}

void framefast_end_gap(void) {
    if (!gap_began) return;
    packets_seen++;
    end_gap();
}

uint64_t framefast_end_gaps(uint64_t *packets) {
    end_gap();
    gap_began = 0;
    *packets = packets_seen;
    return longest_gap;
}
