internal import Bytes
public import Foundation
public import Streams

/// Emits a value for each line of the response, as soon as the line is received, however the bytes are split.
///
/// Empty lines are skipped. Fails with an ``HTTPError`` for an unsuccessful status, with a ``JSON/LinesFailure`` for a line that cannot be
/// decoded, and with the transport's error if the connection is lost. While the subscriber is suspended nothing is read. Operators:
/// `jsonLines(as:using:)`.
public struct JSONLinesNode<Output: Decodable & Sendable>: Node {
    private let transport: any Transport
    private let makeDecoder: @Sendable () -> JSONDecoder

    /// Creates a node that sends its requests on `transport` and decodes each line with a decoder of `decoder`.
    public init(transport: any Transport, decoder: @escaping @Sendable () -> JSONDecoder = { .snakeCaseConverting }) {
        self.transport = transport
        makeDecoder = decoder
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        transport.exchangedTransfer(input).jsonLines(using: makeDecoder)
    }
}

extension ObservableType<TransferEvent> {
    /// Emits the values in the lines of a transfer's response, each as soon as it is received.
    public func jsonLines<Output: Decodable & Sendable>(
        as type: Output.Type = Output.self, using decoder: @escaping @Sendable () -> JSONDecoder = { .snakeCaseConverting }
    ) -> Observable<Output> {
        bodyChunks().jsonLines(as: type, using: decoder)
    }

    /// Emits the bytes of a transfer's response as they are received; fails with an ``HTTPError`` for an unsuccessful status, and with
    /// `TransportError.noResponse` without a response.
    public func bodyChunks() -> Observable<Data> {
        let transfer = requiringResponse()
        return .deferred {
            let unsuccessful = SerialState(UnsuccessfulResponse())
            return transfer.compactMap { event in
                guard try !unsuccessful.value.consume(event), case .chunk(let data) = event else { return nil }
                return data
            }
        }
    }
}

extension ObservableType<Data> {
    /// Emits the values in lines of JSON, from bytes in any split, such as those of a file or of a process.
    public func jsonLines<Output: Decodable & Sendable>(
        as type: Output.Type = Output.self, using decoder: @escaping @Sendable () -> JSONDecoder = { .snakeCaseConverting }
    ) -> Observable<Output> {
        let lines = lines()
        return .deferred {
            let decoder = decoder()
            return lines.compactMap { line in try line.isBlank ? nil : line.decoded(type, using: decoder) }
        }
    }

    /// Emits the lines of bytes in any split.
    ///
    /// - Parameter limit: the maximum length of a line in bytes; a longer one fails with ``JSON/LinesFailure/lineTooLong(number:limit:)``.
    public func lines(limit: Int = 16 * 1024 * 1024) -> Observable<HTTPResponse.Line> {
        let source = asObservable()
        return .deferred {
            let splitter = SerialState(LineSplitter(limit: limit))
            let complete = source.flatMapIterable { try splitter.value.consume($0) }
            return complete.concat(Observable.deferred { .from(optional: splitter.value.finish()) })
        }
    }
}

extension HTTPResponse.Line {
    fileprivate var isBlank: Bool { bytes.allSatisfy(\.isBlank) }

    fileprivate func decoded<Output: Decodable>(_ type: Output.Type, using decoder: JSONDecoder) throws -> Output {
        do { return try bytes.decodeJSON(type, using: decoder) } catch let error as JSON.SyntaxError {
            throw JSON.LinesFailure.notJSON(number: number, error)
        } catch let error as JSON.ModelFailure {
            throw JSON.LinesFailure.unfit(number: number, error)
        }
    }
}
