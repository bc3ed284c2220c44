#ifndef FRAMEFAST_CGPHOTO2_H
#define FRAMEFAST_CGPHOTO2_H

#include <gphoto2/gphoto2.h>
#include <gphoto2/gphoto2-setting.h>
#include <gphoto2/gphoto2-version.h>
#include <stdint.h>
#include <sys/select.h>

/// What libgphoto2 shows of one piece of traffic with the camera.
typedef enum {
    /// PTP/IP: a whole request packet, before it is written to the socket.
    FRAMEFAST_TAP_NETWORK_REQUEST,
    /// PTP/IP: bytes of a packet's 8-byte header, just read (either connection).
    FRAMEFAST_TAP_NETWORK_HEADER,
    /// PTP/IP: bytes of a packet's body, just read into the driver's own buffer.
    FRAMEFAST_TAP_NETWORK_BODY,
    /// USB: one bulk write, after it went out.
    FRAMEFAST_TAP_USB_WRITE,
    /// USB: one bulk read, in the driver's own buffer.
    FRAMEFAST_TAP_USB_READ,
    /// USB: one interrupt report, in the port's own buffer.
    FRAMEFAST_TAP_USB_INTERRUPT,
} framefast_tap_kind;

typedef void (*framefast_tap_listener)(framefast_tap_kind kind, uint8_t *bytes, uint32_t count);

/// Sets who is shown the traffic; NULL for nobody. Set it before the first camera is opened.
void framefast_set_tap_listener(framefast_tap_listener listener);

/// True when the libraries call our `gp_log_data` and not their own.
int framefast_tap_is_in_place(void);

/// Begins to measure how long this thread's driver goes without a packet, whatever the form in which the library shows it.
void framefast_begin_gaps(void);

/// A packet went by.
void framefast_end_gap(void);

/// Ends the measurement and returns the longest time without a packet, in nanoseconds. Sets `packets` to the number of those
/// that went by; it is 0 where the libraries do not call our `gp_log_data`.
uint64_t framefast_end_gaps(uint64_t *packets);

/// Whether the driver's wait for traffic is only a look, which returns at once. One for a camera's next event is, twice
/// after each packet: then it has what came, and waits.
int framefast_is_look(const struct timeval *time);

/// True when the libraries call our `select` and not the C library's. Where they do not, a burst only takes longer.
int framefast_wait_is_in_place(void);

/// A packet of the camera's went by.
void framefast_packet_passed(void);

#endif
