#define _GNU_SOURCE
#include "CLibcurl.h"

#include <dlfcn.h>
#include <stdint.h>

CURLcode clibcurl_global_init(void) {
#if defined(__linux__)
    // OPENSSL_INIT_NO_ATEXIT. OpenSSL's own handler frees at exit() what the engine's thread may still be using, or ending with.
    int (*initialize)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (initialize) initialize(0x00080000, 0);
#endif
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
