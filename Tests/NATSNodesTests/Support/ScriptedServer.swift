import TestSupport

/// A hostile server: what it sends to each connection is what the test says.
func withServer(
    sending reply: @escaping @Sendable (LoopbackConnection) -> Void, _ body: (_ url: String) throws -> Void
) throws {
    let listener = try LoopbackListener { _, connection in
        reply(connection)
        // Keeps the connection until the client or the test closes it.
        while connection.read() != nil {}
    }
    defer { listener.close() }
    try body("nats://127.0.0.1:\(listener.port)")
}

/// How a server introduces itself, with further fields of its own.
func serverInformation(_ details: String = "") -> String {
    "INFO {\"server_id\":\"x\",\"max_payload\":1000,\"headers\":true\(details)}\r\n"
}

extension LoopbackConnection {
    /// Does the server's part of the handshake.
    ///
    /// - Returns: what the client has sent: who it is, and its first ping.
    @discardableResult
    func acceptClient(_ details: String = "") -> String {
        write(serverInformation(details))
        let request = read(until: "PING\r\n") ?? ""
        write("PONG\r\n")
        return request
    }
}

/// The publications of a client, and what the script answers to them.
final class ScriptedSession {
    struct Publication: Sendable {
        let subject: String
        let reply: String
        let payload: String
    }

    private let connection: LoopbackConnection
    private var text = ""
    private var subscriptions: [(subject: String, id: String)] = []

    init(_ connection: LoopbackConnection) {
        self.connection = connection
        connection.acceptClient(#","jetstream":true"#)
    }

    /// The next publication; `nil` at the end of the connection.
    func next() -> Publication? {
        while let line = line() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "SUB": subscriptions.append((words[1], words[words.count - 1]))
            case "PING": connection.write("PONG\r\n")
            case "PUB": return Publication(subject: words[1], reply: words.count > 3 ? words[2] : "", payload: self.line() ?? "")
            case "HPUB":
                while let header = self.line(), !header.isEmpty {}
                return Publication(subject: words[1], reply: words.count > 4 ? words[2] : "", payload: self.line() ?? "")
            default: break
            }
        }
        return nil
    }

    /// Answers a publication, at the inbox that it has named.
    ///
    /// - Parameter name: the subject of the answer; by default the inbox.
    func send(_ payload: String, to inbox: String, as name: String? = nil, reply: String = "") {
        let pattern = inbox.split(separator: ".").dropLast().joined(separator: ".") + ".*"
        guard let id = subscriptions.last(where: { $0.subject == pattern })?.id else { return }
        connection.write("MSG \(name ?? inbox) \(id) \(reply.isEmpty ? "" : reply + " ")\(payload.utf8.count)\r\n\(payload)\r\n")
    }

    private func line() -> String? {
        while true {
            if let end = text.range(of: "\r\n") {
                defer { text.removeSubrange(..<end.upperBound) }
                return String(text[..<end.lowerBound])
            }
            guard let bytes = connection.read(limit: 4_096) else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }
}
