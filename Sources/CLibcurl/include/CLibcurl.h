// The part of libcurl's stable interface that NetNodes uses, so that no development package has to be installed.
// Numbers and layouts are libcurl's binary interface: https://curl.se/libcurl/c/

#ifndef CLIBCURL_H
#define CLIBCURL_H

#include <stdint.h>
#include <stddef.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CLibcurlEasy CURL;
typedef struct CLibcurlMulti CURLM;
typedef int curl_socket_t;
typedef int CURLMcode;

typedef enum {
    CURLE_OK = 0,
    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_FAILED_INIT = 2,
    CURLE_URL_MALFORMAT = 3,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_WEIRD_SERVER_REPLY = 8,
    CURLE_HTTP2 = 16,
    CURLE_PARTIAL_FILE = 18,
    CURLE_READ_ERROR = 26,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_ABORTED_BY_CALLBACK = 42,
    CURLE_INTERFACE_FAILED = 45,
    CURLE_GOT_NOTHING = 52,
    CURLE_SSL_ENGINE_NOTFOUND = 53,
    CURLE_SSL_ENGINE_SETFAILED = 54,
    CURLE_SEND_ERROR = 55,
    CURLE_RECV_ERROR = 56,
    CURLE_SSL_CERTPROBLEM = 58,
    CURLE_SSL_CIPHER = 59,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61,
    CURLE_SEND_FAIL_REWIND = 65,
    CURLE_SSL_ENGINE_INITFAILED = 66,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_SHUTDOWN_FAILED = 80,
    CURLE_AGAIN = 81,
    CURLE_SSL_CRL_BADFILE = 82,
    CURLE_SSL_ISSUER_ERROR = 83,
    CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CURLE_SSL_INVALIDCERTSTATUS = 91,
    CURLE_HTTP2_STREAM = 92,
    CURLE_PROXY = 97,
    CURLE_SSL_CLIENTCERT = 98,
    CURLE_TOO_LARGE = 100,
} CURLcode;

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

struct curl_blob {
    void *data;
    size_t len;
    unsigned int flags;
};

struct curl_certinfo {
    int num_of_certs;
    struct curl_slist **certinfo;
};

struct curl_sockaddr {
    int family;
    int socktype;
    int protocol;
    unsigned int addrlen;
    struct sockaddr addr;
};

typedef struct CURLMsg {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

enum { CURLMSG_DONE = 1 };

enum {
    CURL_GLOBAL_DEFAULT = 3,
    CURL_ERROR_SIZE = 256,
    CURL_BLOB_COPY = 1,
    CURL_SOCKET_BAD = -1,
    CURL_SOCKET_TIMEOUT = -1,
    CURL_HTTP_VERSION_1_1 = 2,
    CURL_HTTP_VERSION_2 = 3,
    CURL_HTTP_VERSION_2TLS = 4,
    CURL_HTTP_VERSION_3 = 30,
    CURLPROTO_HTTP = 1,
    CURLPROTO_HTTPS = 2,
    CURLPIPE_MULTIPLEX = 2,
    CURL_PREREQFUNC_OK = 0,
    CURL_PREREQFUNC_ABORT = 1,
    CURL_SEEKFUNC_OK = 0,
    CURL_SEEKFUNC_FAIL = 1,
    CURL_READFUNC_ABORT = 0x10000000,
    CURL_READFUNC_PAUSE = 0x10000001,
    CURL_WRITEFUNC_PAUSE = 0x10000001,
    CURLPAUSE_CONT = 0,
    CURLPAUSE_RECV = 1,
    CURLPAUSE_SEND = 4,
    CURL_SOCKOPT_OK = 0,
    CURL_SOCKOPT_ALREADY_CONNECTED = 2,
};

enum {
    CURL_POLL_NONE = 0,
    CURL_POLL_IN = 1,
    CURL_POLL_OUT = 2,
    CURL_POLL_INOUT = 3,
    CURL_POLL_REMOVE = 4,
};

enum {
    CURL_CSELECT_IN = 1,
    CURL_CSELECT_OUT = 2,
    CURL_CSELECT_ERR = 4,
};

typedef enum {
    CURLINFO_TEXT = 0,
    CURLINFO_HEADER_IN = 1,
    CURLINFO_HEADER_OUT = 2,
} curl_infotype;

typedef enum {
    CURLOPT_SSLVERSION = 32,
    CURLOPT_VERBOSE = 41,
    CURLOPT_HTTPGET = 80,
    CURLOPT_NOPROGRESS = 43,
    CURLOPT_NOBODY = 44,
    CURLOPT_UPLOAD = 46,
    CURLOPT_POST = 47,
    CURLOPT_FOLLOWLOCATION = 52,
    CURLOPT_HTTPPROXYTUNNEL = 61,
    CURLOPT_SSL_VERIFYPEER = 64,
    CURLOPT_FRESH_CONNECT = 74,
    CURLOPT_FORBID_REUSE = 75,
    CURLOPT_SSL_VERIFYHOST = 81,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_BUFFERSIZE = 98,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_IPRESOLVE = 113,
    CURLOPT_CONNECT_ONLY = 141,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_CERTINFO = 172,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_TCP_KEEPALIVE = 213,
    CURLOPT_SSL_ENABLE_ALPN = 226,
    CURLOPT_PIPEWAIT = 237,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CURLOPT_UPLOAD_BUFFERSIZE = 280,
    CURLOPT_MAXAGE_CONN = 288,
    CURLOPT_MAXLIFETIME_CONN = 314,
    CURLOPT_CA_CACHE_TIMEOUT = 321,
    CURLOPT_QUICK_EXIT = 322,

    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_READDATA = 10009,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_USERAGENT = 10018,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_SSLCERT = 10025,
    CURLOPT_KEYPASSWD = 10026,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_CUSTOMREQUEST = 10036,
    CURLOPT_XFERINFODATA = 10057,
    CURLOPT_INTERFACE = 10062,
    CURLOPT_CAINFO = 10065,
    CURLOPT_SSLKEY = 10087,
    CURLOPT_DEBUGDATA = 10095,
    CURLOPT_CAPATH = 10097,
    CURLOPT_ACCEPT_ENCODING = 10102,
    CURLOPT_SOCKOPTDATA = 10149,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_COPYPOSTFIELDS = 10165,
    CURLOPT_SEEKDATA = 10168,
    CURLOPT_PROXYUSERNAME = 10175,
    CURLOPT_PROXYPASSWORD = 10176,
    CURLOPT_NOPROXY = 10177,
    CURLOPT_RESOLVE = 10203,
    CURLOPT_CLOSESOCKETDATA = 10209,
    CURLOPT_PINNEDPUBLICKEY = 10230,
    CURLOPT_UNIX_SOCKET_PATH = 10231,
    CURLOPT_CONNECT_TO = 10243,
    CURLOPT_PREREQDATA = 10313,

    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_READFUNCTION = 20012,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_SOCKOPTFUNCTION = 20148,
    CURLOPT_DEBUGFUNCTION = 20094,
    CURLOPT_OPENSOCKETFUNCTION = 20163,
    CURLOPT_SEEKFUNCTION = 20167,
    CURLOPT_CLOSESOCKETFUNCTION = 20208,
    CURLOPT_XFERINFOFUNCTION = 20219,
    CURLOPT_PREREQFUNCTION = 20312,

    CURLOPT_INFILESIZE_LARGE = 30115,
    CURLOPT_POSTFIELDSIZE_LARGE = 30120,

    CURLOPT_SSLCERT_BLOB = 40291,
    CURLOPT_SSLKEY_BLOB = 40292,
    CURLOPT_CAINFO_BLOB = 40309,
} CURLoption;

struct curl_easyoption {
    const char *name;
    CURLoption id;
    int type;
    unsigned int flags;
};

typedef enum {
    CURLMOPT_PIPELINING = 3,
    CURLMOPT_MAXCONNECTS = 6,
    CURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CURLMOPT_MAX_TOTAL_CONNECTIONS = 13,
    CURLMOPT_SOCKETDATA = 10002,
    CURLMOPT_TIMERDATA = 10005,
    CURLMOPT_SOCKETFUNCTION = 20001,
    CURLMOPT_TIMERFUNCTION = 20004,
} CURLMoption;

typedef enum {
    CURLINFO_PRIMARY_IP = 0x100000 + 32,
    CURLINFO_RESPONSE_CODE = 0x200000 + 2,
    CURLINFO_OS_ERRNO = 0x200000 + 25,
    CURLINFO_NUM_CONNECTS = 0x200000 + 26,
    CURLINFO_HTTP_VERSION = 0x200000 + 46,
    CURLINFO_CERTINFO = 0x400000 + 34,
    CURLINFO_ACTIVESOCKET = 0x500000 + 44,
    CURLINFO_SIZE_UPLOAD_T = 0x600000 + 7,
    CURLINFO_SIZE_DOWNLOAD_T = 0x600000 + 8,
    CURLINFO_TOTAL_TIME_T = 0x600000 + 50,
    CURLINFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
    CURLINFO_CONNECT_TIME_T = 0x600000 + 52,
    CURLINFO_STARTTRANSFER_TIME_T = 0x600000 + 54,
    CURLINFO_APPCONNECT_TIME_T = 0x600000 + 56,
} CURLINFO;

// The functions are found when the first of them is called, and not when the program starts: libcurl brings some thirty libraries, which
// would take longer to start than the rest of a program.
struct clibcurl_functions {
    CURLcode (*global_init)(long flags);
    char *(*version)(void);

    CURL *(*easy_init)(void);
    void (*easy_reset)(CURL *handle);
    void (*easy_cleanup)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    CURLcode (*easy_pause)(CURL *handle, int what);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_send)(CURL *handle, const void *bytes, size_t count, size_t *sent);
    CURLcode (*easy_recv)(CURL *handle, void *buffer, size_t size, size_t *received);
    const char *(*easy_strerror)(CURLcode code);
    const struct curl_easyoption *(*easy_option_by_name)(const char *name);

    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);

    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *multi);
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *handle);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *handle);
    CURLMcode (*multi_socket_action)(CURLM *multi, curl_socket_t socket, int events, int *running);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, void *more, unsigned int more_count, int milliseconds, int *ready);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
};

/// The functions, all of which must be there: `clibcurl_global_init` tells.
extern const struct clibcurl_functions *clibcurl(void);
/// Loads and initializes libcurl, unless that has been done, and returns 0. Nothing of it may be called before. The process may exit while
/// a thread is inside it, which OpenSSL does not allow by itself.
extern CURLcode clibcurl_global_init(void);

/// Whether the library is loaded, for tests.
extern int clibcurl_is_loaded(void);

static inline char *curl_version(void) { return clibcurl()->version(); }
static inline CURL *curl_easy_init(void) { return clibcurl()->easy_init(); }
static inline void curl_easy_reset(CURL *handle) { clibcurl()->easy_reset(handle); }
static inline void curl_easy_cleanup(CURL *handle) { clibcurl()->easy_cleanup(handle); }
static inline CURLcode curl_easy_pause(CURL *handle, int what) { return clibcurl()->easy_pause(handle, what); }
static inline CURLcode curl_easy_perform(CURL *handle) { return clibcurl()->easy_perform(handle); }
static inline CURLcode curl_easy_send(CURL *handle, const void *bytes, size_t count, size_t *sent) {
    return clibcurl()->easy_send(handle, bytes, count, sent);
}
static inline CURLcode curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *received) {
    return clibcurl()->easy_recv(handle, buffer, size, received);
}
static inline const char *curl_easy_strerror(CURLcode code) { return clibcurl()->easy_strerror(code); }
static inline const struct curl_easyoption *curl_easy_option_by_name(const char *name) { return clibcurl()->easy_option_by_name(name); }
static inline struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
    return clibcurl()->slist_append(list, line);
}
static inline void curl_slist_free_all(struct curl_slist *list) { clibcurl()->slist_free_all(list); }
static inline CURLM *curl_multi_init(void) { return clibcurl()->multi_init(); }
static inline CURLMcode curl_multi_cleanup(CURLM *multi) { return clibcurl()->multi_cleanup(multi); }
static inline CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) { return clibcurl()->multi_add_handle(multi, handle); }
static inline CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) { return clibcurl()->multi_remove_handle(multi, handle); }
static inline CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return clibcurl()->multi_socket_action(multi, socket, events, running);
}
static inline CURLMcode curl_multi_perform(CURLM *multi, int *running) { return clibcurl()->multi_perform(multi, running); }
static inline CURLMcode curl_multi_poll(CURLM *multi, void *more, unsigned int more_count, int milliseconds, int *ready) {
    return clibcurl()->multi_poll(multi, more, more_count, milliseconds, ready);
}
static inline CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return clibcurl()->multi_info_read(multi, left); }

typedef size_t (*clibcurl_write)(char *bytes, size_t size, size_t count, void *context);
typedef size_t (*clibcurl_read)(char *buffer, size_t size, size_t count, void *context);
typedef int (*clibcurl_seek)(void *context, int64_t offset, int origin);
typedef int (*clibcurl_progress)(void *context, int64_t expected, int64_t received, int64_t to_send, int64_t sent);
typedef int (*clibcurl_prerequest)(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port);
typedef int (*clibcurl_debug)(CURL *handle, curl_infotype kind, char *bytes, size_t count, void *context);
typedef curl_socket_t (*clibcurl_open_socket)(void *context, int purpose, struct curl_sockaddr *address);
typedef int (*clibcurl_close_socket)(void *context, curl_socket_t socket);
typedef int (*clibcurl_set_up_socket)(void *context, curl_socket_t socket, int purpose);
typedef int (*clibcurl_socket)(CURL *handle, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*clibcurl_timer)(CURLM *multi, long milliseconds, void *context);

// Swift cannot call variadic functions: one wrapper for each kind of argument.

static inline CURLcode clibcurl_set_long(CURL *handle, CURLoption option, long value) {
    return clibcurl()->easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_offset(CURL *handle, CURLoption option, int64_t value) {
    return clibcurl()->easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return clibcurl()->easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return clibcurl()->easy_setopt(handle, option, value);
}

/// Sets a copy of bytes.
static inline CURLcode clibcurl_set_blob(CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return clibcurl()->easy_setopt(handle, option, &blob);
}

static inline CURLcode clibcurl_set_list(CURL *handle, CURLoption option, const struct curl_slist *value) {
    return clibcurl()->easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_write(CURL *handle, CURLoption option, clibcurl_write function) {
    return clibcurl()->easy_setopt(handle, option, function);
}

static inline CURLcode clibcurl_set_read(CURL *handle, clibcurl_read function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_READFUNCTION, function);
}

static inline CURLcode clibcurl_set_seek(CURL *handle, clibcurl_seek function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode clibcurl_set_progress(CURL *handle, clibcurl_progress function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode clibcurl_set_prerequest(CURL *handle, clibcurl_prerequest function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode clibcurl_set_debug(CURL *handle, clibcurl_debug function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLcode clibcurl_set_open_socket(CURL *handle, clibcurl_open_socket function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode clibcurl_set_close_socket(CURL *handle, clibcurl_close_socket function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode clibcurl_set_set_up_socket(CURL *handle, clibcurl_set_up_socket function) {
    return clibcurl()->easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, function);
}

static inline CURLcode clibcurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return clibcurl()->easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_socket(CURL *handle, curl_socket_t *value) {
    return clibcurl()->easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode clibcurl_get_offset(CURL *handle, CURLINFO info, int64_t *value) {
    return clibcurl()->easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return clibcurl()->easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return clibcurl()->easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode clibcurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return clibcurl()->multi_setopt(multi, option, value);
}

static inline CURLMcode clibcurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return clibcurl()->multi_setopt(multi, option, value);
}

static inline CURLMcode clibcurl_multi_set_socket(CURLM *multi, clibcurl_socket function) {
    return clibcurl()->multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode clibcurl_multi_set_timer(CURLM *multi, clibcurl_timer function) {
    return clibcurl()->multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

// zlib, which libcurl uses.

/// Decompresses gzip and zlib, one stream behind the other.
typedef struct CLibcurlInflater CLibcurlInflater;

/// Whether zlib is there.
extern int clibcurl_can_inflate(void);
/// NULL without zlib or memory.
extern CLibcurlInflater *clibcurl_inflater_create(void);
extern void clibcurl_inflater_free(CLibcurlInflater *inflater);
/// Whether a stream has begun and not ended.
extern int clibcurl_inflater_is_within(const CLibcurlInflater *inflater);
/// Decompresses until the input is used or the output is full, and sets the counts to those used and made. Returns 0, or -1 for invalid
/// input.
extern int clibcurl_inflate(CLibcurlInflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count);

#ifdef __cplusplus
}
#endif

#endif
