#ifndef FRAMEFAST_CWEBPAGE_H
#define FRAMEFAST_CWEBPAGE_H

#include <stddef.h>
#include <stdint.h>

/// Returns the name of a file of the web page, for example "app.js". Returns NULL after the last file.
const char *framefast_page_name(size_t index);

/// Returns the content of a file of the web page, in UTF-8. Returns NULL after the last file.
const uint8_t *framefast_page_file(size_t index, size_t *count);

#endif
