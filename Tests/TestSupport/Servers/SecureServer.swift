import Foundation
import NetNodes

/// Python's file server behind TLS, with a certificate for 127.0.0.1 made just now.
public final class SecureServer: @unchecked Sendable {
    public static let isAvailable = ["/usr/bin/env openssl version", "/usr/bin/env python3 --version"].allSatisfy { (try? run($0)) != nil }

    public let port: Int
    public var certificate: URL { directory.url.appending(path: "cert.pem") }
    private let directory = TemporaryDirectory()
    private let program: ForeignProgram

    /// - Parameter script: a program in Python, given the directory with `cert.pem` and `key.pem`, that prints its port.
    public init(script: (_ directory: String) -> String = SecureServer.files) throws {
        try Self.makeCertificate(in: directory.url)
        program = try ForeignProgram("/usr/bin/env", ["python3", "-c", script(directory.url.path)])
        port = try program.port
        StopsServersTrait.atEnd { [self] in stop() }
    }

    /// Serves the files of the directory.
    public static func files(in directory: String) -> String {
        """
        import functools, http.server, ssl
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="\(directory)")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("\(directory)/cert.pem", "\(directory)/key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
    }

    /// A program that passes each connection to `serve(client)`, which `script` defines. `context` is TLS with the certificate in the directory.
    public static func serving(_ directory: String, _ script: String) -> String {
        """
        import socket, ssl, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("\(directory)/cert.pem", "\(directory)/key.pem")
        \(script)
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """
    }

    /// Answers each request with `first` and, in a record of its own that arrives with it, `excess`; requests for `/second` with `second`.
    public static func answering(_ first: String, then excess: String, second: String) -> (_ directory: String) -> String {
        { directory in
            serving(
                directory,
                """
                def serve(client):
                    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
                    secure = context.wrap_bio(incoming, outgoing, server_side=True)
                    def run(action):
                        while True:
                            try:
                                return action()
                            except ssl.SSLWantReadError:
                                client.sendall(outgoing.read())
                                bytes = client.recv(65536)
                                if not bytes: raise EOFError
                                incoming.write(bytes)
                    run(secure.do_handshake)
                    while True:
                        request = run(lambda: secure.read(65536))
                        if not request: break
                        if b"/second" in request:
                            secure.write(\(bytes(second)))
                        else:
                            secure.write(\(bytes(first)))
                            \(excess.isEmpty ? "pass" : "secure.write(\(bytes(excess)))")
                        client.sendall(outgoing.read())
                """)
        }
    }

    private static func bytes(_ text: String) -> String {
        "bytes(\(Array(text.utf8)))"
    }

    public func stop() {
        program.stop()
    }

    /// Puts `cert.pem` and `key.pem` into a directory: a certificate for 127.0.0.1 that vouches for itself.
    public static func makeCertificate(in directory: URL) throws {
        try run(
            "/usr/bin/env openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 "
                + "-keyout \(directory.path)/key.pem -out \(directory.path)/cert.pem")
    }

    public static func run(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        guard try ForeignProgram.run(words[0], Array(words.dropFirst())) == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}

extension CurlTransport {
    /// A transport that trusts the certificates in this file.
    ///
    /// - Parameter loops: the number of loops, if it matters.
    public convenience init(trusting path: String, loops: Int? = nil) {
        var configuration = Configuration()
        if let loops { configuration.loops = loops }
        configuration.tls.certificateAuthorities = .file(path)
        self.init(configuration)
    }

    /// A transport with so many loops.
    public convenience init(loops: Int) {
        var configuration = Configuration()
        configuration.loops = loops
        self.init(configuration)
    }
}
