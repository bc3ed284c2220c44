#ifndef FRAMEFAST_CCURL_H
#define FRAMEFAST_CCURL_H

#include <curl/curl.h>

// Swift can't call C variadic functions. This header declares one typed function for each kind of argument of
// libcurl's variadic functions.

static inline CURLcode framefast_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode framefast_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode framefast_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text.
static inline CURLcode framefast_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode framefast_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl does not copy the list. The list must exist until the transfer ends.
static inline CURLcode framefast_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*framefast_curl_bytes)(char *bytes, size_t size, size_t count, void *user);
typedef int (*framefast_curl_seek)(void *user, curl_off_t offset, int origin);
typedef int (*framefast_curl_progress)(
    void *user, curl_off_t down_total, curl_off_t down_now, curl_off_t up_total, curl_off_t up_now);

static inline CURLcode framefast_curl_set_callbacks(
    CURL *handle, void *user, framefast_curl_bytes read, framefast_curl_seek seek, framefast_curl_bytes write,
    framefast_curl_bytes header, framefast_curl_progress progress) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_READDATA, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SEEKDATA, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return code;
}

static inline CURLcode framefast_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode framefast_curl_get_large(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode framefast_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Shares TLS sessions between the handles of one thread. No locks are needed.
static inline CURLSHcode framefast_curl_share_tls_sessions(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

/// Returns the next finished transfer, or NULL.
static inline CURL *framefast_curl_multi_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
