import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Streams as responses", .countsResources, .stopsServers, .blocksThread)
struct StreamingTests {
    @Test func `A route's stream responds with its first element, from any thread`() throws {
        let queue = SerialDispatchQueueScheduler(label: "answers")
        let client = try connected(
            to: .stream("GET", "/later") { request in
                .create { observer in
                    queue.schedule {
                        observer.onNext(.text("later, \(request.query("name") ?? "")"))
                        observer.onNext(.text("never seen"))
                    }
                }
            })
        #expect(try client.ask("/later?name=ann").text == "later, ann")
        #expect(try client.ask("/later").text == "later, ")
    }

    @Test func `Interim responses precede the final one`() throws {
        let client = try connected(
            to: .stream("GET", "/") { _ in
                .create { observer in
                    observer.onNext(.empty(103).header("Link", "</style.css>"))
                    observer.onNext(.text("final"))
                    return Disposables.create()
                }
            })
        try client.request("/")
        let hint = try client.head()
        #expect(hint.status == 103)
        #expect(hint["Link"] == "</style.css>")
        #expect(try client.reply().text == "final")
    }

    @Test func `A route's stream that fails or is empty leads to 500`() throws {
        let client = try connected(
            to: .stream("GET", "/fails") { _ in .create { observer in Self.end(observer, with: CocoaError(.fileNoSuchFile)) } },
            .stream("GET", "/empty") { _ in .create { observer in Self.end(observer, with: nil) } })
        #expect(try client.ask("/fails").status == 500)
        #expect(try client.ask("/empty").status == 500)
    }

    @Test func `A client that disconnects disposes the route's stream`() throws {
        let started = DispatchSemaphore(value: 0)
        let disposed = DispatchSemaphore(value: 0)
        let client = try connected(to: .stream("GET", "/") { _ in Self.silent(started, disposed) })
        try client.request("/")
        #expect(started.wait(timeout: .now() + 300) == .success)
        client.close()
        #expect(disposed.wait(timeout: .now() + 300) == .success)
    }

    @Test func `A streaming body is sent chunk by chunk and ends with its stream`() throws {
        let subject = PublishSubject<Data>()
        let subscribed = DispatchSemaphore(value: 0)
        let body = Observable<Data>.create { observer in
            defer { subscribed.signal() }
            return subject.subscribe(observer)
        }
        let client = try connected(to: .get("/") { _ in .stream(body) })
        try client.request("/")
        #expect(try client.head()["Transfer-Encoding"] == "chunked")
        #expect(subscribed.wait(timeout: .now() + 300) == .success)
        for text in ["one", "two", "three"] {
            subject.onNext(Data(text.utf8))
            #expect(try client.chunk() == Data(text.utf8))
        }
        subject.onCompleted()
        #expect(try client.chunk().isEmpty)
        #expect(try client.ask("/nothing").status == 404)
    }

    @Test func `A streaming body that fails aborts the connection`() throws {
        let client = try connected(
            to: .get("/") { _ in
                .stream(
                    .create { observer in
                        observer.onNext(Data("part".utf8))
                        return Self.end(observer, with: CocoaError(.fileNoSuchFile))
                    })
            })
        try client.request("/")
        _ = try client.head()
        #expect(try client.rest() == Data("4\r\npart\r\n".utf8))
    }

    @Test func `HEAD does not subscribe to a streaming body`() throws {
        #expect(
            try connected(
                to: .get("/") { _ in
                    .stream(
                        .create { _ in
                            Issue.record("subscribed")
                            return Disposables.create()
                        })
                }
            ).ask("/", method: "HEAD")["Transfer-Encoding"] == "chunked")
    }

    @Test func `Faults apply to a streaming body too`() throws {
        let body = Observable<Data>.create { observer in
            for _ in 0..<3 { observer.onNext(Data("0123".utf8)) }
            return Disposables.create()
        }
        let client = try connected(
            to: .get("/") { _ in .stream(body).with(.throttle(bytes: 5, every: .milliseconds(1))).with(.truncate(after: 7)) })
        try client.request("/")
        _ = try client.head()
        #expect(try client.rest() == Data("5\r\n01230\r\n2\r\n12\r\n".utf8))
    }

    @Test func `Server-sent events are written as standardized`() throws {
        let event = LoopbackServer.SentEvent(data: "a\nb\r\nc", id: "1\n2", event: "quote", retry: .milliseconds(1_500))
        #expect(String(decoding: event.encoded, as: UTF8.self) == "retry: 1500\nevent: quote\nid: 1 2\ndata: a\ndata: b\ndata: c\n\n")
        let reply = try connected(
            to: .get("/") { _ in
                .events(
                    .create { observer in
                        observer.onNext(LoopbackServer.SentEvent(data: "hi"))
                        return Self.end(observer, with: nil)
                    })
            }
        ).ask("/")
        #expect(reply["Content-Type"] == "text/event-stream")
        #expect(reply.text == "data: hi\n\n")
    }

    @Test func `One line is written per element`() throws {
        #expect(
            try connected(
                to: .get("/") { _ in
                    .lines(
                        .create { observer in
                            observer.onNext(#"{"a":1}"#)
                            observer.onNext(#"{"a":2}"#)
                            return Self.end(observer, with: nil)
                        })
                }
            ).ask("/").text == "{\"a\":1}\n{\"a\":2}\n")
    }

    @Test(arguments: [true, false])
    func `A client that disconnects disposes the body's stream, and the interrupted request is reported`(byReset: Bool) throws {
        let started = DispatchSemaphore(value: 0)
        let disposed = DispatchSemaphore(value: 0)
        let server = try running(.get("/events") { _ in .events(Self.silent(started, disposed)) })
        let closed = server.closing()
        let client = try WireClient(port: server.port)
        try client.request("/events")
        _ = try client.head()
        #expect(started.wait(timeout: .now() + 300) == .success)
        if byReset { client.abort() } else { client.close() }
        #expect(disposed.wait(timeout: .now() + 300) == .success)
        #expect(closed.wait()?.reason == .client)
        #expect(closed.wait()?.interrupted?.path == "/events")
    }

    @Test func `Stopping the server disposes its streams`() throws {
        let started = DispatchSemaphore(value: 0)
        let disposed = DispatchSemaphore(value: 0)
        let server = try running(.get("/") { _ in .events(Self.silent(started, disposed)) })
        let client = try WireClient(port: server.port)
        try client.request("/")
        #expect(started.wait(timeout: .now() + 300) == .success)
        server.stop()
        #expect(disposed.wait(timeout: .now() + 300) == .success)
    }

    @Test func `No subscription for clients is left after a stop`() throws {
        let counter = Resources.Counter()
        try Resources.$counter.withValue(counter) {
            let started = DispatchSemaphore(value: 0)
            let disposed = DispatchSemaphore(value: 0)
            let server = try running(
                .get("/body") { _ in .events(Self.silent(started, disposed)) },
                .stream("GET", "/route") { _ in Self.silent(started, disposed) })
            let clients = try (0..<20).map { _ in try WireClient(port: server.port) }
            for (number, client) in clients.enumerated() { try client.request(number.isMultiple(of: 2) ? "/body" : "/route") }
            for _ in clients { #expect(started.wait(timeout: .now() + 300) == .success) }
            #if DEBUG
                #expect(counter.byKind["Lifetime"] ?? 0 >= clients.count)
            #endif
            for client in clients.prefix(10) { client.close() }
            server.stop()
            for _ in clients { #expect(disposed.wait(timeout: .now() + 300) == .success) }
            #expect(counter.byKind["Lifetime"] == nil)
            #expect(counter.byKind["Emitter"] == nil)
        }
    }

    @Test func `An endless source that is faster than its client is disposed, and the connection aborted`() throws {
        var limits = LoopbackServer.Limits()
        limits.streamBufferBytes = 1 << 20
        let endless = Observable<Data>.create { observer in
            let stopped = BooleanDisposable()
            Thread.detachNewThread {
                let piece = Data(count: 64 << 10)
                while !stopped.isDisposed { observer.onNext(piece) }
            }
            return stopped
        }
        let server = try running([.get("/") { _ in .stream(endless) }], limits: limits)
        let closed = server.closing()
        let client = try WireClient(port: server.port, receiveBufferBytes: 4_096)
        try client.request("/")
        #expect(closed.wait()?.reason == .aborted)
    }

    @Test func `An endless synchronous source is disposed too`() throws {
        let endless = Observable<Data> { downstream, lifetime in
            let piece = Data(count: 64 << 10)
            while !lifetime.isDisposed { downstream.onNext(piece) }
        }
        let server = try running(.get("/") { _ in .stream(endless) }, .get("/other") { _ in .text("served") })
        let client = try WireClient(port: server.port)
        try client.request("/")
        #expect(try WireClient(port: server.port).ask("/other").text == "served")
    }

    private static func end<Element>(_ observer: AnyObserver<Element>, with error: (any Error)?) -> any Disposable {
        if let error { observer.onError(error) } else { observer.onCompleted() }
        return Disposables.create()
    }

    private static func silent<Element>(_ started: DispatchSemaphore, _ disposed: DispatchSemaphore) -> Observable<Element> {
        .create { _ in
            started.signal()
            return Disposables.create { disposed.signal() }
        }
    }
}
