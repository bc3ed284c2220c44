// Before and during each request, libgphoto2 polls for a network camera's events with a timeout of 1 µs,
// which the kernel rounds up to 50 µs. When the worker requests the next event, libgphoto2 also waits 1 ms
// for another event, even if it has queued events (ptpip.c, ptp_ptpip_event). In a burst, these waits took
// most of the transfer time of a small photo. The libraries call select through the dynamic linker, and this
// definition replaces the C library's select.
#define _GNU_SOURCE
#include "CGPhoto2.h"

#include <dlfcn.h>

// After each packet, this number of 1 ms waits return immediately. The driver waits twice for each event that
// it returns.
#define IMMEDIATE_WAITS_MAX 2
// The driver's timeouts, in microseconds: the maximum for a poll, and the exact value for a wait for events.
#define POLL_US 1
#define EVENT_WAIT_US 1000

static _Thread_local unsigned immediate_waits = 0;

void framefast_packet_passed(void) { immediate_waits = 0; }

int framefast_returns_immediately(const struct timeval *time) {
    if (!time || time->tv_sec != 0) return 0;
    if (time->tv_usec <= POLL_US) return 1;
    return time->tv_usec == EVENT_WAIT_US && immediate_waits++ < IMMEDIATE_WAITS_MAX;
}

int framefast_wait_is_in_place(void) { return dlsym(RTLD_DEFAULT, "select") == (void *)select; }

int select(int count, fd_set *in, fd_set *out, fd_set *bad, struct timeval *time) {
    static int (*real_select)(int, fd_set *, fd_set *, fd_set *, struct timeval *) = NULL;
    if (!real_select) *(void **)&real_select = dlsym(RTLD_NEXT, "select");
    struct timeval none = {0, 0};
    return real_select(count, in, out, bad, framefast_returns_immediately(time) ? &none : time);
}
