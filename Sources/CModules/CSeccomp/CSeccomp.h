#ifndef FRAMEFAST_CSECCOMP_H
#define FRAMEFAST_CSECCOMP_H

#include <errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>

/// Returns the filter action that fails a call with an errno. Swift can't use a macro with an argument.
static inline uint32_t framefast_refuse_with(int error) { return SCMP_ACT_ERRNO(error); }

#endif
