#ifndef FRAMEFAST_CJPEG_INTERNAL_H
#define FRAMEFAST_CJPEG_INTERNAL_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/// An error handler. On a fatal error, libjpeg calls error_exit, which must not return. Swift can't longjmp.
struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf error_return;
};

/// Prepares an error handler that jumps to `error_return` and prints nothing.
struct jpeg_error_mgr *framefast_prepare_failure(struct failure *failure);

#endif
