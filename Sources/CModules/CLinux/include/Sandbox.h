#ifndef FRAMEFAST_SANDBOX_H
#define FRAMEFAST_SANDBOX_H

#include <stdint.h>

/// What a process may give up for good: files outside a list (Landlock). It holds for the
/// calling thread and the threads that it starts later. Each call returns 0, or an errno value.

/// What may be done below a folder, or with a file. Kinds add up.
enum framefast_access {
    /// Names in folders may be listed.
    FRAMEFAST_LIST = 1,
    /// Files may be read and folders listed.
    FRAMEFAST_READ = 2,
    /// Files may also be written, made, renamed and removed.
    FRAMEFAST_WRITE = 4,
    /// A device node may be read, written and controlled.
    FRAMEFAST_DEVICE = 8,
};

/// Version of the kernel's Landlock, 1 and up; 0 when it has none or does not let us use it.
int framefast_landlock_version(void);
/// Whether the kernel takes filters of system calls: 1 or 0.
int framefast_has_call_filters(void);
/// Begins a list of what is allowed: its descriptor, or -1 with errno.
int framefast_landlock_begin(void);
/// Allows something for a path. What does not exist is left out without a word.
int framefast_landlock_allow(int list, const char *path, int access);
/// From here on only what the list names can be opened. Closes the list.
int framefast_landlock_enforce(int list);
/// Makes a system call by its number, to see whether the kernel refuses it. A call must not change anything: it is
/// given arguments that the kernel would refuse in another way.
int framefast_try_call(int number, const intptr_t arguments[4]);

#endif
