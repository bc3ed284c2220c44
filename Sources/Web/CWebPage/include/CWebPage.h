#ifndef FRAMEFAST_CWEBPAGE_H
#define FRAMEFAST_CWEBPAGE_H

#include <stddef.h>
#include <stdint.h>

/// Name of a file of the page, below its assets; NULL after the last one.
const char *framefast_page_name(size_t index);

/// The bytes of such a file.
const uint8_t *framefast_page_file(size_t index, size_t *count);

#endif
