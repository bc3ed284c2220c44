#ifndef FRAMEFAST_CGPHOTO2_H
#define FRAMEFAST_CGPHOTO2_H
#include <gphoto2/gphoto2.h>
#endif
