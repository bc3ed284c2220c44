// The files of the web page, embedded into the program, because an installed program has no data folder.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t api_js[] = {
#embed "Page/api.js"
};
static const uint8_t app_js[] = {
#embed "Page/app.js"
};
static const uint8_t control_js[] = {
#embed "Page/control.js"
};
static const uint8_t dom_js[] = {
#embed "Page/dom.js"
};
static const uint8_t follow_js[] = {
#embed "Page/follow.js"
};
static const uint8_t grid_js[] = {
#embed "Page/grid.js"
};
static const uint8_t help_js[] = {
#embed "Page/help.js"
};
static const uint8_t icon_svg[] = {
#embed "Page/icon.svg"
};
static const uint8_t index_html[] = {
#embed "Page/index.html"
};
static const uint8_t messages_js[] = {
#embed "Page/messages.js"
};
static const uint8_t page_css[] = {
#embed "Page/page.css"
};
static const uint8_t pair_js[] = {
#embed "Page/pair.js"
};
static const uint8_t rating_js[] = {
#embed "Page/rating.js"
};
static const uint8_t route_js[] = {
#embed "Page/route.js"
};
static const uint8_t stage_js[] = {
#embed "Page/stage.js"
};
static const uint8_t status_js[] = {
#embed "Page/status.js"
};
static const uint8_t store_js[] = {
#embed "Page/store.js"
};
static const uint8_t viewer_js[] = {
#embed "Page/viewer.js"
};

#define FILE_OF(name, symbol) {name, symbol, sizeof symbol}

static const struct {
    const char *name;
    const uint8_t *bytes;
    size_t count;
} files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("app.js", app_js),
    FILE_OF("control.js", control_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("follow.js", follow_js),
    FILE_OF("grid.js", grid_js),
    FILE_OF("help.js", help_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("index.html", index_html),
    FILE_OF("messages.js", messages_js),
    FILE_OF("page.css", page_css),
    FILE_OF("pair.js", pair_js),
    FILE_OF("rating.js", rating_js),
    FILE_OF("route.js", route_js),
    FILE_OF("stage.js", stage_js),
    FILE_OF("status.js", status_js),
    FILE_OF("store.js", store_js),
    FILE_OF("viewer.js", viewer_js),
};

static const size_t files_count = sizeof files / sizeof files[0];

const char *framefast_page_name(size_t index) { return index < files_count ? files[index].name : NULL; }

const uint8_t *framefast_page_file(size_t index, size_t *count) {
    if (index >= files_count) {
        return NULL;
    }
    *count = files[index].count;
    return files[index].bytes;
}
