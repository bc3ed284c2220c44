#ifndef FRAMEFAST_CLIBUSB_H
#define FRAMEFAST_CLIBUSB_H

#include <libusb-1.0/libusb.h>

#endif
