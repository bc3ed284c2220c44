// Two data files inside the program: an installed program has no folder beside it to look into, and a Swift array
// of as many bytes (SwiftPM's .embedInCode) takes the compiler seconds where this takes none.
#include "CMakerData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t makers[] = {
#embed "makers.json"
};

static const uint8_t cameras[] = {
#embed "cameras.tsv"
};

const uint8_t *framefast_makers(size_t *count) {
    *count = sizeof makers;
    return makers;
}

const uint8_t *framefast_cameras(size_t *count) {
    *count = sizeof cameras;
    return cameras;
}
