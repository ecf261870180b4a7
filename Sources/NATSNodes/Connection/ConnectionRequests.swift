import Foundation
import SocketNodes

/// The requests whose answers have not arrived. One subscription serves all of them, each with a subject of its own.
struct PendingRequests: Sendable {
    struct Request: Sendable {
        let observer: AnyObserver<NATSMessage<Data>>
        let subject: String
        /// The number of the message that asks the question.
        let number: Int
    }

    let prefix = Subject.newInbox()
    /// The number of the subscription; 0 before the first request.
    var subscription = 0
    private var requests: [Int: Request] = [:]
    private var last = 0

    var count: Int { requests.count }

    /// Reserves a subject for answers.
    mutating func makeReply() -> (token: Int, reply: String) {
        last += 1
        return (last, "\(prefix).\(last)")
    }

    mutating func insert(_ request: Request, _ token: Int) {
        requests[token] = request
    }

    /// The observer of an answer, from the last part of its subject.
    func observer(of subject: String) -> AnyObserver<NATSMessage<Data>>? {
        guard subject.hasPrefix(prefix), let token = Int(subject.dropFirst(prefix.count + 1)) else { return nil }
        return requests[token]?.observer
    }

    mutating func remove(_ token: Int) -> Request? {
        requests.removeValue(forKey: token)
    }

    /// Removes the requests up to a message and returns their observers.
    mutating func removeAll(upTo number: Int = .max) -> [AnyObserver<NATSMessage<Data>>] {
        removeAll { $1.number <= number }
    }

    /// Removes the requests that the user may not make: those to a subject, and those that expect the answer on it.
    mutating func removeAll(forbidden subject: String) -> [AnyObserver<NATSMessage<Data>>] {
        let prefix = prefix
        return removeAll { $1.subject == subject || "\(prefix).\($0)" == subject }
    }

    private mutating func removeAll(where isIncluded: (_ token: Int, Request) -> Bool) -> [AnyObserver<NATSMessage<Data>>] {
        let removed = requests.filter { isIncluded($0.key, $0.value) }
        for token in removed.keys { requests[token] = nil }
        return removed.sorted { $0.key < $1.key }.map(\.value.observer)
    }
}

extension ConnectionCore {
    /// Publishes a request for each subscriber, and emits its answers until it is disposed.
    ///
    /// Fails if the connection is lost after the request was sent, since it may or may not have arrived.
    func answers(
        to subject: String, headers: [UInt8]?, payload: @escaping @Sendable () throws(NATSError) -> Data
    ) -> Observable<NATSMessage<Data>> {
        .create { [self] observer in
            noteUse()
            do throws(NATSError) {
                try Subject.check(subject, for: .publishing)
                let token = try request(subject, headers: headers, payload: try payload(), observer)
                return Disposables.create { [self] in _ = shared.withLock { $0.requests.remove(token) } }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    private func request(
        _ subject: String, headers: [UInt8]?, payload: Data, _ observer: AnyObserver<NATSMessage<Data>>
    ) throws(NATSError) -> Int {
        try checkAddress()
        let token = try change { (shared) throws(NATSError) in
            if shared.state.subscriptions[shared.requests.subscription] == nil {
                let id = try shared.state.subscribe(.init(subject: "\(shared.requests.prefix).*", queue: nil))
                shared.requests.subscription = id
                shared.receivers[id] = AnyObserver { [weak self] event in
                    switch event {
                    case .next(let message): self?.receiveAnswer(message)
                    case .error(let error): self?.failRequests(with: error)
                    case .completed: break
                    }
                }
            }
            let (token, reply) = shared.requests.makeReply()
            let number = try shared.state.publish(subject, reply: reply, headers: headers, payload: payload)
            shared.requests.insert(.init(observer: observer, subject: subject, number: number), token)
            return token
        }
        begin()
        return token
    }

    /// Fails all requests: the subscription for the answers has failed, so none can arrive.
    private func failRequests(with error: any Error) {
        for request in shared.withLock({ $0.requests.removeAll() }) { request.onError(error) }
    }

    private func receiveAnswer(_ message: NATSMessage<Data>) {
        shared.withLock { $0.requests.observer(of: message.subject) }?.onNext(message)
    }
}
