#ifndef FRAMEFAST_CGPHOTO2_H
#define FRAMEFAST_CGPHOTO2_H

#include <gphoto2/gphoto2.h>
#include <gphoto2/gphoto2-setting.h>
#include <gphoto2/gphoto2-version.h>
#include <stdint.h>
#include <sys/select.h>

/// The kinds of traffic that libgphoto2 logs.
typedef enum {
    /// PTP/IP: the greeting (Init_Command_Request), before it is written to the socket.
    FRAMEFAST_TAP_NETWORK_GREETING,
    /// PTP/IP: a complete request packet, before it is written to the socket.
    FRAMEFAST_TAP_NETWORK_REQUEST,
    /// PTP/IP: received bytes of a packet's 8-byte header, from either connection.
    FRAMEFAST_TAP_NETWORK_HEADER,
    /// PTP/IP: received bytes of a packet's body, in the driver's own buffer.
    FRAMEFAST_TAP_NETWORK_BODY,
    /// USB: a bulk write, after it was sent.
    FRAMEFAST_TAP_USB_WRITE,
    /// USB: a bulk read, in the driver's own buffer.
    FRAMEFAST_TAP_USB_READ,
    /// USB: an interrupt report, in the port's own buffer.
    FRAMEFAST_TAP_USB_INTERRUPT,
} framefast_tap_kind;

typedef void (*framefast_tap_listener)(framefast_tap_kind kind, uint8_t *bytes, uint32_t count);

/// Sets the listener for the traffic, or removes it with NULL. Call this before opening the first camera.
void framefast_set_tap_listener(framefast_tap_listener listener);

/// Returns whether the libraries call this program's `gp_log_data` instead of the library's.
int framefast_tap_is_in_place(void);

/// Starts to measure the longest time without a packet on this thread. Packets with an unknown log format
/// count, too.
void framefast_begin_gaps(void);

/// Records a packet for the measurement of the longest time without a packet.
void framefast_end_gap(void);

/// Ends the measurement. Returns the longest time without a packet, in nanoseconds. Sets `packets` to the
/// number of packets, which is 0 if the libraries do not call this program's `gp_log_data`.
uint64_t framefast_end_gaps(uint64_t *packets);

/// Returns whether a wait of the driver returns immediately. This applies to very short waits, and to the
/// first two waits for an event after each packet.
int framefast_returns_immediately(const struct timeval *time);

/// Returns whether the libraries call this program's `select` instead of the C library's. If not, bursts are
/// only slower.
int framefast_wait_is_in_place(void);

/// Records a packet for `framefast_returns_immediately`.
void framefast_packet_passed(void);

#endif
