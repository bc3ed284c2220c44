#ifndef FRAMEFAST_CLINUX_H
#define FRAMEFAST_CLINUX_H

#include <stdint.h>

#include "Descriptors.h"
#include "Sandbox.h"

/// Linux calls that Swift's Glibc module lacks or that are variadic in C. Unless their description says
/// otherwise, the functions return 0 or an errno.

/// Requests SIGHUP when the thread that started this process ends (PR_SET_PDEATHSIG).
int framefast_end_with_parent(void);
/// Prevents this process from gaining privileges, for example through set-user-id programs
/// (PR_SET_NO_NEW_PRIVS).
int framefast_refuse_new_privileges(void);
/// Prevents other processes of the same user from reading this process's memory (PR_SET_DUMPABLE 0).
int framefast_hide_memory(void);
/// Sets the maximum delay of timeouts in the calling thread (PR_SET_TIMERSLACK).
int framefast_set_timer_slack(unsigned long nanoseconds);
/// Sets parameters of the C allocator, in bytes (see mallopt(3)).
int framefast_tune_malloc(int mmap_threshold, int trim_threshold, int top_pad, int arenas);
/// Returns the free memory of the C allocator to the kernel, except for `pad` bytes at the end of the heap
/// (see malloc_trim(3)).
void framefast_trim_malloc(int pad);
/// Sets the name of the calling thread for debuggers, at most 15 characters.
void framefast_name_thread(const char *name);
/// Lowers the CPU priority of a thread, given by its id (0: the calling thread), to niceness 10. The thread
/// does not preempt others when it wakes (sched_setattr(2) with SCHED_BATCH). The change can't be undone.
int framefast_lower_priority(int thread);
/// Creates an event counter that can be polled. Returns its descriptor, or -1.
int framefast_eventfd(void);
/// Accepts a connection on a listening socket. Child processes do not inherit the descriptor (accept4 with
/// SOCK_CLOEXEC). Returns the descriptor, or -1.
int framefast_accept(int listener);
/// Creates a pipe that child processes do not inherit (pipe2 with O_CLOEXEC).
int framefast_pipe(int ends[2]);
/// Checks whether a file that is open for reading only has writers. Requests a lease (F_SETLEASE, F_RDLCK)
/// and releases it immediately. Returns 0 without writers, EAGAIN if the file is open or mapped for writing,
/// or another errno if the check is not possible.
int framefast_ask_writers(int fd);
/// Starts writing a file's dirty pages to the disk without waiting.
void framefast_start_writeback(int fd, int64_t offset, int64_t count);
/// Writes all data of an open file's file system to the disk (syncfs(2)).
int framefast_sync_file_system(int fd);
/// Renames without replacing. Returns EEXIST if the new name is taken (renameat2 with RENAME_NOREPLACE).
int framefast_rename_noreplace(const char *from, const char *to);
/// Stores the type and the identity of the file system of a path, and whether it is the file system of `/`.
/// The values are `f_type` and `f_fsid` of statfs(2). If `f_fsid` is 0, the identity is the device number.
/// Reads all values from one open file, because the path may refer to another file later.
int framefast_file_system(const char *path, int64_t *kind, uint64_t *identity, int *is_root);
/// Like ``framefast_file_system``, for an open file.
int framefast_file_system_of(int fd, int64_t *kind, uint64_t *identity, int *is_root);
/// Returns whether the host's clock is synchronized (adjtimex(2)): 1 yes, 0 no, -1 unknown.
int framefast_clock_is_synchronized(void);

#endif
