// What the snippets share. Not part of a target: the matrix copies what a program uses into it.

import Foundation
import Streams
import Synchronization

/// An object whose instances are counted, and which notices that it is released twice.
public final class Counted: Sendable, Hashable {
    static let live = Atomic<Int>(0)
    public let number: Int
    private let mark = Atomic<Int>(0x5EED)

    public init(_ number: Int) {
        self.number = number
        Self.live.add(1, ordering: .sequentiallyConsistent)
    }

    deinit {
        if mark.exchange(0xDEAD, ordering: .sequentiallyConsistent) != 0x5EED {
            say("RELEASED TWICE \(number)")
            exit(9)
        }
        Self.live.subtract(1, ordering: .sequentiallyConsistent)
    }

    public static func == (a: Counted, b: Counted) -> Bool { a.number == b.number }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// What a snippet has received: the keys of elements, and marks for the rest.
public final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    public init() {}
    @inline(never) public func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    public var all: [Int] { entries.withLock { $0 } }
}
public let completed = -1
public let failed = -2

/// A number that several closures change.
public final class Tally: Sendable {
    private let sum = Atomic<Int>(0)
    private let additions = Atomic<Int>(0)
    public init() {}
    public var value: Int { sum.load(ordering: .sequentiallyConsistent) }
    public var count: Int { additions.load(ordering: .sequentiallyConsistent) }
    @inline(never) public func next() -> Int { sum.add(1, ordering: .sequentiallyConsistent).newValue }
    public func add(_ number: Int) {
        sum.wrappingAdd(number, ordering: .sequentiallyConsistent)
        additions.add(1, ordering: .sequentiallyConsistent)
    }
}

public final class Resource<Value: Sendable>: Disposable {
    public let value: Value
    public init(_ value: Value) { self.value = value }
    public func dispose() {}
    public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

public final class Property<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>
    public init(_ value: Value) { stored = Mutex(value) }
    public func set(_ value: Value) { stored.withLock { $0 = value } }
    public func get() -> Value { stored.withLock { $0 } }
}

@MainActor public final class Model<Value: Sendable> {
    @Streamed public var value: Value
    public init(_ value: Value) { _value = Streamed(wrappedValue: value) }
}

public actor Collector {
    public private(set) var all: [Int] = []
    public init() {}
    public func add(_ key: Int) { all.append(key) }
}

public final class Flag: Sendable {
    private let isGiven = Atomic<Bool>(false)
    public init() {}
    public func give() { isGiven.store(true, ordering: .sequentiallyConsistent) }
    public func wait() async {
        for _ in 0..<5000 where !isGiven.load(ordering: .sequentiallyConsistent) { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// A subscription that is disposed within one of its events.
public final class Held: Sendable {
    private let state = Mutex<(disposable: (any Disposable)?, isDue: Bool, isLate: Bool)>((nil, false, false))
    public init() {}

    /// Whether the event came before there was a disposable.
    public var isLate: Bool { state.withLock { $0.isLate } }

    public func dispose() {
        let disposable = state.withLock { state in
            state.isDue = true
            if state.disposable == nil { state.isLate = true }
            return state.disposable
        }
        disposable?.dispose()
    }

    public func hold(_ disposable: any Disposable) {
        let isDue = state.withLock { state in
            state.disposable = disposable
            return state.isDue
        }
        if isDue { disposable.dispose() }
    }
}

public func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
public func pair(_ a: Int, _ b: Int) -> Int { a &* 1_000_003 &+ b }
@inline(never) public func list(_ keys: [Int]) -> Int { keys.reduce(7) { $0 &* 31 &+ $1 } }
@inline(never) public func unique<Value: Equatable>(_ values: [Value]) -> [Value] {
    var result: [Value] = []
    for value in values where !result.contains(value) { result.append(value) }
    return result
}
@inline(never) public func changes<Value: Equatable>(_ values: [Value]) -> [Value] {
    var result: [Value] = []
    for value in values where result.last != value { result.append(value) }
    return result
}
@inline(never) public func digest(_ text: String) -> Int {
    var result = 5381
    for byte in text.utf8 { result = (result &* 33 &+ Int(byte)) & 0xffff_ffff }
    return result
}

/// How elements of one type are made and read: all of an element, one field of it, or nothing.
public protocol Shape: Sendable {
    associatedtype Element: Sendable
    static func make(_ number: Int) -> Element
    static func all(_ element: Element) -> Int
    static func one(_ element: Element) -> Int
}
extension Shape {
    @inlinable @inline(__always) public static func none(_ element: Element) -> Int { 4 }
    @inlinable @inline(__always) public static func elements(_ count: Int, from first: Int = 0) -> [Element] {
        var result: [Element] = []
        for number in first..<(first + count) { result.append(make(number)) }
        return result
    }
    @inline(never) public static func allOf(_ number: Int) -> Int { all(make(number)) }
    @inline(never) public static func oneOf(_ number: Int) -> Int { one(make(number)) }
    @inline(never) public static func noneOf(_ number: Int) -> Int { none(make(number)) }
}
public protocol HashableShape: Shape where Element: Hashable {}

nonisolated(unsafe) var runs = 0
nonisolated(unsafe) var checks = 0
nonisolated(unsafe) var failures = 0
nonisolated(unsafe) var before = 0
/// The runs that a former process has done, the last of which ended it.
let done = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0

/// Says which snippet runs next, so that it is known if it ends the process; false if a former process has run it.
public func begin(_ snippet: Int, _ shape: Any.Type) -> Bool {
    runs += 1
    guard runs > done else { return false }
    say("RUN \(runs) \(snippet) \(shape)")
    before = Counted.live.load(ordering: .sequentiallyConsistent)
    return true
}

public func check(_ found: [Int], _ expected: [Int]) {
    checks += 1
    guard found != expected else { return }
    report("WRONG \(found) instead of \(expected)")
}

func report(_ failure: String) {
    failures += 1
    say(failure)
}

public func end() {
    let leaked = Counted.live.load(ordering: .sequentiallyConsistent) - before
    if leaked != 0 { report("LEAK \(leaked) instances") }
}

/// Tasks release what they have after the snippet, so that this waits for it.
public func endAsync() async {
    for _ in 0..<1000 {
        guard Counted.live.load(ordering: .sequentiallyConsistent) != before else { return }
        try? await Task.sleep(for: .milliseconds(1))
    }
    end()
}

public func run(_ snippet: Int, _ shape: Any.Type, _ body: () throws -> Void) {
    guard begin(snippet, shape) else { return }
    do { try body() } catch { report("WRONG threw \(error)") }
    end()
}

@MainActor
public func runAsync(_ snippet: Int, _ shape: Any.Type, _ body: @MainActor () async throws -> Void) async {
    guard begin(snippet, shape) else { return }
    do { try await body() } catch { report("WRONG threw \(error)") }
    await endAsync()
}

public func finish() -> Never {
    say("DONE \(checks)")
    exit(failures == 0 ? 0 : 1)
}
