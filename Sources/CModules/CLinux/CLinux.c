#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/vfs.h>
#include <string.h>
#include <sys/timex.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int result_of(int status) { return status == 0 ? 0 : errno; }

int framefast_end_with_parent(void) { return result_of(prctl(PR_SET_PDEATHSIG, SIGHUP, 0, 0, 0)); }

int framefast_refuse_new_privileges(void) { return result_of(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int framefast_hide_memory(void) { return result_of(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

int framefast_set_timer_slack(unsigned long nanoseconds) {
    return result_of(prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0));
}

int framefast_tune_malloc(int mmap_threshold, int trim_threshold, int top_pad, int arenas) {
    int good = mallopt(M_MMAP_THRESHOLD, mmap_threshold) && mallopt(M_TRIM_THRESHOLD, trim_threshold)
        && mallopt(M_TOP_PAD, top_pad) && mallopt(M_ARENA_MAX, arenas);
    return good ? 0 : EINVAL;
}

void framefast_trim_malloc(int pad) { (void)malloc_trim((size_t)pad); }

void framefast_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name, 0, 0, 0); }

int framefast_lower_priority(int thread) {
    // As in linux/sched/types.h. With some C libraries, that header can't be included together with
    // sched.h.
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
        attributes = {.size = 48, .policy = SCHED_BATCH, .nice = 10};
    return result_of((int)syscall(SYS_sched_setattr, thread, &attributes, 0));
}

int framefast_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int framefast_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int framefast_pipe(int ends[2]) { return result_of(pipe2(ends, O_CLOEXEC)); }

int framefast_ask_writers(int fd) {
    if (fcntl(fd, F_SETLEASE, F_RDLCK) != 0) return errno;
    (void)fcntl(fd, F_SETLEASE, F_UNLCK);
    return 0;
}

void framefast_start_writeback(int fd, int64_t offset, int64_t count) {
    (void)sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

int framefast_sync_file_system(int fd) { return result_of(syncfs(fd)); }

int framefast_rename_noreplace(const char *from, const char *to) {
    return result_of(renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE));
}

int framefast_file_system(const char *path, int64_t *kind, uint64_t *identity, int *is_root) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return errno;
    int reason = framefast_file_system_of(fd, kind, identity, is_root);
    close(fd);
    return reason;
}

int framefast_file_system_of(int fd, int64_t *kind, uint64_t *identity, int *is_root) {
    struct statfs facts;
    struct stat own, root;
    if (fstatfs(fd, &facts) || fstat(fd, &own) || stat("/", &root)) return errno;
    int halves[2];
    memcpy(halves, &facts.f_fsid, sizeof halves);
    *kind = (int64_t)facts.f_type;
    *identity = (uint64_t)(uint32_t)halves[0] << 32 | (uint32_t)halves[1];
    if (*identity == 0) *identity = (uint64_t)own.st_dev;
    *is_root = own.st_dev == root.st_dev;
    return 0;
}

int framefast_clock_is_synchronized(void) {
    struct timex state = {0};
    int status = adjtimex(&state);
    if (status < 0) return -1;
    return status != TIME_ERROR && !(state.status & STA_UNSYNC);
}
