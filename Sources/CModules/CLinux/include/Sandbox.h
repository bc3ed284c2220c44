#ifndef FRAMEFAST_SANDBOX_H
#define FRAMEFAST_SANDBOX_H

#include <stdint.h>

/// Permanent restrictions of file access (Landlock) for the calling thread and the threads that it starts
/// later. A function returns 0 or an errno unless its description says otherwise.

/// The permitted access to a folder's content or a file. Values can be combined.
enum framefast_access {
    /// List the names in folders.
    FRAMEFAST_LIST = 1,
    /// Read files and list folders.
    FRAMEFAST_READ = 2,
    /// Read, write, create, rename and delete files, and list folders.
    FRAMEFAST_WRITE = 4,
    /// Read, write and control a device node.
    FRAMEFAST_DEVICE = 8,
};

/// Returns the version of the kernel's Landlock, 1 or higher, or 0 if Landlock is missing or not permitted.
int framefast_landlock_version(void);
/// Returns 1 if the kernel supports system call filters, or 0.
int framefast_has_call_filters(void);
/// Creates a list of permitted access. Returns its descriptor, or -1 with errno.
int framefast_landlock_begin(void);
/// Permits access to a path. Ignores a path that does not exist.
int framefast_landlock_allow(int list, const char *path, int access);
/// Restricts file access to the list, and closes the list.
int framefast_landlock_enforce(int list);
/// Makes a system call by its number, to check whether the kernel refuses the call. Pass arguments with which
/// the call has no effect if the kernel permits it.
int framefast_try_call(int number, const intptr_t arguments[4]);

#endif
