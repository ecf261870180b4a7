import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Retry and abort", .countsResources, .stopsServers, .blocksThread)
struct RetryTests {
    private let quick = RetryPolicy.transient(initial: .milliseconds(5))

    /// A server with these responses, and what retries a request for them.
    private func jobs(_ responses: [LoopbackServer.Response], _ method: HTTPRequest.Method = .get) throws -> (
        LoopbackServer, AnyNode<Void, Data>
    ) {
        let server = try running(.script(nil, "/jobs", LoopbackServer.Script(responses)))
        return (server, URLChain(transport: CurlTransport()).retry(quick).route(method, try server.baseURL + "jobs").data)
    }

    @Test func `A transient failure is retried`() throws {
        let (server, jobs) = try jobs([.empty(503), .empty(502), .text("done")])
        #expect(jobs.stream().ended().elements == [Data("done".utf8)])
        #expect(server.recordedRequests.count == 3)
    }

    @Test func `A request is sent at most the maximum number of attempts`() throws {
        let (server, jobs) = try jobs([.empty(503)])
        #expect((jobs.stream().ended().error as? HTTPError)?.status == 503)
        #expect(server.recordedRequests.count == 3)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `Permanent failures, and methods that are not idempotent, are not retried`(method: HTTPRequest.Method) throws {
        let (server, jobs) = try jobs([.empty(method == .get ? 404 : 503)], method)
        #expect(jobs.stream().ended().error is HTTPError)
        #expect(server.recordedRequests.count == 1)
    }

    @Test func `An error that is made for a test or a stub is that of such a response`() throws {
        let url = try #require(URL(string: "http://teas"))
        let busy = HTTPError(status: 503, headers: ["Retry-After": "7"], body: Data("full".utf8), url: url)
        let response = HTTPResponse(head: .init(status: 503, headers: ["Retry-After": "7"], url: url), body: Data("full".utf8))
        #expect(busy == HTTPError(response))
        #expect(busy.retryAfter == .seconds(7))
        #expect(RetryPolicy.isTransient(busy))
        #expect(HTTPError(status: 200, url: url) == .badRequest(HTTPError(status: 400, url: url).failure))
    }

    @Test func `Delays double up to a limit, and respect Retry-After`() {
        let policy = RetryPolicy.transient(maxAttempts: 9, initial: .seconds(1), cap: .seconds(4))
        func wait(_ count: Int, _ error: any Error = TechnicalError.timeout(""), elapsed: Duration = .zero, chance: Double = 0) -> Duration?
        {
            var policy = policy
            policy.random = { chance }
            return policy.delay(after: error, failures: count, elapsed: elapsed)
        }
        #expect([1, 2, 3, 4, 8].map { wait($0) } == [.seconds(1), .seconds(2), .seconds(4), .seconds(4), .seconds(4)])
        #expect(wait(1, chance: 1) == .milliseconds(500))
        #expect(wait(9) == nil)
        #expect(wait(1, elapsed: .seconds(60)) == nil)
        #expect(wait(1, CancellationError()) == nil)
        let busy = HTTPError.client(status: 429, .busy(["Retry-After": "30"]))
        #expect(wait(1, busy) == .seconds(30))
        #expect(wait(1, busy, elapsed: .seconds(31)) == nil)
        let dated = HTTPError.client(
            status: 429, .busy(["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"]))
        #expect(dated.retryAfter == .zero)
    }

    @Test func `Any stream can be retried`() {
        let calls = Counter()
        let stream = Observable<Int>.deferred {
            calls.increment()
            if calls.value < 3 { throw TechnicalError.timeout("") }
            return .just(calls.value)
        }
        #expect(stream.retry(quick).ended().elements == [3])
    }

    @Test(.onOneThread, arguments: [Duration.seconds(1), .zero])
    func `Twenty thousand attempts need no more stack and no more memory than two`(delay: Duration) {
        let scheduler = VirtualTimeScheduler()
        let policy = RetryPolicy.transient(maxAttempts: .max, initial: delay, jitter: .nan, limit: .seconds(Int64.max))
        let last = 20_000
        let progress = Lock((attempts: 0, objects: 0))
        let stream = Observable<Int>.deferred {
            let objects = Resources.total
            let attempt = progress.withLock { progress in
                progress = (progress.attempts + 1, max(progress.objects, objects))
                return progress.attempts
            }
            if attempt < last { throw TechnicalError.timeout("") }
            return .just(attempt)
        }
        let end = TestObserver<Int>()
        let done = DispatchSemaphore(value: 0)
        let run = Resources.bindingCounter {
            let subscription = stream.retry(policy, scheduler: scheduler).subscribe(end)
            scheduler.run()
            subscription.dispose()
        }
        let thread = Thread {
            run()
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        #expect(end.values == [last])
        #expect(progress.withLock { $0.objects } < 50)
    }

    @Test func `Delays of any size and jitter are finite and not negative`() {
        let times: [Duration] = [.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max)]
        for time in times {
            for jitter in [Double.nan, .infinity, -.infinity, -1, 2, 1e308] {
                var policy = RetryPolicy.transient(
                    maxAttempts: .max, initial: time, cap: time, jitter: jitter, limit: .seconds(Int64.max))
                policy.random = { 1 }
                for count in [Int.min, 0, 1, 40, Int.max - 1] {
                    let wait = policy.delay(after: TechnicalError.timeout(""), failures: count, elapsed: .seconds(1))
                    #expect(wait.map { $0 >= .zero } ?? false)
                }
            }
        }
        let busy = HTTPError.client(status: 429, .busy(["Retry-After": "\(Int64.max)"]))
        #expect(RetryPolicy.transient().delay(after: busy, failures: 1) == nil)
    }

    @Test func `An aborter cancels a request at the server`() throws {
        let server = try running(.get("/slow") { _ in .text("x") }.with(.hang(at: .beforeHead)))
        let (arrived, closed) = (server.arrival(), server.closing())
        let aborter = Aborter()
        let chain = URLChain(transport: CurlTransport()).abortable(by: aborter).route(.get, try server.baseURL + "slow").data
        let failed = Slot<Aborter.OperationAborted>()
        let subscription = chain.stream().subscribe { event in
            if let error = event.error as? Aborter.OperationAborted { failed.fill(error) }
        }
        #expect(arrived.wait() == true)
        aborter.abort()
        #expect(failed.wait() == Aborter.OperationAborted())
        #expect(closed.wait()?.interrupted != nil)
        #expect(chain.stream().ended().error is Aborter.OperationAborted)
        #expect(server.recordedRequests.count == 1)
        subscription.dispose()
    }
}

extension HTTPError.Failure {
    fileprivate static func busy(_ headers: HTTPHeaders) -> HTTPError.Failure {
        HTTPError.Failure(response: HTTPResponse(head: HTTPResponse.Head(status: 429, headers: headers, url: URL(filePath: "/"))))
    }
}
