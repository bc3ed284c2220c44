#define _GNU_SOURCE
#include "Sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Files: Landlock. Headers of Debian 12 end with version 2 of the interface.

#define ACCESS_REFER (1ULL << 13)      // version 2
#define ACCESS_TRUNCATE (1ULL << 14)   // version 3
#define ACCESS_IOCTL_DEV (1ULL << 15)  // version 5
#define SCOPE_ABSTRACT_UNIX_SOCKET 1ULL
#define SCOPE_SIGNAL 2ULL

/// `struct landlock_ruleset_attr` as of version 6; older kernels take its beginning.
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
/// What makes sense for a file that is no folder: the kernel refuses the rest.
#define OF_FILES                                                                                            \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE              \
        | ACCESS_TRUNCATE | ACCESS_IOCTL_DEV)

int framefast_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 1 ? 0 : (int)version;
}

/// Every right that this kernel can take away.
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
    // A USB in user space (umockdev) takes every open below /dev for a device's, and opendir for what it is.
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

// System calls: seccomp. A filter is a program for the kernel's packet filter machine.

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#else
#error "the filter of system calls needs this machine's number"
#endif

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/// The next `skipped` steps are for this value only.
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define REFUSE_CALL(number) UNLESS(number, 1), REFUSE

int framefast_has_call_filters(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    // Where systemd lets us have only the older way in, that one does as well.
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

int framefast_filter_calls(int sockets) {
    // A family that is not asked for stands in as one that is allowed anyhow.
    uint32_t inet4 = sockets & FRAMEFAST_NETWORK ? AF_INET : AF_NETLINK;
    uint32_t inet6 = sockets & FRAMEFAST_NETWORK ? AF_INET6 : AF_NETLINK;
    uint32_t local = sockets & FRAMEFAST_LOCAL ? AF_UNIX : AF_NETLINK;
    struct sock_filter steps[] = {
        // Numbers of calls mean something for one machine only; another one's calls end the process.
        LOAD(FIELD(arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(FIELD(nr)),
#if defined(__x86_64__)
        // The same calls by the numbers of x32.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSE,
#endif
        // socket(family, type, protocol): netlink is for what udev says of devices.
        UNLESS(SYS_socket, 10), LOAD(FIELD(args[0])), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, inet4, 5, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, inet6, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, local, 3, 0), REFUSE, LOAD(FIELD(args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NETLINK_KOBJECT_UEVENT, 0, 1), ALLOW, REFUSE,
        // clone is for threads; of clone3 a filter cannot see what it is for, and glibc goes back to clone.
        UNLESS(SYS_clone, 4), LOAD(FIELD(args[0])), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), ALLOW,
        REFUSE, UNLESS(SYS_clone3, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
#if defined(__x86_64__)
        REFUSE_CALL(SYS_fork), REFUSE_CALL(SYS_vfork),
#endif
        REFUSE_CALL(SYS_execve), REFUSE_CALL(SYS_execveat),
        // io_uring makes sockets past this filter.
        REFUSE_CALL(SYS_io_uring_setup), REFUSE_CALL(SYS_io_uring_enter), REFUSE_CALL(SYS_io_uring_register),
        REFUSE_CALL(SYS_ptrace), REFUSE_CALL(SYS_process_vm_readv), REFUSE_CALL(SYS_process_vm_writev),
        REFUSE_CALL(SYS_pidfd_getfd), REFUSE_CALL(SYS_bpf), REFUSE_CALL(SYS_perf_event_open),
        REFUSE_CALL(SYS_userfaultfd), REFUSE_CALL(SYS_unshare), REFUSE_CALL(SYS_setns), REFUSE_CALL(SYS_mount),
        REFUSE_CALL(SYS_umount2), REFUSE_CALL(SYS_pivot_root), REFUSE_CALL(SYS_chroot), REFUSE_CALL(SYS_open_tree),
        REFUSE_CALL(SYS_move_mount), REFUSE_CALL(SYS_fsopen), REFUSE_CALL(SYS_keyctl), REFUSE_CALL(SYS_add_key),
        REFUSE_CALL(SYS_request_key), REFUSE_CALL(SYS_init_module), REFUSE_CALL(SYS_finit_module),
        REFUSE_CALL(SYS_delete_module), REFUSE_CALL(SYS_kexec_load), REFUSE_CALL(SYS_open_by_handle_at), ALLOW};
    struct sock_fprog filter = {.len = sizeof steps / sizeof steps[0], .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}
