#ifndef FRAMEFAST_CLINUX_H
#define FRAMEFAST_CLINUX_H

#include <stdint.h>

#include "Sandbox.h"

/// Linux calls that Swift's Glibc module leaves out or that are variadic in C. Each returns 0, or an errno value.

/// Asks for SIGHUP when the thread that started this process ends (PR_SET_PDEATHSIG).
int framefast_end_with_parent(void);
/// Gives up every later gain of rights, also through set-user-id programs (PR_SET_NO_NEW_PRIVS).
int framefast_refuse_new_privileges(void);
/// Lets no other process of the same user read this one's memory (PR_SET_DUMPABLE 0).
int framefast_hide_memory(void);
/// Lets time-outs of the calling thread end this much late at most (PR_SET_TIMERSLACK).
int framefast_set_timer_slack(unsigned long nanoseconds);
/// Settings of the C allocator, in bytes; see mallopt(3).
int framefast_tune_malloc(int mmap_threshold, int trim_threshold, int top_pad, int arenas);
/// Names the calling thread for debuggers; at most 15 characters.
void framefast_name_thread(const char *name);
/// Gives a thread, by its id (0: the calling one), a lower share of the processor than others have: niceness 10, and no
/// turn before others when it wakes (sched_setattr(2) with SCHED_BATCH). It cannot be taken back.
int framefast_lower_priority(int thread);
/// A counter that can be polled; the descriptor, or -1.
int framefast_eventfd(void);
/// Accepts a connection of a listening socket; programs that start later do not inherit the descriptor (accept4 with
/// SOCK_CLOEXEC). The descriptor, or -1.
int framefast_accept(int listener);
/// A pipe that no program started meanwhile inherits, not even by accident (pipe2 with O_CLOEXEC).
int framefast_pipe(int ends[2]);
/// Whether a file that is open for reading only has writers, asked by a lease (F_SETLEASE, F_RDLCK) that is given back at
/// once: 0 when it has none, EAGAIN when somebody has it open or mapped for writing, else why that cannot be asked.
int framefast_ask_writers(int fd);
/// Starts writing a file's dirty pages to disk without waiting for them.
void framefast_start_writeback(int fd, int64_t offset, int64_t count);
/// Forces everything on the file system of an open file to its disk (syncfs(2)).
int framefast_sync_file_system(int fd);
/// Renames without replacing: EEXIST when the new name is taken (renameat2 with RENAME_NOREPLACE).
int framefast_rename_noreplace(const char *from, const char *to);
/// Which kind of file system a path lies on, its identity (statfs(2), `f_type` and `f_fsid`; the device's number where
/// that is 0), and whether it is that of `/`. All of one open file: a path may lead elsewhere from call to call.
int framefast_file_system(const char *path, int64_t *kind, uint64_t *identity, int *is_root);
/// The same of an open file.
int framefast_file_system_of(int fd, int64_t *kind, uint64_t *identity, int *is_root);
/// Whether the host's clock is kept right by something (adjtimex(2)): 1 yes, 0 no, -1 not known.
int framefast_clock_is_synchronised(void);

#endif
