import Streams
import StreamsTesting
import Testing

@Suite("Policies of retries", .onOneThread, .countsResources) struct RetryPolicyTests {
    @Test func `Permanent errors are forwarded immediately`() {
        let policy = RetryPolicy.delay(.seconds(2), maxAttempts: 3).when { !($0 is Received.Failure) }
        #expect(received(Observable<Int>.error(Received.Failure()).retry(policy, scheduler: VirtualTimeScheduler())) == ["# Failure()"])
    }

    @Test func `Linear and exponential delays grow up to their cap`() {
        func waits(_ policy: RetryPolicy) -> [Int?] {
            (1...5).map { failures in policy.delay(after: Received.Failure(), failures: failures).map { Int($0 / .milliseconds(1)) } }
        }
        #expect(waits(.linear(step: .seconds(1), cap: .seconds(3), maxAttempts: 5)) == [1_000, 2_000, 3_000, 3_000, nil])
        let exponential = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(10), jitter: 0, maxAttempts: 9)
        #expect(waits(exponential) == [100, 200, 400, 800, 1_600])
        #expect(exponential.delay(after: Received.Failure(), failures: 8) == .seconds(10))
    }

    @Test func `Jitter shortens a delay by its part at most, and huge delays are capped`() {
        var policy = RetryPolicy.exponential(initial: .seconds(4), maxAttempts: .max)
        policy.random = { 1 }
        #expect(policy.delay(after: Received.Failure(), failures: 1) == .seconds(2))
        #expect(policy.delay(after: Received.Failure(), failures: 100_000) == .seconds(30))
        policy.random = { 0 }
        #expect(policy.delay(after: Received.Failure(), failures: 1) == .seconds(4))
    }

    @Test func `Zero delays do not grow the stack`() {
        let attempts = Tally()
        let failing = Observable<Int>.deferred {
            attempts.add()
            throw Received.Failure()
        }
        #expect(received(failing.retry(.delay(.zero, maxAttempts: 100_000), scheduler: ImmediateScheduler.instance)) == ["# Failure()"])
        #expect(attempts.value == 100_000)
    }
}
