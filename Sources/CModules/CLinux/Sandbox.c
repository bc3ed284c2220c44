#define _GNU_SOURCE
#include "Sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Files: Landlock. The headers of Debian 12 end with version 2 of the interface.

#define ACCESS_REFER (1ULL << 13)      // version 2
#define ACCESS_TRUNCATE (1ULL << 14)   // version 3
#define ACCESS_IOCTL_DEV (1ULL << 15)  // version 5
#define SCOPE_ABSTRACT_UNIX_SOCKET 1ULL
#define SCOPE_SIGNAL 2ULL

/// `struct landlock_ruleset_attr` in version 6. Older kernels use only its first fields.
struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

#define LIST LANDLOCK_ACCESS_FS_READ_DIR
#define READ (LIST | LANDLOCK_ACCESS_FS_READ_FILE)
#define CHANGE                                                                                              \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE         \
        | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK)
#define NEVER                                                                                               \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK              \
        | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM)
/// The rights that apply to files other than folders. The kernel rejects other rights for them.
#define OF_FILES                                                                                            \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE              \
        | ACCESS_TRUNCATE | ACCESS_IOCTL_DEV)

int framefast_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 1 ? 0 : (int)version;
}

/// Returns all rights that this kernel can restrict.
static uint64_t all_rights(int version) {
    uint64_t rights = READ | CHANGE | NEVER;
    if (version >= 2) rights |= ACCESS_REFER;
    if (version >= 3) rights |= ACCESS_TRUNCATE;
    if (version >= 5) rights |= ACCESS_IOCTL_DEV;
    return rights;
}

int framefast_landlock_begin(void) {
    int version = framefast_landlock_version();
    struct ruleset set = {.handled_access_fs = all_rights(version)};
    size_t size = sizeof set.handled_access_fs;
    if (version >= 6) {
        set.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
        size = sizeof set;
    }
    return (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
}

int framefast_landlock_allow(int list, const char *path, int access) {
    uint64_t rights = 0;
    if (access & FRAMEFAST_LIST) rights |= LIST;
    if (access & (FRAMEFAST_READ | FRAMEFAST_WRITE)) rights |= READ;
    if (access & FRAMEFAST_WRITE) rights |= CHANGE | ACCESS_TRUNCATE;
    if (access & FRAMEFAST_DEVICE)
        rights |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_IOCTL_DEV;
    // A USB emulation in user space (umockdev) intercepts every open below /dev, but not opendir.
    DIR *folder = access == FRAMEFAST_LIST ? opendir(path) : NULL;
    int place = folder ? dirfd(folder) : access == FRAMEFAST_LIST ? -1 : open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    struct stat facts;
    int status = fstat(place, &facts) == 0 ? 0 : errno;
    if (status == 0) {
        if (!S_ISDIR(facts.st_mode)) rights &= OF_FILES;
        struct landlock_path_beneath_attr rule = {
            .allowed_access = rights & all_rights(framefast_landlock_version()), .parent_fd = place};
        if (syscall(SYS_landlock_add_rule, list, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) status = errno;
    }
    if (folder)
        closedir(folder);
    else
        close(place);
    return status;
}

int framefast_landlock_enforce(int list) {
    int status = syscall(SYS_landlock_restrict_self, list, 0) == 0 ? 0 : errno;
    close(list);
    return status;
}

// System calls: seccomp. The filter is created with libseccomp, only in framefast-camera.

int framefast_has_call_filters(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    // systemd may block the seccomp call. The older prctl interface is then sufficient.
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

int framefast_try_call(int number, const intptr_t arguments[4]) {
    return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], 0, 0) >= 0 ? 0 : errno;
}
