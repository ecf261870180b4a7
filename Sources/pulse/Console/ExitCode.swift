import Foundation
import NetNodes

/// The exit codes of `pulse`. The codes from 5 to 126 are those of curl for the same fault.
///
/// Source: [curl, exit codes](https://curl.se/docs/manpage.html#EXIT).
enum ExitCode {
    static let success: Int32 = 0
    /// An endpoint is down, a condition of `--fail-on` holds, or a failure has no code of its own.
    static let failure: Int32 = 1
    /// The command line could not be parsed.
    static let usage: Int32 = 2
    /// The system is out of resources such as file descriptors.
    static let noResources: Int32 = 4
    static let proxy: Int32 = 5
    static let unknownHost: Int32 = 6
    static let noConnection: Int32 = 7
    static let malformedResponse: Int32 = 8
    /// The response ended before its body did.
    static let incompleteBody: Int32 = 18
    /// A status from 400 to 499.
    static let clientError: Int32 = 22
    /// Output could not be written, for example to a full disk.
    static let outputFailure: Int32 = 23
    /// A status from 500.
    static let serverError: Int32 = 24
    /// The request's body could not be read.
    static let unreadableBody: Int32 = 26
    static let timeout: Int32 = 28
    /// The server did not send the requested part of a file.
    static let wrongPart: Int32 = 33
    static let redirects: Int32 = 47
    /// The server closed the connection without a response.
    static let emptyResponse: Int32 = 52
    static let connectionLost: Int32 = 56
    /// The certificate of the server is not trusted, or TLS could not be established for an unknown reason.
    static let untrustedCertificate: Int32 = 60
    /// The body is compressed in an unknown way, or damaged.
    static let undecodableBody: Int32 = 61
    /// The file with the trusted authorities could not be read.
    static let noAuthorities: Int32 = 77

    /// Returns the exit code of a command that failed with this error.
    ///
    /// - Parameters:
    ///   - fault: the transport's failure that caused it, which has more detail; `nil` if it is not known.
    ///   - isCurls: whether all statuses from 400 share the one code of `curl --fail`.
    static func of(_ error: any Error, fault: TransferFault? = nil, isCurls: Bool = false) -> Int32 {
        switch error {
        // Where libcurl distinguishes more faults than the library does.
        case TechnicalError.connectionLost, TechnicalError.secureConnectionFailed, TransportError.proxyFailed:
            fault?.code ?? of(transport: fault?.error ?? error)
        case is UsageError: usage
        case is Download.Failure, CookieJar.FileFailure.unwritable: outputFailure
        case let error as SessionFault where error.isOutput: outputFailure
        case is PartMismatch: wrongPart
        case is CancellationError: signal(SIGINT)
        case let error as InspectFailure: error.exitCode
        case let error as HTTPError: error.status < 500 || isCurls ? clientError : serverError
        default: of(transport: error)
        }
    }

    private static func of(transport error: any Error) -> Int32 {
        switch error {
        case let error as TransportError: of(transport: error)
        case let error as TechnicalError: of(technical: error)
        default: failure
        }
    }

    private static func of(technical error: TechnicalError) -> Int32 {
        switch error {
        case .cantFindHost: unknownHost
        case .cantConnectToHost, .noInternetConnection, .dataNotAllowed: noConnection
        case .timeout: timeout
        case .connectionLost: connectionLost
        case .secureConnectionFailed: untrustedCertificate
        }
    }

    private static func of(transport error: TransportError) -> Int32 {
        if error.isEmptyResponse { return emptyResponse }
        return switch error {
        case .invalidURL, .unsupportedScheme, .invalidMethod, .invalidHeader: usage
        case .proxyFailed: proxy
        case .malformedResponse: malformedResponse
        case .undecodableBody: undecodableBody
        case .unreadableBody, .bodyFailed: unreadableBody
        case .tooManyRedirects, .invalidRedirect: redirects
        case .unreadableAuthorities: noAuthorities
        case .incompleteBody: incompleteBody
        case .noResponse: connectionLost
        case .other(let code, _, _) where (1...126).contains(code): Int32(code)
        default: TechnicalError(error).map(of(technical:)) ?? failure
        }
    }

    /// The codes and their meanings, for the help and the manual.
    static let meanings: [(codes: String, meaning: String)] = [
        ("0", "success"),
        ("1", "an endpoint is down (watch --once), a condition holds (inspect --fail-on), or a failure without a code of its own"),
        ("2", "usage error"), ("4", "too few file descriptors"),
        ("5", "the proxy was not found"), ("6", "the host was not found"), ("7", "no connection, or no process to inspect"),
        ("8", "the response is not HTTP, or no snapshot"), ("18", "the response ended before its body did"),
        ("22", "status 400 to 499; with --fail every status from 400"),
        ("23", "output could not be written: a full disk, an existing file"), ("24", "status 500 and above"),
        ("26", "the body to send could not be read"), ("28", "timeout"),
        ("33", "the server did not continue the file where it was asked to"), ("35", "no secure connection"),
        ("47", "redirects: too many, or to no URL of HTTP"), ("52", "the server closed the connection without a response"),
        ("56", "the connection was lost, or the proxy refused it"), ("60", "the certificate is not trusted"),
        ("61", "the body is compressed in an unknown way, or damaged"),
        ("77", "the file with authorities could not be read"),
        ("126, 127", "the command of tail cannot be run, or is not found"),
        ("129, 130, 131, 143", "after a closed terminal, Ctrl-C, Ctrl-\\, SIGTERM"),
        ("another", "that of libcurl, where it has no other name here, or of the command of tail"),
    ]

    /// Returns the exit code that shells report for a process terminated by this signal.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}
