/// Parses the bytes of one connection into requests, however they are split.
///
/// It is a value without I/O: `append` the bytes that were read, then call `next()` until it needs more. Every split of the same bytes
/// produces the same steps, except that a body which is passed on as it arrives may be split elsewhere. It buffers the bytes that are not
/// consumed yet (the caller bounds them by pausing reads), and at most one body of the allowed size. After a failure it stays failed.
struct RequestParser: Sendable {
    /// The limits of a request.
    struct Limits: Sendable, Equatable {
        var lineBytes = 16 << 10
        var headerBytes = 64 << 10
        var bodyBytes = 64 << 20
    }

    /// A complete request.
    struct Request: Sendable, Equatable {
        let head: MessageHead
        let body: [UInt8]
        /// Whether the client waits for a response before it sends the body of an upload.
        var expectsContinue = false
    }

    /// The result of parsing a step.
    enum Step: Sendable, Equatable {
        case needsInput
        case expectsContinue
        case request(Request)
        /// A request whose body follows as it arrives.
        case upload(Request)
        case bytes([UInt8])
        case bodyEnd
        case failed(RequestFailure)
    }

    private let bodyLimit: Int
    private let isUpload: @Sendable (MessageHead) -> Bool
    private var parser: MessageParser
    /// The head of the request whose body is collected; `nil` while a body is passed on.
    private var head: MessageHead?
    private var body: [UInt8] = []
    private var failure: RequestFailure?

    /// - Parameter isUpload: whether the body of a request is passed on as it arrives; then it may have any size.
    init(limits: Limits = Limits(), isUpload: @escaping @Sendable (MessageHead) -> Bool = { _ in false }) {
        bodyLimit = limits.bodyBytes
        self.isUpload = isUpload
        parser = MessageParser(.server, limits: .init(startLine: limits.lineBytes, header: limits.headerBytes))
    }

    /// The number of bytes appended but not consumed yet.
    var bufferedBytes: Int { parser.bufferedBytes }

    /// Whether a request has begun and is incomplete.
    var isInsideRequest: Bool { failure != nil || parser.isInsideMessage }

    /// Removes and returns the bytes that are not consumed, because they belong to another protocol.
    mutating func takeBuffered() -> [UInt8] { parser.takeBuffered() }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { parser.append(bytes) }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Consumes input up to the next step.
    mutating func next() -> Step {
        do throws(RequestFailure) {
            while true {
                if let step = try advance() { return step }
            }
        } catch {
            (failure, head, body) = (error, nil, [])
            _ = parser.takeBuffered()
            return .failed(error)
        }
    }

    private mutating func advance() throws(RequestFailure) -> Step? {
        if let failure { throw failure }
        switch parser.next() {
        case .needsInput: return .needsInput
        case .head(let head, let framing): return try begin(head, framing)
        case .bytes(let bytes):
            guard head != nil else { return .bytes(Array(bytes)) }
            body += bytes
            return nil
        case .end:
            guard let head = head.take() else { return .bodyEnd }
            defer { body = [] }
            return .request(Request(head: head, body: body))
        case .failed(let fault): throw RequestFailure(fault)
        }
    }

    /// A fault in the length of a request is told before an unknown expectation.
    private mutating func begin(_ head: MessageHead, _ framing: BodyFraming) throws(RequestFailure) -> Step? {
        let isUpload = framing != .fixed(0) && isUpload(head)
        if case .fixed(let count) = framing, count > bodyLimit, !isUpload { throw .bodyTooLarge }
        let expectsContinue = try head.expectsContinue()
        guard !isUpload else { return .upload(Request(head: head, body: [], expectsContinue: expectsContinue)) }
        self.head = head
        parser.bodyLeft = bodyLimit
        return expectsContinue && framing != .fixed(0) ? .expectsContinue : nil
    }
}

extension MessageHead {
    /// Whether the client waits for `100 Continue` before it sends the body.
    fileprivate func expectsContinue() throws(RequestFailure) -> Bool {
        let expectations = headers.tokens(in: "Expect")
        guard let expectation = expectations.first else { return false }
        guard expectations.count == 1, expectation == "100-continue" else { throw .unknownExpectation }
        return minorVersion == 1
    }
}
