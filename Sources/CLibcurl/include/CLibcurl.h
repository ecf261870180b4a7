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
    CURL_WRITEFUNC_PAUSE = 0x10000001,
    CURLPAUSE_CONT = 0,
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
    CURLOPT_CAINFO = 10065,
    CURLOPT_SSLKEY = 10087,
    CURLOPT_DEBUGDATA = 10095,
    CURLOPT_CAPATH = 10097,
    CURLOPT_ACCEPT_ENCODING = 10102,
    CURLOPT_SOCKOPTDATA = 10149,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_COPYPOSTFIELDS = 10165,
    CURLOPT_SEEKDATA = 10168,
    CURLOPT_NOPROXY = 10177,
    CURLOPT_RESOLVE = 10203,
    CURLOPT_CLOSESOCKETDATA = 10209,
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

extern CURLcode curl_global_init(long flags);
/// Initializes libcurl. The process may exit while a thread is inside it, which OpenSSL does not allow by itself.
extern CURLcode clibcurl_global_init(void);
extern char *curl_version(void);

extern CURL *curl_easy_init(void);
extern void curl_easy_reset(CURL *handle);
extern void curl_easy_cleanup(CURL *handle);
extern CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...);
extern CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...);
extern CURLcode curl_easy_pause(CURL *handle, int what);
extern CURLcode curl_easy_perform(CURL *handle);
extern CURLcode curl_easy_send(CURL *handle, const void *bytes, size_t count, size_t *sent);
extern CURLcode curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *received);
extern const char *curl_easy_strerror(CURLcode code);
extern const struct curl_easyoption *curl_easy_option_by_name(const char *name);

extern struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line);
extern void curl_slist_free_all(struct curl_slist *list);

extern CURLM *curl_multi_init(void);
extern CURLMcode curl_multi_cleanup(CURLM *multi);
extern CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...);
extern CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle);
extern CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle);
extern CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running);
extern CURLMcode curl_multi_perform(CURLM *multi, int *running);
extern CURLMcode curl_multi_poll(CURLM *multi, void *more, unsigned int more_count, int milliseconds, int *ready);
extern CURLMsg *curl_multi_info_read(CURLM *multi, int *left);

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
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_offset(CURL *handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_list(CURL *handle, CURLoption option, const struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_write(CURL *handle, CURLoption option, clibcurl_write function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode clibcurl_set_read(CURL *handle, clibcurl_read function) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, function);
}

static inline CURLcode clibcurl_set_seek(CURL *handle, clibcurl_seek function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode clibcurl_set_progress(CURL *handle, clibcurl_progress function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode clibcurl_set_prerequest(CURL *handle, clibcurl_prerequest function) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode clibcurl_set_debug(CURL *handle, clibcurl_debug function) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLcode clibcurl_set_open_socket(CURL *handle, clibcurl_open_socket function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode clibcurl_set_close_socket(CURL *handle, clibcurl_close_socket function) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode clibcurl_set_set_up_socket(CURL *handle, clibcurl_set_up_socket function) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, function);
}

static inline CURLcode clibcurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_socket(CURL *handle, curl_socket_t *value) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode clibcurl_get_offset(CURL *handle, CURLINFO info, int64_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode clibcurl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode clibcurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode clibcurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode clibcurl_multi_set_socket(CURLM *multi, clibcurl_socket function) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode clibcurl_multi_set_timer(CURLM *multi, clibcurl_timer function) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

#ifdef __cplusplus
}
#endif

#endif
