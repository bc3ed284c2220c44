#define _GNU_SOURCE
#include "CJPEG.h"
#include "Internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <jerror.h>

uint64_t framefast_processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

/// A check of the processor time. libjpeg calls `monitor` for each row of blocks. A JPEG can have many scans,
/// and each scan can cover the whole image.
struct clock {
    struct jpeg_progress_mgr monitor;
    uint64_t latest;
    int is_late;
};

static void check_clock(j_common_ptr info) {
    struct clock *clock = (struct clock *)info->progress;
    if (framefast_processor_time() <= clock->latest) return;
    clock->is_late = 1;
    longjmp(((struct failure *)info->err)->error_return, 1);
}

/// Returns the memory for the coefficients of an image, in bytes. libjpeg holds all coefficients of an image with
/// several scans in memory.
static uint64_t coefficient_bytes(struct jpeg_decompress_struct *info) {
    if (!jpeg_has_multiple_scans(info)) return 0;
    uint64_t blocks = 0;
    for (int number = 0; number < info->num_components; number++) {
        const jpeg_component_info *component = &info->comp_info[number];
        blocks += (uint64_t)component->width_in_blocks * component->height_in_blocks;
    }
    return blocks * DCTSIZE2 * sizeof(JCOEF);
}

/// Chooses the scale of an image: the smallest scale whose sides have at least the given minimum. The scales
/// are multiples of one eighth. With `halves`, each scale is half of the next, because libjpeg-turbo has vector
/// code for these scales.
static void choose_scale(struct jpeg_decompress_struct *info, uint32_t least_width, uint32_t least_height, int halves) {
    info->scale_denom = 8;
    info->scale_num = 1;
    while (info->scale_num < 8) {
        jpeg_calc_output_dimensions(info);
        if (info->output_width >= least_width && info->output_height >= least_height) break;
        info->scale_num = halves ? info->scale_num * 2 : info->scale_num + 1;
    }
}

/// Returns the length of a side after the image was reduced to fit into the box, rounded up.
static uint32_t side_in_box(uint32_t side, uint32_t longest, uint32_t box) {
    if (longest <= box) return side;
    return (uint32_t)(((uint64_t)side * box + longest - 1) / longest);
}

/// The size that a decoded image must have.
struct wanted {
    uint32_t least_width;
    uint32_t least_height;
    /// The side of a square box, or 0 to use `least_width` and `least_height`.
    uint32_t box;
};

/// Decodes a JPEG within the limits.
static int decode(
    const uint8_t *bytes, size_t count, struct wanted wanted, const struct framefast_jpeg_limits *limits, uint8_t **rgb,
    uint32_t *width, uint32_t *height) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    struct clock clock = {.monitor = {.progress_monitor = check_clock}, .latest = limits->latest_processor_time};
    uint8_t *volatile pixels = NULL;
    info.err = framefast_prepare_failure(&failure);
    if (setjmp(failure.error_return)) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        if (((volatile struct clock *)&clock)->is_late) return ETIME;
        return failure.manager.msg_code == JERR_OUT_OF_MEMORY ? ENOMEM : EILSEQ;
    }
    jpeg_create_decompress(&info);
    info.progress = &clock.monitor;
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    if ((uint64_t)info.image_width * info.image_height > limits->most_pixels ||
        coefficient_bytes(&info) > limits->most_coefficient_bytes) {
        jpeg_destroy_decompress(&info);
        return EFBIG;
    }
    info.out_color_space = JCS_RGB;
    if (wanted.box > 0) {
        uint32_t longest = info.image_width > info.image_height ? info.image_width : info.image_height;
        choose_scale(
            &info, side_in_box(info.image_width, longest, wanted.box),
            side_in_box(info.image_height, longest, wanted.box), 1);
    } else {
        choose_scale(&info, wanted.least_width, wanted.least_height, 0);
    }
    jpeg_start_decompress(&info);
    size_t row = (size_t)info.output_width * 3;
    pixels = malloc(row * info.output_height);
    if (pixels == NULL) {
        jpeg_destroy_decompress(&info);
        return ENOMEM;
    }
    while (info.output_scanline < info.output_height) {
        JSAMPROW line = pixels + row * info.output_scanline;
        jpeg_read_scanlines(&info, &line, 1);
    }
    *rgb = pixels;
    *width = info.output_width;
    *height = info.output_height;
    // The image is complete. Data after the image may be damaged, so `jpeg_finish_decompress` is not called.
    jpeg_destroy_decompress(&info);
    return 0;
}

int framefast_decode_jpeg(
    const uint8_t *bytes, size_t count, uint32_t least_width, uint32_t least_height,
    const struct framefast_jpeg_limits *limits, uint8_t **rgb, uint32_t *width, uint32_t *height) {
    struct wanted wanted = {.least_width = least_width, .least_height = least_height};
    return decode(bytes, count, wanted, limits, rgb, width, height);
}

int framefast_decode_jpeg_for_box(
    const uint8_t *bytes, size_t count, uint32_t box, const struct framefast_jpeg_limits *limits, uint8_t **rgb,
    uint32_t *width, uint32_t *height) {
    struct wanted wanted = {.box = box};
    return decode(bytes, count, wanted, limits, rgb, width, height);
}
