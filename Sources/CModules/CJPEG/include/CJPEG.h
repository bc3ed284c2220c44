#ifndef FRAMEFAST_CJPEG_H
#define FRAMEFAST_CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// Decodes a JPEG to RGB, three bytes a pixel, with libjpeg: as small as its inverse transform makes it by itself (in eighths),
/// but with both sides at least as long as asked for where the picture is.
///
/// - most_pixels: pictures with more are refused before any of it is decoded.
/// - rgb: the caller's, to be freed.
///
/// Returns 0, EILSEQ for what is no JPEG, EFBIG for too many pixels, ENOMEM.
int framefast_decode_jpeg(
    const uint8_t *bytes, size_t count, uint32_t least_width, uint32_t least_height, uint64_t most_pixels, uint8_t **rgb,
    uint32_t *width, uint32_t *height);

#endif
