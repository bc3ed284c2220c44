// libgphoto2 looks for a network camera's events before and within each request, for a microsecond, which the kernel
// rounds up to 50; and each time that it is asked for the next event it waits a millisecond for another one first, also
// when it has some in hand (ptpip.c, ptp_ptpip_event). In a burst that was most of the time that a small photo took. The
// libraries call select through the dynamic linker, so this program's own definition takes its place.
#define _GNU_SOURCE
#include "CGPhoto2.h"

#include <dlfcn.h>

// Looks in a row that find nothing before a wait is a wait: the driver looks twice for each event that it hands out.
#define FREE_LOOKS 2
// Longest wait that is a look, and the wait for events, in microseconds.
#define LOOK_US 1
#define EVENT_WAIT_US 1000

static _Thread_local unsigned looks = 0;

void framefast_packet_passed(void) { looks = 0; }

int framefast_is_look(const struct timeval *time) {
    if (!time || time->tv_sec != 0) return 0;
    if (time->tv_usec <= LOOK_US) return 1;
    return time->tv_usec == EVENT_WAIT_US && looks++ < FREE_LOOKS;
}

int framefast_wait_is_in_place(void) { return dlsym(RTLD_DEFAULT, "select") == (void *)select; }

int select(int count, fd_set *in, fd_set *out, fd_set *bad, struct timeval *time) {
    static int (*real_select)(int, fd_set *, fd_set *, fd_set *, struct timeval *) = NULL;
    if (!real_select) *(void **)&real_select = dlsym(RTLD_NEXT, "select");
    struct timeval none = {0, 0};
    return real_select(count, in, out, bad, framefast_is_look(time) ? &none : time);
}
