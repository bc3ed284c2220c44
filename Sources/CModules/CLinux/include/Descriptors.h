#ifndef FRAMEFAST_DESCRIPTORS_H
#define FRAMEFAST_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Messages with descriptors on Unix sockets (SCM_RIGHTS of unix(7)).

/// The largest number of descriptors in one message.
enum { FRAMEFAST_DESCRIPTORS_MAX = 4 };

/// Sends bytes and descriptors in one message, without raising SIGPIPE. The caller keeps its descriptors.
/// Returns the number of sent bytes, or -1 with errno.
ssize_t framefast_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives bytes, and the descriptors of at most one message. Programs that this process starts do not
/// inherit the descriptors. The caller must close the descriptors.
///
/// - descriptor_count: The size of the array, at most FRAMEFAST_DESCRIPTORS_MAX. Receives the number of
///   descriptors.
///
/// Returns the number of bytes, 0 at the end of the stream, or -1 with errno. Fails with EMSGSIZE if the
/// message had more descriptors than the array or the process can hold, and then closes the descriptors.
ssize_t framefast_receive_descriptors(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count);

#endif
