#ifndef FRAMEFAST_CSECCOMP_H
#define FRAMEFAST_CSECCOMP_H

#include <errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>

/// The answer of a filter to what it does not allow; a macro with an argument is out of Swift's reach.
static inline uint32_t framefast_refuse_with(int error) { return SCMP_ACT_ERRNO(error); }

#endif
