// The translations inside the program, as the makers' data are (Sources/Camera/CMakerData).
#include "CTranslations.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t de[] = {
#embed "de.po"
};
static const uint8_t th[] = {
#embed "th.po"
};

static const struct {
    const char *language;
    const uint8_t *bytes;
    size_t count;
} translations[] = {{"de", de, sizeof de}, {"th", th, sizeof th}};

const uint8_t *framefast_translation(const char *language, size_t *count) {
    for (size_t index = 0; index < sizeof translations / sizeof translations[0]; index++) {
        if (strcmp(translations[index].language, language) != 0) continue;
        *count = translations[index].count;
        return translations[index].bytes;
    }
    return NULL;
}
