internal import Bytes
public import Foundation
public import SocketNodes

/// Values by keys, which the servers store and replicate. Every subscriber sees the changes: a bucket is a stream that you read as a
/// dictionary.
///
/// ```swift
/// let prices = bus.bucket("prices", of: Double.self)
/// prices.put(126.81, "ACME").subscribe().disposed(by: bag)
/// prices.watch("ACME").subscribe(onNext: { print($0.value ?? 0) }).disposed(by: bag)
/// ```
///
/// The streams skip values of other programs that cannot be decoded, and ``NATSConnection/events`` reports them.
///
/// Source: [NATS, key/value store](https://docs.nats.io/nats-concepts/jetstream/key-value-store).
public struct NATSBucket<Value: Codable & Sendable>: Sendable {
    /// The name of the bucket.
    public let name: String
    private let bus: NATSConnection
    private let stream: NATSStream

    init(_ bus: NATSConnection, _ name: String) {
        self.bus = bus
        self.name = name
        stream = bus.stream("KV_\(name)")
    }

    /// Creates the bucket, or gives it this configuration if it exists already.
    ///
    /// - Parameters:
    ///   - history: how many values of a key are stored, from 1 to 64.
    ///   - maximumAge: the age at which values are removed; zero means any age.
    ///   - replicas: how many servers of a cluster store the bucket.
    ///   - storage: where values are stored.
    public func create(
        history: Int = 1, maximumAge: Duration = .zero, replicas: Int = 1, storage: NATSStream.Storage = .file
    ) -> Completable {
        stream.create { [name] configuration in
            configuration.subjects = ["$KV.\(name).>"]
            configuration.maximumMessagesPerSubject = min(max(history, 1), 64)
            configuration.maximumAge = maximumAge
            configuration.duplicateWindow = maximumAge > .zero ? min(maximumAge, .seconds(120)) : .seconds(120)
            configuration.replicas = replicas
            configuration.storage = storage
            configuration.discard = .new
            configuration.allowsRollup = true
        }
        .asCompletable()
    }

    /// Sets the value of a key, and emits the revision of the change.
    @discardableResult
    public func put(_ value: Value, _ key: String) -> Single<Int> {
        change(key, [:]) { [bus] in try bus.coding.encode(value, for: key) }
    }

    /// Sets the value of a key that has none, or whose value was removed. Fails with ``NATSError/BucketFailure/conflict(key:)`` if the key
    /// has a value.
    public func add(_ value: Value, _ key: String) -> Single<Int> {
        let added = replace(key, with: value, revision: 0).asObservable()
        // A removed key has a revision too: the revision of its removal.
        return added.catch { error in
            guard case NATSError.BucketFailure.conflict = error else { throw error }
            return newest(key).flatMap { newest -> Observable<Int> in
                guard operation(of: newest) != .put else { throw error }
                return replace(key, with: value, revision: newest.sequence).asObservable()
            }
        }
        .asSingle()
    }

    /// Sets the value of a key if it has not changed since a revision. Fails with ``NATSError/BucketFailure/conflict(key:)`` otherwise.
    public func replace(_ key: String, with value: Value, revision: Int) -> Single<Int> {
        change(key, ["Nats-Expected-Last-Subject-Sequence": "\(revision)"]) { [bus] in try bus.coding.encode(value, for: key) }
    }

    /// Removes the value of a key; with `purging`, also the values before it.
    public func remove(_ key: String, purging: Bool = false) -> Completable {
        let headers: NATSHeaders = purging ? ["KV-Operation": "PURGE", "Nats-Rollup": "sub"] : ["KV-Operation": "DEL"]
        return change(key, headers) { Data() }.asCompletable()
    }

    /// Emits the value of a key. Completes without an element if there is none, and fails with ``NATSError/undecodable(subject:reason:)``
    /// if the value cannot be decoded.
    public func get(_ key: String) -> Maybe<NATSBucketEntry<Value>> {
        newest(key).map(entry(of:)).filter { $0.value != nil }.asMaybe()
    }

    /// Emits the current values of the keys that match, and then each change.
    ///
    /// - Parameter keys: a key, or a pattern with `*` and `>`; by default all keys.
    public func watch(_ keys: String = ">") -> Observable<NATSBucketEntry<Value>> {
        entries(keys, completesAtEnd: false)
    }

    /// Emits the entries of the keys that match and have a value, and completes.
    public func all(_ keys: String = ">") -> Observable<NATSBucketEntry<Value>> {
        entries(keys, completesAtEnd: true).filter { $0.value != nil }
    }

    /// Emits the stored values of a key, the oldest first, with its removals.
    public func history(_ key: String) -> Observable<NATSBucketEntry<Value>> {
        .deferred {
            try check(key)
            return stream.replay(from: .first, filter: subject(key), completesAtEnd: true).compactMap(entryUnlessSkipped(of:))
        }
    }

    /// Emits the value of a key and follows its changes, like a relay: `nil` while the key has no value.
    public func value(of key: String) -> Observable<Value?> {
        newest(key).map { Optional($0) }.ifEmpty(default: nil).take(1).flatMap { current -> Observable<Value?> in
            let start = current.map { NATSStream.StartPosition.sequence($0.sequence + 1) } ?? .first
            let later = stream.replay(from: start, filter: subject(key))
            guard let current else { return later.compactMap(entryUnlessSkipped(of:)).map(\.value).startWith(nil) }
            return later.startWith(current).compactMap(entryUnlessSkipped(of:)).map(\.value)
        }
    }

    private func entries(_ keys: String, completesAtEnd: Bool) -> Observable<NATSBucketEntry<Value>> {
        .deferred {
            try Subject.check(keys, for: .subscribing)
            return stream.replay(from: .lastOfEachSubject, filter: subject(keys), completesAtEnd: completesAtEnd)
                .compactMap(entryUnlessSkipped(of:))
        }
    }

    private func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    private func check(_ key: String) throws {
        // Otherwise the end of a name with a dot would be a part of a key in another bucket.
        try Subject.checkName(name)
        let isValid = key.utf8.allSatisfy { $0.isAlphanumeric || "-/_=.".utf8.contains($0) }
        guard isValid, !key.isEmpty, !key.hasPrefix("."), !key.hasSuffix("."), !key.contains("..") else {
            throw NATSError.BucketFailure.invalidKey(key.printableBeginning)
        }
    }

    private func change(_ key: String, _ headers: NATSHeaders, _ payload: @escaping @Sendable () throws -> Data) -> Single<Int> {
        Observable.deferred {
            try check(key)
            return bus.request(try payload(), to: subject(key), headers: headers).asObservable().map { message in
                try JetStreamAPI.decode(NATSStream.Acknowledgement.self, from: message.body, of: key).sequence
            }
        }
        .catch { error in
            if case NATSError.jetStream(let failure) = error, failure.code == 10_071 { throw NATSError.BucketFailure.conflict(key: key) }
            throw error.asJetStreamError
        }
        .asSingle()
    }

    /// Emits the newest message of a key, even if the key was removed; emits nothing if the key was never set.
    private func newest(_ key: String) -> Observable<NATSStream.StoredMessage<Data>> {
        Observable.deferred {
            try check(key)
            return stream.lastMessage(subject(key)).asObservable()
        }
        .catch { error in
            guard case NATSError.jetStream(let failure) = error, failure.code == NATSError.JetStreamFailure.noMessage else { throw error }
            return .empty()
        }
    }

    private func operation(of stored: NATSStream.StoredMessage<Data>) -> NATSBucketEntry<Value>.Operation {
        switch stored.message.headers["KV-Operation"] {
        case "DEL": .delete
        case "PURGE": .purge
        default: .put
        }
    }

    @Sendable
    private func entryUnlessSkipped(of stored: NATSStream.StoredMessage<Data>) -> NATSBucketEntry<Value>? {
        bus.core.unlessSkipped { () throws(NATSError) in try entry(of: stored) }
    }

    @Sendable
    private func entry(of stored: NATSStream.StoredMessage<Data>) throws(NATSError) -> NATSBucketEntry<Value> {
        let key = String(stored.subject.dropFirst("$KV.\(name).".count))
        let operation = operation(of: stored)
        let value = operation == .put ? try bus.coding.decode(Value.self, from: stored.body, of: stored.subject) : nil
        return NATSBucketEntry(key: key, value: value, revision: stored.sequence, operation: operation, time: stored.time)
    }
}

extension NATSConnection {
    /// Returns a bucket of values; see ``NATSBucket``.
    public func bucket<Value: Codable & Sendable>(_ name: String, of type: Value.Type) -> NATSBucket<Value> {
        NATSBucket(self, name)
    }
}

/// A value of a bucket, with its key and its latest change.
public struct NATSBucketEntry<Value: Sendable>: Sendable {
    /// A kind of change of a key.
    public enum Operation: Sendable, Equatable {
        /// A value was set.
        case put
        /// The value was removed.
        case delete
        /// The value was removed, and the values before it.
        case purge
    }

    /// The key of the entry.
    public let key: String
    /// The value; `nil` if it was removed.
    public let value: Value?
    /// The number of the change, which grows with each change of the bucket.
    public let revision: Int
    /// The kind of the change.
    public let operation: Operation
    /// The time of the change.
    public let time: Date

    /// Creates an entry, for stubs in tests.
    public init(key: String, value: Value?, revision: Int, operation: Operation = .put, time: Date = Date()) {
        self.key = key
        self.value = value
        self.revision = revision
        self.operation = operation
        self.time = time
    }
}

extension NATSBucketEntry: Equatable where Value: Equatable {}

extension NATSError {
    /// The reason why a bucket refused a change.
    public enum BucketFailure: Error, Equatable, Sendable {
        /// A key is not valid: it contains characters other than letters, digits and `-/_=.`, or ends with a dot.
        case invalidKey(String)
        /// The key does not have the revision that was to be replaced: another client has changed it.
        case conflict(key: String)
    }
}

extension NATSError.BucketFailure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidKey(let key): "\"\(key)\" is no key of a bucket."
        case .conflict(let key): "The key \(key) has another revision: somebody else has set it."
        }
    }

    public var errorDescription: String? { description }
}
