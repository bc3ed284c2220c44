#ifndef FRAMEFAST_CTRANSLATIONS_H
#define FRAMEFAST_CTRANSLATIONS_H

#include <stddef.h>
#include <stdint.h>

/// The translation into a language, as the .po file of this folder, UTF-8; NULL where there is none.
const uint8_t *framefast_translation(const char *language, size_t *count);

#endif
