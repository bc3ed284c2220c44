#ifndef FRAMEFAST_CMAKERDATA_H
#define FRAMEFAST_CMAKERDATA_H

#include <stddef.h>
#include <stdint.h>

/// Returns common.json, the data for all makers, in UTF-8.
const uint8_t *framefast_common(size_t *count);

/// Returns a file of the folder Profiles, the data for one maker, in UTF-8. The files are in the order of the
/// maker picker. Returns NULL after the last file.
const uint8_t *framefast_profile(size_t index, size_t *count);

/// Returns cameras.tsv, the camera table, in UTF-8.
const uint8_t *framefast_cameras(size_t *count);

#endif
