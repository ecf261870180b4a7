#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CLibcurl.h"

#include "inflate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct clibcurl_functions functions;
static void *library;
static int is_whole;
static int is_initialized;
static atomic_int is_loaded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void find(void **function, const char *name, int is_needed) {
    *function = dlsym(library, name);
    if (is_needed && !*function) is_whole = 0;
}

static void load(void) {
#if defined(__linux__)
    library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
#else
    library = RTLD_DEFAULT;
#endif
    is_whole = 1;
#define FIND(name) find((void **)&functions.name, "curl_" #name, 1)
#define FIND_FOR_TESTS(name) find((void **)&functions.name, "curl_" #name, 0)
    FIND(global_init);
    FIND(version);
    FIND(easy_init);
    FIND(easy_reset);
    FIND(easy_cleanup);
    FIND(easy_setopt);
    FIND(easy_getinfo);
    FIND(easy_pause);
    FIND(easy_send);
    FIND(easy_recv);
    FIND(easy_strerror);
    FIND(slist_append);
    FIND(slist_free_all);
    FIND(multi_init);
    FIND(multi_cleanup);
    FIND(multi_setopt);
    FIND(multi_add_handle);
    FIND(multi_remove_handle);
    FIND(multi_socket_action);
    FIND(multi_info_read);
    FIND_FOR_TESTS(easy_perform);
    FIND_FOR_TESTS(easy_option_by_name);
    FIND_FOR_TESTS(multi_perform);
    FIND_FOR_TESTS(multi_poll);
#undef FIND
#undef FIND_FOR_TESTS
    clibcurl_find_inflate(library);
}

// Again and again until it succeeds: the system may have had no descriptor left.
const struct clibcurl_functions *clibcurl(void) {
    if (atomic_load_explicit(&is_loaded, memory_order_acquire)) return &functions;
    pthread_mutex_lock(&mutex);
    if (!library) load();
    atomic_store_explicit(&is_loaded, library != NULL, memory_order_release);
    pthread_mutex_unlock(&mutex);
    return &functions;
}

int clibcurl_is_loaded(void) { return atomic_load_explicit(&is_loaded, memory_order_acquire); }

static CURLcode initialize(void) {
    if (is_initialized) return CURLE_OK;
    if (!library || !is_whole) return CURLE_FAILED_INIT;
#if defined(__linux__)
    // OPENSSL_INIT_NO_ATEXIT. OpenSSL's own handler frees at exit() what the engine's thread may still be using, or ending with.
    int (*initialize_openssl)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
    if (initialize_openssl) initialize_openssl(0x00080000, 0);
#endif
    CURLcode code = functions.global_init(CURL_GLOBAL_DEFAULT);
    is_initialized = code == CURLE_OK;
    return code;
}

CURLcode clibcurl_global_init(void) {
    clibcurl();
    pthread_mutex_lock(&mutex);
    CURLcode code = initialize();
    pthread_mutex_unlock(&mutex);
    return code;
}
