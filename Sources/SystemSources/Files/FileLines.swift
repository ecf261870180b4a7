import Foundation

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
    /// nothing is read: at most 64 KB and one line are in memory. The lines of a named pipe are emitted as they are written, until its last
    /// writer has closed it. Disposing ends any wait.
    ///
    /// Fails with a ``SystemSourceError``: `notFound`, `notPermitted`, `isDirectory`, `lineTooLong`, `notUTF8`, `outOfResources`, `failed`.
    /// Source: [Swift, AsyncLineSequence](https://developer.apple.com/documentation/foundation/asynclinesequence).
    public static func lines(of file: URL, _ options: LineOptions = LineOptions()) -> Observable<String> {
        .onThread { thread in
            let path = file.path(percentEncoded: false)
            let descriptor = try Descriptor(opening: path)
            let status = try descriptor.status(of: path)
            guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemSourceError.isDirectory(path: path) }
            var reader = LineReader(thread, path: path, options)
            // A regular file is always ready; a pipe without a writer would look as if it had ended.
            let mayWait = status.st_mode & S_IFMT != S_IFREG
            while !thread.isDisposed {
                if mayWait, try thread.wait(reading: [descriptor.number]).isEmpty { continue }
                if case .end = try reader.read(descriptor.number) { return try reader.finish() }
            }
        }
    }
}
