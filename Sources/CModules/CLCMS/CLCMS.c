#include "CLCMS.h"

#include <limits.h>

#include <lcms2.h>

static void ignore_error(cmsContext context, cmsUInt32Number code, const char *text) {
    (void)context;
    (void)code;
    (void)text;
}

/// Creates the conversion from a profile to sRGB, and closes the profile.
static framefast_color_conversion *convert(cmsHPROFILE from) {
    if (from == NULL) return NULL;
    cmsHTRANSFORM transform = NULL;
    cmsHPROFILE to = cmsCreate_sRGBProfile();
    if (to != NULL) {
        // Without flags, lcms2 converts 8-bit values with integer arithmetic.
        transform = cmsCreateTransform(from, TYPE_RGB_8, to, TYPE_RGB_8, INTENT_PERCEPTUAL, 0);
        cmsCloseProfile(to);
    }
    cmsCloseProfile(from);
    return (framefast_color_conversion *)transform;
}

/// Creates the profile of Adobe RGB (1998) Color Image Encoding, version 2005-05, section 4.3.
static cmsHPROFILE adobe_rgb(void) {
    cmsCIExyY white = {0.3127, 0.3290, 1.0};
    cmsCIExyYTRIPLE primaries = {
        .Red = {0.6400, 0.3300, 1.0}, .Green = {0.2100, 0.7100, 1.0}, .Blue = {0.1500, 0.0600, 1.0}};
    cmsToneCurve *gamma = cmsBuildGamma(NULL, 2.19921875);
    if (gamma == NULL) return NULL;
    cmsToneCurve *curves[3] = {gamma, gamma, gamma};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(gamma);
    return profile;
}

framefast_color_conversion *framefast_convert_adobe_rgb(void) {
    cmsSetLogErrorHandler(ignore_error);
    return convert(adobe_rgb());
}

framefast_color_conversion *framefast_convert_profile(const uint8_t *bytes, size_t count) {
    cmsSetLogErrorHandler(ignore_error);
    if (count > INT_MAX) return NULL;
    cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)count);
    if (profile != NULL && cmsGetColorSpace(profile) != cmsSigRgbData) {
        cmsCloseProfile(profile);
        return NULL;
    }
    return convert(profile);
}

void framefast_convert_pixels(const framefast_color_conversion *conversion, uint8_t *rgb, size_t pixels) {
    // lcms2 counts pixels with 32 bits.
    const size_t piece_max = 1 << 24;
    while (pixels > 0) {
        size_t piece = pixels < piece_max ? pixels : piece_max;
        cmsDoTransform((cmsHTRANSFORM)conversion, rgb, rgb, (cmsUInt32Number)piece);
        rgb += piece * 3;
        pixels -= piece;
    }
}

void framefast_free_conversion(framefast_color_conversion *conversion) {
    if (conversion != NULL) cmsDeleteTransform((cmsHTRANSFORM)conversion);
}

size_t framefast_write_adobe_rgb(uint8_t *bytes, size_t capacity) {
    cmsHPROFILE profile = adobe_rgb();
    if (profile == NULL) return 0;
    cmsUInt32Number count = 0;
    if (!cmsSaveProfileToMem(profile, NULL, &count) || count > capacity
        || !cmsSaveProfileToMem(profile, bytes, &count))
        count = 0;
    cmsCloseProfile(profile);
    return count;
}
