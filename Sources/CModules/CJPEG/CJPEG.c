#include "CJPEG.h"

#include "Internal.h"

#include <errno.h>
#include <stdlib.h>

static void give_up(j_common_ptr info) { longjmp(((struct failure *)info->err)->way_out, 1); }

static void say_nothing(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

struct jpeg_error_mgr *framefast_prepare_failure(struct failure *failure) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&failure->manager);
    manager->error_exit = give_up;
    manager->emit_message = say_nothing;
    return manager;
}

int framefast_decode_jpeg(
    const uint8_t *bytes, size_t count, uint32_t least_width, uint32_t least_height, uint64_t most_pixels, uint8_t **rgb,
    uint32_t *width, uint32_t *height) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    uint8_t *volatile pixels = NULL;
    info.err = framefast_prepare_failure(&failure);
    if (setjmp(failure.way_out)) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        return EILSEQ;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    if ((uint64_t)info.image_width * info.image_height > most_pixels) {
        jpeg_destroy_decompress(&info);
        return EFBIG;
    }
    info.out_color_space = JCS_RGB;
    info.scale_denom = 8;
    for (info.scale_num = 1; info.scale_num < 8; info.scale_num++) {
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
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return 0;
}
