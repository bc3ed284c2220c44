#ifndef FRAMEFAST_CJPEG_H
#define FRAMEFAST_CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// Limits of a decoder run.
struct framefast_jpeg_limits {
    /// Larger images are refused before they are decoded.
    uint64_t most_pixels;
    /// The memory for the coefficients of an image with several scans, in bytes. libjpeg holds all
    /// coefficients of such an image in memory. Progressive images have several scans, and so have images
    /// with separate scans for their channels.
    uint64_t most_coefficient_bytes;
    /// The processor time of this process at which decoding stops, in nanoseconds
    /// (``framefast_processor_time``).
    uint64_t latest_processor_time;
};

/// Decodes a JPEG to RGB with libjpeg, with three bytes per pixel. Scales the image down in steps of one
/// eighth with libjpeg's own scaling. Chooses the smallest size whose sides have at least the given minimum.
///
/// - rgb: The decoded pixels. The caller must free them.
///
/// Returns 0, EILSEQ for invalid data, EFBIG for an image above a limit, ETIME after the processor time, or
/// ENOMEM.
int framefast_decode_jpeg(
    const uint8_t *bytes, size_t count, uint32_t least_width, uint32_t least_height,
    const struct framefast_jpeg_limits *limits, uint8_t **rgb, uint32_t *width, uint32_t *height);

/// Decodes a JPEG to RGB, with three bytes per pixel, for an image that is then reduced to a square box.
/// Halves the sides up to three times with libjpeg's own scaling, which is fast. Each side of the decoded
/// image has at least as many pixels as the reduced image.
///
/// - box: The length of the box's side, in pixels.
/// - rgb: The decoded pixels. The caller must free them.
///
/// Returns 0, EILSEQ for invalid data, EFBIG for an image above a limit, ETIME after the processor time, or
/// ENOMEM.
int framefast_decode_jpeg_for_box(
    const uint8_t *bytes, size_t count, uint32_t box, const struct framefast_jpeg_limits *limits, uint8_t **rgb,
    uint32_t *width, uint32_t *height);

/// Encodes RGB pixels, with three bytes per pixel, to a baseline JPEG without metadata.
///
/// - quality: 1 to 100, as in libjpeg.
/// - jpeg: The JPEG. The caller must free it.
///
/// Returns 0, EINVAL for an image that JPEG can't represent, or ENOMEM.
int framefast_encode_jpeg(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t **jpeg, size_t *count);

/// Returns the processor time that this process has used, in nanoseconds.
uint64_t framefast_processor_time(void);

#endif
