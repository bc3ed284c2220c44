// The OpenAPI document, embedded into the program. The service serves this file.
#include "CAPIDocument.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t document[] = {
#embed "../../../docs/openapi.yaml"
};

const uint8_t *framefast_api_document(size_t *count) {
    *count = sizeof document;
    return document;
}
