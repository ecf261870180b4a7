import Foundation
import NetNodes
import TerminalViews

/// The output of an exchange besides its body: the heads of `--include`, the lines of `--verbose`, the waterfall of `--timing`, the text of
/// `--write-out`.
final class ExchangeNotes: Sendable {
    private let display: DisplayOptions
    private let request: PreparedRequest
    private let isTerminal: Bool
    private let head: HeadText
    private let verbose: VerboseText
    private let received = Lock((lines: [String](), isInHead: false))
    private let result = Lock(ResponseSummary())
    private let lastFault = Lock((error: TransportError?.none, code: Int32?.none))

    /// - Parameter isTerminal: whether a terminal shows standard output, now or later.
    init(_ display: DisplayOptions, of request: PreparedRequest, isTerminal: Bool) {
        self.display = display
        self.request = request
        self.isTerminal = isTerminal
        head = HeadText(palette: BodyStyle(display, isTerminal: isTerminal).palette, isTerminal: isTerminal)
        verbose = VerboseText(palette: Palette(for: STDERR_FILENO, display.color), showsSecrets: display.showsSecrets)
    }

    /// Whether the notes need a trace of the connection.
    var needTrace: Bool { display.isVerbose || display.includesHead }

    /// The failure of the last transfer, in the words of the transport.
    var fault: TransferFault? {
        lastFault.withLock { fault in fault.error.map { TransferFault(error: $0, code: fault.code) } }
    }

    /// Returns the transport with its errors noted.
    func noting(_ transport: any Transport) -> any Transport {
        FaultNotingTransport(transport: transport) { [self] error in lastFault.withLock { $0.error = error } }
    }

    /// Notes libcurl's code of a failure, which precedes the error.
    func note(failure code: Int32) {
        lastFault.withLock { $0.code = code }
    }

    /// Follows an attempt, and forgets the notes of an earlier one.
    func following(_ attempt: Observable<TransferEvent>) -> Observable<TransferEvent> {
        attempt.do(
            onNext: { [self] event in result.withLock { $0 = $0.adding(event) } },
            onSubscribe: { [self] in
                received.withLock { $0 = ([], false) }
                result.withLock { $0 = ResponseSummary() }
                lastFault.withLock { $0 = (nil, nil) }
            })
    }

    /// Returns the text of `--write-out`, whether the transfer has failed or not.
    func writeOut(code: Int32, _ error: (any Error)?) -> String {
        guard let format = display.writeOut else { return "" }
        let text = format.text(result.withLock(\.self), of: request, code: code, error)
        // The descriptor is checked again: during a transfer to a device, standard output is that device.
        return isTerminal || isatty(STDOUT_FILENO) == 1 ? TerminalText.sanitizedLines(text) : text
    }

    /// Returns the line for standard error; the lines of heads are collected.
    func note(_ trace: CurlTransport.Trace) -> String? {
        if case .receivedHeader(let line) = trace, display.includesHead { collect(line) }
        return display.isVerbose ? verbose.line(trace) : nil
    }

    /// Takes the heads that were received, as text for standard output.
    func takeHeads() -> String {
        received.withLock { received in
            defer { received.lines = [] }
            return received.lines.map(head.line).joined()
        }
    }

    /// Returns the lines for standard error about a complete transfer.
    func lines(after metrics: HTTPResponse.Metrics) -> [String] {
        let summary = display.isVerbose ? [verbose.summary(metrics)] : []
        guard display.showsTiming else { return summary }
        // An empty line separates the text from the body above.
        let gap = isatty(STDOUT_FILENO) == 1 ? [""] : []
        return summary + gap
            + Waterfall(palette: Palette(for: STDERR_FILENO, display.color), width: Console.errorWidth, isASCII: !Console.showsUnicode)
            .lines(metrics)
    }

    /// Collects the lines of heads; trailers, which follow the body, do not belong to a head.
    private func collect(_ line: String) {
        received.withLock { received in
            if line.utf8.starts(with: "HTTP/".utf8) { received.isInHead = true }
            guard received.isInHead else { return }
            received.lines.append(line)
            received.isInHead = !line.isEmpty
        }
    }
}

/// The failure of a transfer.
struct TransferFault {
    let error: TransportError
    /// libcurl's code; `nil` if it was not libcurl that failed.
    var code: Int32?
}

/// A transport that reports the error with which each transfer failed.
private struct FaultNotingTransport: Transport {
    let transport: any Transport
    let report: @Sendable (TransportError?) -> Void

    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        transport.transfer(request).do(onError: { [report] error in report(error as? TransportError) })
    }
}
