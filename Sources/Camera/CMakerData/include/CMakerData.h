#ifndef FRAMEFAST_CMAKERDATA_H
#define FRAMEFAST_CMAKERDATA_H

#include <stddef.h>
#include <stdint.h>

/// common.json: what holds for every maker, UTF-8, as it stands in this folder.
const uint8_t *framefast_common(size_t *count);

/// A file of Profiles, UTF-8: all that is known of one maker. NULL after the last one, in the picker's order.
const uint8_t *framefast_profile(size_t index, size_t *count);

/// cameras.tsv: the camera table, UTF-8, as it stands in this folder.
const uint8_t *framefast_cameras(size_t *count);

#endif
