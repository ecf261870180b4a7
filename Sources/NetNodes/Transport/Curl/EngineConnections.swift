internal import CLibcurl
import Foundation

/// The connections of an engine: counts them for the other loops, and tells libcurl how many it may have. Confined to the engine's thread.
final class EngineConnections {
    private let index: Int
    private let traffic: LoopTraffic
    private let idleLimit: Int
    private var origins: [Int32: OriginTraffic] = [:]
    /// The certificate expiry of each origin; a connection reports it only when it is made.
    private var expiries: [Origin: Date] = [:]
    /// The numbers of connections that libcurl knows.
    private var known = (all: -1, kept: -1)

    init(_ configuration: CurlTransport.Configuration, index: Int, _ traffic: LoopTraffic) {
        (self.index, self.traffic, idleLimit) = (index, traffic, configuration.idleConnections)
    }

    /// Sets the limits of a new multi handle.
    func prepare(_ multi: CurlMulti, _ configuration: CurlTransport.Configuration) {
        clibcurl_multi_set_long(multi.handle, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
        clibcurl_multi_set_long(multi.handle, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        known = (-1, -1)
    }

    /// Applies the limits that hold from the start of a transfer on.
    ///
    /// - Parameter running: the number of running transfers, with this one.
    func apply(_ place: LoopTraffic.Place?, to multi: CurlMulti, running: Int) {
        if let place, known.all != place.connections {
            known.all = place.connections
            clibcurl_multi_set_long(multi.handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, place.connections)
        }
        limitIdle(in: multi, running: running)
    }

    /// Limits the number of idle connections, beside those of the other loops. When a transfer ends, libcurl closes the oldest idle one if
    /// it has more connections than it may have, which counts those that are in use.
    func limitIdle(in multi: CurlMulti, running: Int) {
        let others = traffic.setIdle(max(0, origins.count - running), of: index)
        // With 0 it would keep all.
        let kept = max(1, idleLimit - others + running)
        guard kept != known.kept else { return }
        known.kept = kept
        clibcurl_multi_set_long(multi.handle, CURLMOPT_MAXCONNECTS, kept)
    }

    func didOpen(_ socket: Int32, for place: LoopTraffic.Place?) {
        // Its number may be that of a socket that was closed unnoticed.
        didClose(socket)
        guard let origin = place?.origin else { return }
        origins[socket] = origin
        traffic.didOpenConnection(to: origin, in: index)
    }

    func didClose(_ socket: Int32) {
        guard let origin = origins.removeValue(forKey: socket) else { return }
        let departure = traffic.didCloseConnection(to: origin, in: index)
        departure.granted.first?.loops.resume(after: departure)
    }

    /// The certificate expiry of an origin, as reported by the last connection to it.
    func certificateExpiry(of transfer: CurlTransfer, on easy: CurlEasy) -> Date? {
        guard transfer.origin.scheme == "https" else { return nil }
        if let told = easy.certificateExpiry { expiries[transfer.origin] = told }
        return expiries[transfer.origin]
    }
}
