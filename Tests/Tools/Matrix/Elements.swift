// The types of the elements. Not part of a target: the matrix copies what a program uses into it.

import Foundation

public enum FourCases: Sendable, Hashable { case a, b, c, d }
public enum OnePayload: Sendable, Hashable { case only(Int) }
public enum ObjectPayload: Sendable, Hashable { case empty, object(Counted) }
public enum SeveralPayloads: Sendable, Hashable { case number(Int), text(String), object(Counted, Double), empty, last(UInt8, Counted) }
public indirect enum Tree: Sendable, Hashable { case leaf(Int), node(Tree, Counted) }

public struct NoFields: Sendable, Hashable { public init() {} }
public struct OneField: Sendable, Hashable { public var a: Int }
public struct TwoFields: Sendable, Hashable { public var a: Int, b: UInt8 }
public struct ThreeNumbers: Sendable, Hashable { public var a: UInt8, b: Double, c: Int32 }
public struct ThreeFields: Sendable, Hashable { public var a: Int, text: String, object: Counted }
public struct FiveFields: Sendable, Hashable { public var a: UInt8, b: Double, text: String, c: Int32, object: Counted }
public struct NineFields: Sendable, Hashable {
    public var a: UInt8, b: UInt16, c: UInt32, d: Int, e: Float, text: String, f: Bool, object: Counted?, g: Double
}
public struct TwoObjects: Sendable, Hashable { public var first: Counted, second: Counted }

public struct Bytes128: Sendable, Hashable {
    public var a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p: Int

    public init(_ x: Int) {
        (a, b, c, d, e, f, g, h) = (x, x &+ 1, x &+ 2, x &+ 3, x &+ 4, x &+ 5, x &+ 6, x &+ 7)
        (i, j, k, l, m, n, o, p) = (x &+ 8, x &+ 9, x &+ 10, x &+ 11, x &+ 12, x &+ 13, x &+ 14, x &+ 15)
    }
}

public struct Bytes128WithObject: Sendable, Hashable {
    public var a, b, c, d, e, f, g, h, i, j, k, l, m, n: Int
    public var object: Counted
    public var o: Int

    public init(_ x: Int) {
        (a, b, c, d, e, f, g) = (x, x &+ 1, x &+ 2, x &+ 3, x &+ 4, x &+ 5, x &+ 6)
        (h, i, j, k, l, m, n) = (x &+ 7, x &+ 8, x &+ 9, x &+ 10, x &+ 11, x &+ 12, x &+ 13)
        (object, o) = (Counted(x), x &+ 15)
    }
}

/// 1,160 bytes, which Swift's temporary memory has on the heap.
public struct Bytes1160: Sendable, Hashable {
    public var a, b, c, d, e, f, g, h, i: Bytes128
    public var object: Counted

    public init(_ x: Int) {
        (a, b, c, d, e) = (Bytes128(x), Bytes128(x &+ 1), Bytes128(x &+ 2), Bytes128(x &+ 3), Bytes128(x &+ 4))
        (f, g, h, i) = (Bytes128(x &+ 5), Bytes128(x &+ 6), Bytes128(x &+ 7), Bytes128(x &+ 8))
        object = Counted(x)
    }
}

public class Animal: @unchecked Sendable {
    public let counted: Counted
    public init(_ number: Int) { counted = Counted(number) }
    public func sound() -> Int { counted.number }
}
public final class Cat: Animal, @unchecked Sendable {
    override public func sound() -> Int { counted.number &+ 1000 }
}

public protocol Numbered: Sendable { var number: Int { get } }
public struct SmallNumbered: Numbered { public var number: Int }
public struct LargeNumbered: Numbered { public var number: Int, a: Double, text: String, object: Counted, more: String }
extension Counted: Numbered {}

public enum Fault: Error, Hashable { case a, b(Int), c(String) }
public struct LargeFault: Error, Sendable { public var number: Int, text: String, object: Counted }

public struct Box<Value: Sendable>: Sendable { public var tag: UInt8, value: Value }
extension Box: Equatable where Value: Equatable {}
extension Box: Hashable where Value: Hashable {}
public struct Packed<each Value: Sendable>: Sendable { public var values: (repeat each Value), number: Int }

public struct Pointing: @unchecked Sendable, Hashable { public var pointer: UnsafePointer<Int>, number: Int }
public nonisolated(unsafe) let pointed: UnsafeMutablePointer<Int> = {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 64)
    for i in 0..<64 { memory[i] = i * 3 }
    return memory
}()

/// Objects that outlive each element, for references that do not retain them.
public let kept: [Counted] = (0..<64).map { Counted($0) }
public struct Weak: @unchecked Sendable {
    public weak var object: Counted?
    public var number: Int
    public init(_ object: Counted?, _ number: Int) { (self.object, self.number) = (object, number) }
}
public struct Unowned: Sendable {
    public unowned let object: Counted
    public var number: Int
    public init(_ object: Counted, _ number: Int) { (self.object, self.number) = (object, number) }
}
