public import Foundation
public import Streams

/// A request whose response is a value a line: each is sent as soon as its line has come, however the bytes are cut.
///
/// Empty lines are passed over. Fails with an ``HTTPError`` at a bad status, with a ``JSONLinesError`` at a line that does not fit, and with the
/// transport's error where the connection breaks. Operators: ``Streams/ObservableType/jsonLines(as:using:)``.
public struct JSONLinesNode<Output: Decodable & Sendable>: Node {
    private let transport: any Transport
    private let makeDecoder: @Sendable () -> JSONDecoder

    public init(transport: any Transport, decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }) {
        self.transport = transport
        makeDecoder = decoder
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        transport.transfer(input).jsonLines(using: makeDecoder)
    }
}

extension ObservableType<TransferEvent> {
    /// The values in the lines of a transfer's response, each as soon as it has come.
    public func jsonLines<Output: Decodable & Sendable>(
        as type: Output.Type = Output.self, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Output> {
        bodyChunks().jsonLines(as: type, using: decoder)
    }

    /// The bytes of a transfer's response as they come; an ``HTTPError`` at a bad status, ``TransportError/noResponse`` where none came.
    public func bodyChunks() -> Observable<Data> {
        let transfer = requiringResponse()
        return .deferred {
            let bad = SerialState(BadResponse())
            return transfer.compactMap { event in
                guard try !bad.value.takes(event), case .chunk(let data) = event else { return nil }
                return data
            }
        }
    }
}

extension ObservableType<Data> {
    /// The values in lines of JSON, from bytes that are cut anywhere, such as those of a file or of a process.
    public func jsonLines<Output: Decodable & Sendable>(
        as type: Output.Type = Output.self, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Output> {
        let lines = lines()
        return .deferred {
            let decoder = decoder()
            return lines.compactMap { line in try line.isBlank ? nil : line.decoded(type, using: decoder) }
        }
    }

    /// The lines in bytes that are cut anywhere.
    ///
    /// - Parameter limit: how long one line may be, in bytes; a longer one is ``JSONLinesError/lineTooLong(number:limit:)``.
    public func lines(limit: Int = 16 * 1024 * 1024) -> Observable<LineSplitter.Line> {
        let source = asObservable()
        return .deferred {
            let splitter = SerialState(LineSplitter(limit: limit))
            let complete = source.concatMap { Observable.from(try splitter.value.consume($0)) }
            return complete.concat(Observable.deferred { .from(optional: splitter.value.finish()) })
        }
    }
}

extension LineSplitter.Line {
    fileprivate var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    fileprivate func decoded<Output: Decodable>(_ type: Output.Type, using decoder: JSONDecoder) throws -> Output {
        do { return try bytes.decodeJSON(type, using: decoder) } catch let error as JSONError {
            throw JSONLinesError.notJSON(number: number, error)
        } catch let error as ModelError {
            throw JSONLinesError.unfit(number: number, error)
        }
    }
}
