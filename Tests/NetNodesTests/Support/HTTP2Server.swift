import Foundation

/// A server that writes its HTTP/2 frames by hand, in Python behind TLS: for answers that no proper server gives.
final class HTTP2Server: Sendable {
    private let server: SecureServer

    /// - Parameter script: defines `answer(stream, head)`, which is called for each request with the bytes of its head; all of them stand
    ///   in `heads`. After `stream.hold()` all frames of an answer arrive at once.
    init(_ script: String) throws {
        server = try SecureServer { SecureServer.serving($0, Self.frames + "\n" + script) }
    }

    var certificate: URL { server.certificate }

    var url: URL { URL(string: "https://127.0.0.1:\(server.port)/") ?? URL(filePath: "/") }

    /// Source: [RFC 9113, 4.1](https://www.rfc-editor.org/rfc/rfc9113#section-4.1), and RFC 7541 for the heads.
    private static let frames = """
        import struct
        context.set_alpn_protocols(["h2"])
        heads = []

        def frame(kind, flags, number, payload=b""):
            return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + number.to_bytes(4, "big") + payload

        def integer(value, bits):
            most = (1 << bits) - 1
            if value < most: return bytes([value])
            encoded, value = [most], value - most
            while value > 127:
                encoded.append(value % 128 + 128)
                value //= 128
            return bytes(encoded + [value])

        def text(value):
            return integer(len(value), 7) + value

        def field(name, value):
            return b"\\0" + text(name) + text(value)

        class Stream:
            def __init__(self, connection, number):
                self.connection, self.number, self.held = connection, number, None
            def send(self, kind, flags, payload=b""):
                part = frame(kind, flags, self.number, payload)
                if self.held is None: self.connection.sendall(part)
                else: self.held += part
            def hold(self):
                self.held = bytearray()
            def release(self):
                if self.held: self.connection.sendall(self.held)
            def respond(self, fields=b"", body=b""):
                self.head(fields)
                self.send(0, 1, body)
            def head(self, fields=b"", status=200, flags=0):
                self.fields(field(b":status", b"%d" % status) + fields, flags)
            def fields(self, block, flags=0):
                parts = [block[i:i + 16384] for i in range(0, len(block), 16384)]
                for i, part in enumerate(parts):
                    self.send(9 if i else 1, (0 if i else flags) + (4 if i == len(parts) - 1 else 0), part)
            def reset(self, code):
                self.send(3, 0, code.to_bytes(4, "big"))
            def reset_connection(self):
                plain = socket.socket(fileno=self.connection.detach())
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                plain.close()
                raise EOFError

        def serve(client):
            connection = context.wrap_socket(client, server_side=True)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            incoming = connection.makefile("rb")
            incoming.read(24)
            connection.sendall(frame(4, 0, 0))
            open_heads = {}
            while True:
                start = incoming.read(9)
                if len(start) < 9: return
                payload = incoming.read(int.from_bytes(start[:3], "big"))
                kind, flags, number = start[3], start[4], int.from_bytes(start[5:], "big")
                if kind == 4 and not flags & 1: connection.sendall(frame(4, 1, 0))
                if kind == 1: open_heads[number] = payload
                if kind in (0, 1) and flags & 1:
                    heads.append(open_heads.pop(number))
                    stream = Stream(connection, number)
                    answer(stream, heads[-1])
                    stream.release()
        """
}
