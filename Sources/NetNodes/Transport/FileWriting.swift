package import Foundation
package import Streams

extension ObservableType<TransferEvent> {
    /// Hands the events of a transfer to `write`, on a queue of their own, and emits the results. So a slow disk delays no other transfer
    /// of the same thread, and delays this one only when 16 events wait for the disk.
    package func written<Result: Sendable>(
        by write: @escaping @Sendable (TransferEvent) throws -> Result?
    ) -> Observable<Result> {
        let transfer = asObservable()
        return .deferred {
            transfer.observe(on: SerialDispatchQueueScheduler(label: "NetNodes.file"), overflow: .waitingForTurn).compactMap(write)
        }
    }
}

extension Data {
    /// Appends the bytes to an open file.
    ///
    /// - Throws: `POSIXError`; a part of the bytes may have been written then.
    package func append(to descriptor: Int32) throws(POSIXError) {
        for region in regions {
            var rest = region[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .last }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Writes the data atomically into a file that only its owner can read.
    ///
    /// - Parameter isChecked: whether readers recognize a damaged file, so that a power cut may damage it.
    /// - Throws: `POSIXError`.
    package func writeWhole(to target: URL, isChecked: Bool = false) throws {
        let file = try PartialFile(for: target)
        try file.write(self)
        try file.finish(isChecked: isChecked)
    }
}

extension POSIXError {
    /// The error of the last call of the system on this thread.
    package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
