#ifndef FRAMEFAST_CLCMS_H
#define FRAMEFAST_CLCMS_H

#include <stddef.h>
#include <stdint.h>

/// Conversion of colors to sRGB with lcms2.

/// A conversion of RGB pixels to sRGB.
typedef struct framefast_color_conversion framefast_color_conversion;

/// Creates a conversion from Adobe RGB (1998), defined by its primaries, its white point and its gamma.
/// Returns NULL if memory is exhausted.
framefast_color_conversion *framefast_convert_adobe_rgb(void);

/// Creates a conversion from an ICC profile. Returns NULL if the profile is invalid or for another color
/// space than RGB.
framefast_color_conversion *framefast_convert_profile(const uint8_t *bytes, size_t count);

/// Converts pixels with three bytes per pixel, in place.
void framefast_convert_pixels(const framefast_color_conversion *conversion, uint8_t *rgb, size_t pixels);

/// Frees a conversion.
void framefast_free_conversion(framefast_color_conversion *conversion);

/// Writes an Adobe RGB (1998) profile in the ICC format. Returns its size, or 0 if the buffer is too small or
/// memory is exhausted.
size_t framefast_write_adobe_rgb(uint8_t *bytes, size_t capacity);

#endif
