import Foundation
import Streams

extension Observable where Element == String {
    /// Emits the lines of a file, and completes at its end.
    ///
    /// ```swift
    /// let errors = Observable.lines(of: log).filter { $0.contains("ERROR") }
    /// // --a--b--c|
    /// ```
    ///
    /// A line ends with a line feed, or a carriage return and a line feed; the last line may lack it. The file is opened for each
    /// subscription, and read on a thread of the subscription as fast as the observer takes the lines. While the consumer is suspended
    /// nothing is read: at most 64 KB and their lines are in memory. The lines of a named pipe are emitted as they are written, until its last
    /// writer has closed it. Disposing ends any wait.
    ///
    /// Fails with a ``SystemSourceError``: `notFound`, `notPermitted`, `isDirectory`, `lineTooLong`, `notUTF8`, `outOfResources`, `failed`.
    /// Source: [Swift, AsyncLineSequence](https://developer.apple.com/documentation/foundation/asynclinesequence).
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - options: the longest line, and what happens with bytes that are not UTF-8.
    ///   - disk: the disk that the file is on.
    public static func lines(
        of file: URL, _ options: LineOptions = LineOptions(), on disk: any Disk = .system
    ) -> Observable<String> {
        .deferred {
            let decoder = Lock(LineDecoder(options))
            // `nil` is the end, at which the last line is complete.
            return disk.chunks(of: file).map { Data?.some($0) }.concat(Observable<Data?>.just(nil))
                .flatMapIterable { chunk in decoder.withLock { $0.decode(chunk) } }
                .map { try $0.get() }
        }
    }
}
