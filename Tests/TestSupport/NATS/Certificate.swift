import Foundation

/// A certificate for 127.0.0.1 and its key, made just now by `openssl`.
public struct Certificate: Sendable {
    public let certificate: URL
    public let key: URL

    public init(in directory: URL) throws {
        certificate = directory.appending(path: "cert.pem")
        key = directory.appending(path: "key.pem")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj"]
            + ["/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out", certificate.path]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
