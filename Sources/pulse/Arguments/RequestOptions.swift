import Foundation
import NetNodes

/// The request of `pulse get` and `pulse download`.
struct RequestOptions: Equatable {
    var url: URL
    var method: String
    var headers: [Header] = []
    var content: RequestContent?
    var user: Credentials?
    /// The file in which name and password are looked for if there is no user.
    var netrc: URL?
    var session: SessionName?
    /// The longest time without a byte from the server; `nil` for the default.
    var timeout: Duration?
    var connectTimeout = Duration.seconds(15)
    var maximumTime: Duration?
    /// The number of attempts after the first.
    var retries = 0
    var redirects = HTTPRequest.Redirects.follow(limit: 10)
    var security = Security()
    var network = CurlTransport.Network()

    struct Header: Equatable {
        let name: String
        /// The value; `nil` if the header is not sent.
        let value: String?
    }

    /// The name of a user, and the password unless the program has to ask for it.
    struct Credentials: Equatable {
        let name: String
        var password: String?
    }

    /// The certificates of both sides.
    struct Security: Equatable {
        var verifiesServer = true
        var authorities: String?
        var certificate: String?
        var key: String?
        var minimumVersion: TLSOptions.Version?
    }

    static let defaultTimeout = Duration.seconds(30)
}

/// The body of a request.
enum RequestContent: Equatable {
    /// Pieces, one after another. The media type is `nil` if it depends on the contents of standard input.
    case pieces([Piece], type: String?)
    case form([MultipartForm.Part])
    /// A file, or standard input, as it is: `--upload-file`.
    case upload(Piece)

    enum Piece: Equatable {
        case text(String)
        /// The bytes that a pipe had in it.
        case bytes(Data)
        case file(URL)
        case standardInput
    }

    var readsStandardInput: Bool {
        switch self {
        case .pieces(let pieces, _): pieces.contains(.standardInput)
        case .form: false
        case .upload(let piece): piece == .standardInput
        }
    }

    /// The method that sends it, unless another one is given.
    var usualMethod: String { if case .upload = self { "PUT" } else { "POST" } }

    /// The name under which a file is put into a folder.
    var uploadName: String? { if case .upload(.file(let file)) = self { file.lastPathComponent } else { nil } }
}

/// The parts of an exchange that are shown.
struct DisplayOptions: Equatable {
    var includesHead = false
    var isVerbose = false
    var showsTiming = false
    /// Whether the body of a failed response is omitted.
    var hidesFailures = false
    var showsSecrets = false
    var isSilent = false
    var layout = Layout.automatic
    var color = Palette.Choice.automatic
    var writeOut: WriteOut?

    /// The way in which a body is printed.
    enum Layout {
        /// Pretty on a terminal, and raw otherwise.
        case automatic
        case pretty
        case raw
    }
}

/// The options of `pulse get` without a file.
struct GetOptions: Equatable {
    var request: RequestOptions
    var display = DisplayOptions()
    /// Whether a curl command is printed and the request is not sent.
    var printsCommand = false
}

/// The options of `pulse download`, and of `pulse get` with a file.
struct DownloadOptions: Equatable {
    var request: RequestOptions
    var target: URL
    /// Whether an existing file is replaced once the download is complete.
    var replaces = false
    var display = DisplayOptions()
}
