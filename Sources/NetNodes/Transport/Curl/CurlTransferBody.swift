internal import CLibcurl
import Foundation

/// The body of a response.
extension CurlTransfer {
    /// The treatment of received bytes.
    enum Reception {
        case accepted
        /// libcurl keeps them, and pauses reading.
        case pause
        /// libcurl should abort.
        case abort
    }

    /// The longest body of a redirect that is read to keep the connection.
    private static let longestIgnoredBody = 64 * 1024
    /// The number of bytes queued until libcurl has returned from which on it reads no more: it would read megabytes at a time. What it has
    /// read already, at most one buffer, is queued too.
    private static let undeliveredLimit = 256 * 1024

    func didReceiveBytes(_ bytes: UnsafeRawBufferPointer) -> Reception {
        // A parked transfer continues when it is resumed.
        guard !isParked else { return .pause }
        guard isDrained else {
            engine.block(self)
            return .pause
        }
        if outlet.undelivered >= Self.undeliveredLimit { pauseReading() }
        recordActivity()
        guard outcome == nil else {
            received += Int64(bytes.count)
            return received <= Self.longestIgnoredBody ? .accepted : .abort
        }
        guard let gzip else { return accept(bytes) ? .accepted : .abort }
        gzip.add(bytes)
        decompress()
        return outcome == nil ? .accepted : .abort
    }

    /// Makes libcurl read no more until the next turn. Bytes that a callback rejects would be copied; these are still accepted.
    private func pauseReading() {
        guard let easy else { return }
        engine.block(self)
        curl_easy_pause(easy.handle, Int32(isAwaitingBody ? CURLPAUSE_RECV | CURLPAUSE_SEND : CURLPAUSE_RECV))
    }

    /// Queues bytes for the consumer, and returns whether the body is within its limit.
    private func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += Int64(bytes.count)
        guard received <= maximumBodySize else {
            failForSize()
            return false
        }
        if let collector {
            collector.append(bytes)
        } else {
            outlet.undelivered += bytes.count
            engine.enqueue(bytes, for: self)
        }
        return true
    }

    /// Whether all received bytes are decompressed.
    var isDrained: Bool { gzip.map { outcome != nil || $0.isDrained } ?? true }

    /// Decompresses as much as may be queued; the remaining bytes wait for the next turn.
    func decompress() {
        guard let gzip, outcome == nil else { return }
        do throws(GzipBody.Malformed) {
            while outlet.undelivered < Self.undeliveredLimit {
                let piece = try gzip.next()
                guard !piece.isEmpty, accept(piece) else { break }
            }
        } catch {
            failForDamage()
        }
        if !isDrained { engine.block(self) }
    }

    func failForSize() {
        outcome = .failure(.bodyTooLarge(limit: maximumBodySize, url: request.redactedURL))
    }

    func failForDamage() {
        outcome = .failure(.undecodableBody(url: request.redactedURL, reason: damagedBody))
    }

    /// Returns the last event, if it was held back and no longer has to wait.
    func takeEnd() -> TransferOutlet.Event? {
        guard let end = heldEnd, isDrained else { return nil }
        heldEnd = nil
        if case .success = end, outcome == nil, gzip?.isIncomplete == true { failForDamage() }
        if case .failure(let error)? = outcome { return .failure(error) }
        return end
    }
}

extension HTTPRequest {
    /// Whether the transport requests a compressed body, and decompresses it while it is received.
    var asksForGzip: Bool { headers["Accept-Encoding"] == nil && GzipBody.isPossible }
}
