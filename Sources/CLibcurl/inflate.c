#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CLibcurl.h"

#include "inflate.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The part of zlib's binary interface that is used, with the layout of its stream: https://zlib.net/manual.html

enum { Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_NO_FLUSH = 0, ANY_WINDOW = 15 + 32 };

typedef struct {
    const uint8_t *next_in;
    unsigned int available_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int available_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned int, unsigned int);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long check;
    unsigned long reserved;
} zlib_stream;

static struct {
    int (*init)(zlib_stream *, int, const char *, int);
    int (*inflate)(zlib_stream *, int);
    int (*reset)(zlib_stream *);
    int (*end)(zlib_stream *);
} zlib;

void clibcurl_find_inflate(void *library) {
    *(void **)&zlib.init = dlsym(library, "inflateInit2_");
    *(void **)&zlib.inflate = dlsym(library, "inflate");
    *(void **)&zlib.reset = dlsym(library, "inflateReset");
    *(void **)&zlib.end = dlsym(library, "inflateEnd");
}

int clibcurl_can_inflate(void) {
    clibcurl();
    return zlib.init && zlib.inflate && zlib.reset && zlib.end;
}

struct CLibcurlInflater {
    zlib_stream stream;
    int is_within;
};

CLibcurlInflater *clibcurl_inflater_create(void) {
    if (!clibcurl_can_inflate()) return NULL;
    CLibcurlInflater *inflater = calloc(1, sizeof *inflater);
    // The version is compared by its first digit.
    if (inflater && zlib.init(&inflater->stream, ANY_WINDOW, "1", sizeof inflater->stream) == Z_OK) return inflater;
    free(inflater);
    return NULL;
}

void clibcurl_inflater_free(CLibcurlInflater *inflater) {
    zlib.end(&inflater->stream);
    free(inflater);
}

int clibcurl_inflater_is_within(const CLibcurlInflater *inflater) { return inflater->is_within; }

int clibcurl_inflate(CLibcurlInflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    zlib_stream *stream = &inflater->stream;
    if (!inflater->is_within && *input_count > 0 && zlib.reset(stream) != Z_OK) return -1;
    if (*input_count > 0) inflater->is_within = 1;
    stream->next_in = input;
    stream->available_in = (unsigned int)*input_count;
    stream->next_out = output;
    stream->available_out = (unsigned int)*output_count;
    int result = zlib.inflate(stream, Z_NO_FLUSH);
    *input_count -= stream->available_in;
    *output_count -= stream->available_out;
    if (result == Z_STREAM_END) inflater->is_within = 0;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? 0 : -1;
}
