#define _GNU_SOURCE
#include "CJPEG.h"
#include "Internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

uint64_t framefast_processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

/// Checks the processor time. libjpeg calls the monitor for each row of blocks. A progressive image can have
/// many scans, and each scan can cover the whole image.
struct clock {
    struct jpeg_progress_mgr monitor;
    uint64_t latest;
    int is_late;
};

static void check_clock(j_common_ptr info) {
    struct clock *clock = (struct clock *)info->progress;
    if (framefast_processor_time() <= clock->latest) return;
    clock->is_late = 1;
    longjmp(((struct failure *)info->err)->way_out, 1);
}

/// Returns a side of the image that fits into the box, rounded up.
static uint32_t side_in_box(uint32_t side, uint32_t longest, uint32_t box) {
    if (longest <= box) return side;
    return (uint32_t)(((uint64_t)side * box + longest - 1) / longest);
}

int framefast_decode_jpeg_for_box(
    const uint8_t *bytes, size_t count, uint32_t box, const struct framefast_jpeg_limits *limits, uint8_t **rgb,
    uint32_t *width, uint32_t *height) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    struct clock clock = {.monitor = {.progress_monitor = check_clock}, .latest = limits->latest_processor_time};
    uint8_t *volatile pixels = NULL;
    info.err = framefast_prepare_failure(&failure);
    if (setjmp(failure.way_out)) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        return ((volatile struct clock *)&clock)->is_late ? ETIME : EILSEQ;
    }
    jpeg_create_decompress(&info);
    info.progress = &clock.monitor;
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    uint64_t size = (uint64_t)info.image_width * info.image_height;
    if (size > limits->most_pixels || (info.progressive_mode && size > limits->most_progressive_pixels)) {
        jpeg_destroy_decompress(&info);
        return EFBIG;
    }
    info.out_color_space = JCS_RGB;
    uint32_t longest = info.image_width > info.image_height ? info.image_width : info.image_height;
    uint32_t least_width = side_in_box(info.image_width, longest, box);
    uint32_t least_height = side_in_box(info.image_height, longest, box);
    info.scale_denom = 8;
    // libjpeg-turbo has vector code for these sizes.
    for (info.scale_num = 1; info.scale_num < 8; info.scale_num *= 2) {
        jpeg_calc_output_dimensions(&info);
        if (info.output_width >= least_width && info.output_height >= least_height) break;
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

int framefast_encode_jpeg(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t **jpeg, size_t *count) {
    if (width == 0 || height == 0 || width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) return EINVAL;
    struct jpeg_compress_struct info;
    struct failure failure;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    info.err = framefast_prepare_failure(&failure);
    if (setjmp(failure.way_out)) {
        // Encoding fails only if memory is exhausted. libjpeg may have replaced `bytes`, so the last buffer
        // is not freed.
        jpeg_destroy_compress(&info);
        return ENOMEM;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &length);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW line = (JSAMPROW)(rgb + (size_t)info.next_scanline * width * 3);
        jpeg_write_scanlines(&info, &line, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *jpeg = bytes;
    *count = length;
    return 0;
}
