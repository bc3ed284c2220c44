#include "CJPEG.h"

#include "Internal.h"

#include <errno.h>
#include <stdlib.h>

static void jump_to_caller(j_common_ptr info) { longjmp(((struct failure *)info->err)->error_return, 1); }

static void ignore_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

struct jpeg_error_mgr *framefast_prepare_failure(struct failure *failure) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&failure->manager);
    manager->error_exit = jump_to_caller;
    manager->emit_message = ignore_message;
    return manager;
}

int framefast_encode_jpeg(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t **jpeg, size_t *count) {
    if (width == 0 || height == 0 || width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) return EINVAL;
    struct jpeg_compress_struct info;
    struct failure failure;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    info.err = framefast_prepare_failure(&failure);
    if (setjmp(failure.error_return)) {
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
