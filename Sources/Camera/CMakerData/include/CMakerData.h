#ifndef FRAMEFAST_CMAKERDATA_H
#define FRAMEFAST_CMAKERDATA_H

#include <stddef.h>
#include <stdint.h>

/// makers.json: the knowledge base, UTF-8, as it stands in this folder.
const uint8_t *framefast_makers(size_t *count);

/// cameras.tsv: the camera table, UTF-8, as it stands in this folder.
const uint8_t *framefast_cameras(size_t *count);

#endif
