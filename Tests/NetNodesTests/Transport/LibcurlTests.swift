import CLibcurl
import Foundation
import NetNodes
import StreamsTesting
import TestSupport
import Testing

/// The numbers that the header declares, checked against the library that is loaded.
@Suite("libcurl's interface", .countsResources)
struct LibcurlTests {
    private static let options: [(CURLoption, String)] = [
        (CURLOPT_HTTPGET, "HTTPGET"), (CURLOPT_NOPROGRESS, "NOPROGRESS"), (CURLOPT_NOBODY, "NOBODY"), (CURLOPT_UPLOAD, "UPLOAD"),
        (CURLOPT_POST, "POST"), (CURLOPT_FOLLOWLOCATION, "FOLLOWLOCATION"), (CURLOPT_SSL_VERIFYPEER, "SSL_VERIFYPEER"),
        (CURLOPT_SSL_VERIFYHOST, "SSL_VERIFYHOST"), (CURLOPT_HTTP_VERSION, "HTTP_VERSION"), (CURLOPT_BUFFERSIZE, "BUFFERSIZE"),
        (CURLOPT_NOSIGNAL, "NOSIGNAL"), (CURLOPT_CONNECTTIMEOUT_MS, "CONNECTTIMEOUT_MS"), (CURLOPT_PROTOCOLS, "PROTOCOLS"),
        (CURLOPT_PIPEWAIT, "PIPEWAIT"), (CURLOPT_SUPPRESS_CONNECT_HEADERS, "SUPPRESS_CONNECT_HEADERS"), (CURLOPT_WRITEDATA, "WRITEDATA"),
        (CURLOPT_URL, "URL"), (CURLOPT_READDATA, "READDATA"), (CURLOPT_ERRORBUFFER, "ERRORBUFFER"), (CURLOPT_HTTPHEADER, "HTTPHEADER"),
        (CURLOPT_HEADERDATA, "HEADERDATA"), (CURLOPT_CUSTOMREQUEST, "CUSTOMREQUEST"), (CURLOPT_XFERINFODATA, "XFERINFODATA"),
        (CURLOPT_CAINFO, "CAINFO"), (CURLOPT_ACCEPT_ENCODING, "ACCEPT_ENCODING"), (CURLOPT_COPYPOSTFIELDS, "COPYPOSTFIELDS"),
        (CURLOPT_SEEKDATA, "SEEKDATA"), (CURLOPT_NOPROXY, "NOPROXY"), (CURLOPT_WRITEFUNCTION, "WRITEFUNCTION"),
        (CURLOPT_READFUNCTION, "READFUNCTION"), (CURLOPT_HEADERFUNCTION, "HEADERFUNCTION"), (CURLOPT_SEEKFUNCTION, "SEEKFUNCTION"),
        (CURLOPT_OPENSOCKETFUNCTION, "OPENSOCKETFUNCTION"), (CURLOPT_XFERINFOFUNCTION, "XFERINFOFUNCTION"),
        (CURLOPT_CLOSESOCKETFUNCTION, "CLOSESOCKETFUNCTION"), (CURLOPT_CLOSESOCKETDATA, "CLOSESOCKETDATA"),
        (CURLOPT_INFILESIZE_LARGE, "INFILESIZE_LARGE"), (CURLOPT_POSTFIELDSIZE_LARGE, "POSTFIELDSIZE_LARGE"),
        (CURLOPT_PREREQFUNCTION, "PREREQFUNCTION"), (CURLOPT_PREREQDATA, "PREREQDATA"), (CURLOPT_QUICK_EXIT, "QUICK_EXIT"),
        (CURLOPT_SSLVERSION, "SSLVERSION"), (CURLOPT_MAXAGE_CONN, "MAXAGE_CONN"), (CURLOPT_MAXLIFETIME_CONN, "MAXLIFETIME_CONN"),
        (CURLOPT_INTERFACE, "INTERFACE"), (CURLOPT_PROXYUSERNAME, "PROXYUSERNAME"), (CURLOPT_PROXYPASSWORD, "PROXYPASSWORD"),
        (CURLOPT_PINNEDPUBLICKEY, "PINNEDPUBLICKEY"), (CURLOPT_UNIX_SOCKET_PATH, "UNIX_SOCKET_PATH"), (CURLOPT_PROXY, "PROXY"),
        (CURLOPT_SSLCERT_BLOB, "SSLCERT_BLOB"), (CURLOPT_SSLKEY_BLOB, "SSLKEY_BLOB"), (CURLOPT_CAINFO_BLOB, "CAINFO_BLOB"),
        (CURLOPT_IPRESOLVE, "IPRESOLVE"), (CURLOPT_RESOLVE, "RESOLVE"), (CURLOPT_KEYPASSWD, "KEYPASSWD"),
        (CURLOPT_CERTINFO, "CERTINFO"), (CURLOPT_CAPATH, "CAPATH"), (CURLOPT_CA_CACHE_TIMEOUT, "CA_CACHE_TIMEOUT"),
    ]

    @Test(arguments: options) func `Option numbers match the library's`(option: CURLoption, name: String) {
        guard let known = curl_easy_option_by_name(name)?.pointee else { return }
        #expect(known.id == option)
    }

    #if os(Linux)
        @Test(.startsChild) func `A transport that is made loads it, without a request`() async {
            await #expect(processExitsWith: .success) {
                #expect(clibcurl_is_loaded() == 0)
                let transport = CurlTransport()
                let deadline = ContinuousClock.now + .seconds(300)
                while clibcurl_is_loaded() == 0, ContinuousClock.now < deadline { sched_yield() }
                #expect(clibcurl_is_loaded() != 0)
                withExtendedLifetime(transport) {}
            }
        }
    #endif
}
