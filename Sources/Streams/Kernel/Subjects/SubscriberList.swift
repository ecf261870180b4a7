import Schedulers
import Synchronization

/// The observers of a multicasting source, in the order in which they subscribed.
///
/// Law 2: accessed only inside the source's serializer, except for the count. Adding and removing take constant time: a removed slot leaves
/// a hole, and the list is compacted when half of it consists of holes. A single observer needs no memory besides the list itself. The
/// slots are borrowed from their lifetimes. The list is not generic, so removing a slot requires no type metadata from the runtime.
@usableFromInline
@safe struct SubscriberList: ~Copyable {
    @usableFromInline typealias Place = Unmanaged<AnySubjectSlot>?

    /// The index of a slot that is not in the list.
    @usableFromInline static var unlisted: Int32 { -1 }
    /// The index of a slot that will not be in the list any more, since the source has terminated.
    static var removedForever: Int32 { -2 }

    @usableFromInline var first: Place = nil
    /// The places after the first.
    @usableFromInline var others: UnsafeMutablePointer<Place>?
    @usableFromInline var capacity = 1
    /// The number of used places, including holes.
    @usableFromInline var end = 0
    /// The number of observers, which any thread may read.
    @usableFromInline let count = Atomic<Int>(0)

    @inlinable
    init() {}

    @inlinable
    deinit {
        unsafe others?.deallocate()
    }

    @inlinable @inline(__always)
    subscript(index: Int) -> Place {
        get { unsafe index == 0 ? first : others.unsafelyUnwrapped[index - 1] }
        set {
            if index == 0 { unsafe first = unsafe newValue } else { unsafe others.unsafelyUnwrapped[index - 1] = unsafe newValue }
        }
    }

    /// Whether there are no observers. Called from any thread.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Adds `slot` after the others.
    @usableFromInline
    mutating func append(_ slot: AnySubjectSlot) {
        if end == capacity { grow() }
        slot.index.store(Int32(end), ordering: .relaxed)
        unsafe self[end] = unsafe .passUnretained(slot)
        end += 1
        count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
    }

    mutating func remove(_ slot: AnySubjectSlot) {
        let index = slot.index.load(ordering: .relaxed)
        guard index >= 0 else { return }
        unsafe self[Int(index)] = nil
        slot.index.store(Self.unlisted, ordering: .relaxed)
        let left = count.load(ordering: .relaxed) - 1
        count.store(left, ordering: .relaxed)
        if left == 0 { end = 0 } else if left * 2 < end { closeUp() }
    }

    /// Removes and returns all observers, since the source terminates.
    @usableFromInline
    mutating func takeAll() -> ShortList<AnySubjectSlot> {
        var taken = ShortList<AnySubjectSlot>()
        for index in 0..<end {
            guard let slot = unsafe self[index] else { continue }
            unsafe taken.append(slot.takeUnretainedValue())
        }
        for slot in taken { slot.index.store(Self.removedForever, ordering: .relaxed) }
        end = 0
        count.store(0, ordering: .relaxed)
        return taken
    }

    private mutating func closeUp() {
        var target = 0
        for index in 0..<end {
            guard let slot = unsafe self[index] else { continue }
            unsafe slot._withUnsafeGuaranteedRef { $0.index.store(Int32(target), ordering: .relaxed) }
            unsafe self[target] = unsafe slot
            target += 1
        }
        end = target
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Place>.allocate(capacity: capacity * 4 - 1)
        if let others = unsafe others {
            unsafe larger.moveInitialize(from: others, count: end - 1)
            unsafe others.deallocate()
        }
        unsafe others = unsafe larger
        capacity *= 4
    }
}
