internal import CLibcurl
import Schedulers

/// libcurl and the libraries that it needs, which take milliseconds to load.
package enum CurlLibrary {
    private static let loading: Void = {
        _ = SystemThread.start(named: "NetNodes.load") { _ = clibcurl_global_init() }
    }()

    /// Loads them on a thread of its own, once in a process, so that the first request need not wait for that.
    package static func prepare() { loading }
}
