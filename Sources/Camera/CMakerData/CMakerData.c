// The data files, embedded into the program, because an installed program has no data folder. Embedding them
// as a Swift array (SwiftPM's .embedInCode) takes seconds to compile. `#embed` takes no noticeable time.
#include "CMakerData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t common[] = {
#embed "common.json"
};

static const uint8_t canon[] = {
#embed "Profiles/canon.json"
};
static const uint8_t nikon[] = {
#embed "Profiles/nikon.json"
};
static const uint8_t sony[] = {
#embed "Profiles/sony.json"
};
static const uint8_t fujifilm[] = {
#embed "Profiles/fujifilm.json"
};
static const uint8_t panasonic[] = {
#embed "Profiles/panasonic.json"
};
static const uint8_t olympus[] = {
#embed "Profiles/olympus.json"
};
static const uint8_t leica[] = {
#embed "Profiles/leica.json"
};
static const uint8_t pentax[] = {
#embed "Profiles/pentax.json"
};
static const uint8_t ricoh[] = {
#embed "Profiles/ricoh.json"
};
static const uint8_t sigma[] = {
#embed "Profiles/sigma.json"
};
static const uint8_t gopro[] = {
#embed "Profiles/gopro.json"
};
static const uint8_t hasselblad[] = {
#embed "Profiles/hasselblad.json"
};
static const uint8_t phaseone[] = {
#embed "Profiles/phaseone.json"
};
static const uint8_t kodak[] = {
#embed "Profiles/kodak.json"
};
static const uint8_t samsung[] = {
#embed "Profiles/samsung.json"
};
static const uint8_t dji[] = {
#embed "Profiles/dji.json"
};
static const uint8_t apple[] = {
#embed "Profiles/apple.json"
};

static const uint8_t cameras[] = {
#embed "cameras.tsv"
};

#define PROFILE(maker) {maker, sizeof maker}

// The order of the maker picker.
static const struct {
    const uint8_t *bytes;
    size_t count;
} profiles[] = {
    PROFILE(canon),
    PROFILE(nikon),
    PROFILE(sony),
    PROFILE(fujifilm),
    PROFILE(panasonic),
    PROFILE(olympus),
    PROFILE(leica),
    PROFILE(pentax),
    PROFILE(ricoh),
    PROFILE(sigma),
    PROFILE(gopro),
    PROFILE(hasselblad),
    PROFILE(phaseone),
    PROFILE(kodak),
    PROFILE(samsung),
    PROFILE(dji),
    PROFILE(apple),
};

const uint8_t *framefast_common(size_t *count) {
    *count = sizeof common;
    return common;
}

const uint8_t *framefast_profile(size_t index, size_t *count) {
    if (index >= sizeof profiles / sizeof profiles[0]) {
        return NULL;
    }
    *count = profiles[index].count;
    return profiles[index].bytes;
}

const uint8_t *framefast_cameras(size_t *count) {
    *count = sizeof cameras;
    return cameras;
}
