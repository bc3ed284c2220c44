// Reports the ordering of Swift's `Mutex` to ThreadSanitizer.
//
// A free lock is acquired by an atomic operation in the caller's code, which is instrumented. A contended
// lock is acquired by a futex in libswiftSynchronization, which is not instrumented, so the next holder's
// accesses look like a data race. `scripts/test-sanitized` preloads this library (LD_PRELOAD). Its functions
// report the locking, and call the functions of libswiftSynchronization (Swift 6.2 and 6.3 for Linux,
// stdlib/public/Synchronization/Mutex/LinuxImpl.swift).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall))

// Defined only in a program that is built with the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    typedef SWIFT void (*Real)(uint32_t, SELF);
    ((Real)dlsym(RTLD_NEXT, LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
    typedef SWIFT bool (*Real)(SELF);
    bool isTaken = ((Real)dlsym(RTLD_NEXT, TRY_LOCK))(self);
    if (isTaken && __tsan_acquire) __tsan_acquire(self);
    return isTaken;
}

SWIFT void unlock_slow(SELF) {
    typedef SWIFT void (*Real)(SELF);
    if (__tsan_release) __tsan_release(self);
    ((Real)dlsym(RTLD_NEXT, UNLOCK))(self);
}
