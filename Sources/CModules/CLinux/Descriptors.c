#define _GNU_SOURCE
#include "Descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/// Space for the header and the descriptors, with the alignment of the header.
union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(FRAMEFAST_DESCRIPTORS_MAX * sizeof(int))];
};

ssize_t framefast_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    if (descriptor_count > FRAMEFAST_DESCRIPTORS_MAX) {
        errno = EMSGSIZE;
        return -1;
    }
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(head), descriptors, descriptor_count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t framefast_receive_descriptors(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count) {
    size_t capacity = *descriptor_count;
    *descriptor_count = 0;
    union control control;
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    int is_complete = !(message.msg_flags & MSG_CTRUNC);
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        size_t sent = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < sent; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(head) + index * sizeof(int), sizeof descriptor);
            if (*descriptor_count < capacity) {
                descriptors[(*descriptor_count)++] = descriptor;
            } else {
                close(descriptor);
                is_complete = 0;
            }
        }
    }
    if (is_complete) return received;
    for (size_t index = 0; index < *descriptor_count; index++) close(descriptors[index]);
    *descriptor_count = 0;
    errno = EMSGSIZE;
    return -1;
}
