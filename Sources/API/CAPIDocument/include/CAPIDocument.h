#ifndef FRAMEFAST_CAPIDOCUMENT_H
#define FRAMEFAST_CAPIDOCUMENT_H

#include <stddef.h>
#include <stdint.h>

/// Returns the OpenAPI document, in UTF-8.
const uint8_t *framefast_api_document(size_t *count);

#endif
