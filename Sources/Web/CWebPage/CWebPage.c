// The files of the page inside the program, as the makers' data are (Sources/Camera/CMakerData).
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t page_html[] = {
#embed "page/index.html"
};
static const uint8_t page_css[] = {
#embed "page/page.css"
};
static const uint8_t main_js[] = {
#embed "page/main.js"
};
static const uint8_t dom_js[] = {
#embed "page/dom.js"
};
static const uint8_t api_js[] = {
#embed "page/api.js"
};
static const uint8_t store_js[] = {
#embed "page/store.js"
};
static const uint8_t grid_js[] = {
#embed "page/grid.js"
};
static const uint8_t viewer_js[] = {
#embed "page/viewer.js"
};
static const uint8_t status_js[] = {
#embed "page/status.js"
};
static const uint8_t clipping_js[] = {
#embed "page/clipping.js"
};
static const uint8_t pairing_js[] = {
#embed "page/pairing.js"
};
static const uint8_t words_js[] = {
#embed "page/words.js"
};

static const struct {
    const char *name;
    const uint8_t *bytes;
    size_t count;
} files[] = {
    {"index.html", page_html, sizeof page_html}, {"page.css", page_css, sizeof page_css},
    {"main.js", main_js, sizeof main_js},        {"dom.js", dom_js, sizeof dom_js},
    {"api.js", api_js, sizeof api_js},           {"store.js", store_js, sizeof store_js},
    {"grid.js", grid_js, sizeof grid_js},        {"viewer.js", viewer_js, sizeof viewer_js},
    {"status.js", status_js, sizeof status_js},  {"words.js", words_js, sizeof words_js},
    {"clipping.js", clipping_js, sizeof clipping_js}, {"pairing.js", pairing_js, sizeof pairing_js},
};

const char *framefast_page_name(size_t index) {
    return index < sizeof files / sizeof files[0] ? files[index].name : NULL;
}

const uint8_t *framefast_page_file(size_t index, size_t *count) {
    *count = files[index].count;
    return files[index].bytes;
}
