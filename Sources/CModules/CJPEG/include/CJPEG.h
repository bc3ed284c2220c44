#ifndef FRAMEFAST_CJPEG_H
#define FRAMEFAST_CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// Decodes a JPEG to RGB with libjpeg, with three bytes per pixel. Scales the image down in steps of one
/// eighth with libjpeg's own scaling. Chooses the smallest size whose sides have at least the given minimum.
///
/// - most_pixels: Larger images are refused before they are decoded.
/// - rgb: The decoded pixels. The caller must free them.
///
/// Returns 0, EILSEQ for invalid data, EFBIG for too many pixels, or ENOMEM.
int framefast_decode_jpeg(
    const uint8_t *bytes, size_t count, uint32_t least_width, uint32_t least_height, uint64_t most_pixels, uint8_t **rgb,
    uint32_t *width, uint32_t *height);

#endif
