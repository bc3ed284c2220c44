// libgphoto2 formats a hex dump of every packet for its log even if no log function is set. This formatting
// takes 60 % of a photo's transfer time. The libraries call gp_log_data through the dynamic linker, so this
// definition replaces the library's definition. This definition formats nothing and passes the bytes to one
// listener (see PacketTap.swift).
#define _GNU_SOURCE
#include "CGPhoto2.h"

#include <dlfcn.h>
#include <string.h>

static framefast_tap_listener tap_listener = NULL;

void framefast_set_tap_listener(framefast_tap_listener listener) { tap_listener = listener; }

// The format strings are those of libgphoto2 2.5.30: ptpip.c, gphoto2-port.c (LOG_DATA) and libusb1.c. If a
// version uses other strings, the tap sees no packets, but transfers still work.
static int kind_of(const char *domain, const char *format, framefast_tap_kind *kind) {
    if (strncmp(format, "ptpip/", 6) == 0) {
        const char *rest = format + 6;
        if (strcmp(rest, "generic_read data:") == 0) *kind = FRAMEFAST_TAP_NETWORK_BODY;
        else if (strcmp(rest, "generic_read header:") == 0) *kind = FRAMEFAST_TAP_NETWORK_HEADER;
        else if (strcmp(rest, "init_cmd data:") == 0) *kind = FRAMEFAST_TAP_NETWORK_GREETING;
        else if (strcmp(rest, "oprequest data:") == 0) *kind = FRAMEFAST_TAP_NETWORK_REQUEST;
        else return 0;
        return 1;
    }
    if (strcmp(domain, "gp_port_read") == 0) *kind = FRAMEFAST_TAP_USB_READ;
    else if (strcmp(domain, "gp_port_write") == 0) *kind = FRAMEFAST_TAP_USB_WRITE;
    else if (strcmp(format, "interrupt") == 0) *kind = FRAMEFAST_TAP_USB_INTERRUPT;
    else return 0;
    return 1;
}

void gp_log_data(const char *domain, const char *data, unsigned int size, const char *format, ...) {
    framefast_tap_kind kind;
    framefast_packet_passed();
    framefast_end_gap();
    if (!tap_listener || !data || !size || !domain || !format || !kind_of(domain, format, &kind)) return;
    // The listener may change the bytes despite the const: they are in the driver's heap memory, and the
    // driver reads them after this call.
    tap_listener(kind, (uint8_t *)data, size);
}

int framefast_tap_is_in_place(void) { return dlsym(RTLD_DEFAULT, "gp_log_data") == (void *)gp_log_data; }
