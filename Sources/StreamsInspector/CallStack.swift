import CInspector
import CStreamsSystem
import Foundation
import Streams

extension CallStack.Site {
    /// The binaries of the toolchain.
    private static let systemImages = ["libswift", "lib_", "libFoundation", "libdispatch", "libTesting", "libXCTest"]
    /// The functions that capture the calls and start the observables: this module and its probe.
    private static let inspector = ["$s16StreamsInspector", "$s7Streams5Probe"]
    /// The libraries of the package; its programs do not belong to them.
    private static let modules: Set<Substring> = [
        "Streams", "Schedulers", "NetNodes", "NetNodesURLSession", "NATSNodes", "SystemSources", "StreamsTesting", "LoopbackServer",
        "StreamsSimulator", "TerminalViews", "Bytes", "HTTPMessages", "Redaction", "Sockets", "SocketNodes", "WebSocketFrames",
    ]

    /// The owner of a function's code.
    private enum Owner {
        case library, inspector, program, system
    }

    /// Reads the calls, beginning with the innermost, which creates the observable. The operator is the outermost function of the package
    /// before the program's code, and the place is the program's first line. Inside the start of another operator, and in an action of the
    /// package, there is no such line: then the observable is internal.
    init(_ calls: [SymbolTable.Frame]) {
        self.init(operatorName: "?")
        var (isInside, isConversion) = (false, false)
        for call in calls {
            switch Self.owner(of: call) {
            case .inspector:
                guard !isInside else {
                    isInternal = true
                    return
                }
            case .system: continue
            case .library:
                let name = FunctionName(call.function)
                guard !name.isObservableInitializer else {
                    if !isInside { operatorName = "Observable" }
                    continue
                }
                // The main loop runs actions, like the system's queues.
                guard name.type != "MainLoop" || name.base != "run" else {
                    isInternal = isInside
                    return
                }
                // Where an operator is applied to a subject or a connectable stream, that becomes an observable.
                isConversion = isConversion || !isInside && name.isConversion
                if !isInside || !isConversion { operatorName = isConversion || name.isInitializer ? name.type ?? name.base : name.base }
                isInside = true
            case .program:
                (place, caller) = (call.place, call.address)
                return
            }
        }
        isInternal = isInside
    }

    private static func owner(of call: SymbolTable.Frame) -> Owner {
        if inspector.contains(where: call.symbol.hasPrefix) { return .inspector }
        if call.isTopLevel { return .program }
        guard let module = call.module else { return .system }
        if modules.contains(module) { return .library }
        return systemImages.contains(where: call.image.hasPrefix) ? .system : .program
    }
}

extension SymbolTable.Frame {
    /// The module of a Swift function according to its mangled name; for an extension of a system's type, the module of the extension.
    var module: Substring? {
        guard symbol.hasPrefix("$s") else { return nil }
        var rest = symbol.dropFirst(2)
        if rest.hasPrefix("S"), let start = rest.firstIndex(where: \.isNumber) {
            rest = rest[start...]
            return Self.identifier(&rest).flatMap { rest.hasPrefix("E") ? $0 : nil }
        }
        return Self.identifier(&rest)
    }

    /// Whether this is the code of `main.swift`, or the entry that the compiler writes for `@main`: a function that is called `main`; or
    /// `App_main`, so that tests can be linked with the program; or, with `await`, `async_Main` and, for its later parts, `async_MainTY1_`.
    var isTopLevel: Bool {
        // Names with two underscores are those of the C library.
        guard !symbol.hasPrefix("$s"), !symbol.hasPrefix("__") else { return false }
        return symbol == "main" || symbol.hasSuffix("_main") || symbol.hasPrefix("async_Main")
    }

    /// Whether no line of the program stands for this function: the compiler has written it, for `@main`.
    var isEntry: Bool { isTopLevel || symbol.contains("5$main") }

    /// The module of the code of `main.swift`: that of `App_main`, or named like the folder.
    private var topLevelModule: Substring? {
        if symbol.hasSuffix("_main") { return symbol.dropLast(5) }
        let folder = file?.split(separator: "/").dropLast().last ?? "main"
        return Substring(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Reads an identifier, which follows its length.
    private static func identifier(_ rest: inout Substring) -> Substring? {
        let digits = rest.prefix { $0.isNumber }
        guard let length = Int(digits), length > 0 else { return nil }
        let name = rest.dropFirst(digits.count).prefix(length)
        rest = rest[name.endIndex...]
        return name
    }

    /// The line, with the file named like `#fileID`.
    var place: InspectorSnapshot.Node.Place? {
        guard let file, line > 0 else { return nil }
        let components = file.split(separator: "/")
        guard let name = components.last else { return nil }
        let folder = isTopLevel ? topLevelModule : module ?? components.dropLast().last
        return .init(file: folder.map { "\($0)/\(name)" } ?? String(name), line: line)
    }
}

/// The parts of a demangled name.
struct FunctionName {
    /// The name without types, labels and arguments.
    let base: String
    /// The type that declares it.
    let type: String?

    var isInitializer: Bool { base == "init" || base == "__allocating_init" }

    var isObservableInitializer: Bool { isInitializer && type == "Observable" }

    /// Whether the function makes an observable of its type.
    var isConversion: Bool { base == "asObservable" || base == "asInnerObservable" }

    /// Reads `closure #1 () -> () in (extension in M):M.Type<A>.method<B>(_: C) -> D`.
    init(_ demangled: String) {
        var name = demangled[...]
        if name.hasPrefix("generic specialization") || name.hasPrefix("partial apply"), let range = name.range(of: " of ") {
            name = name[range.upperBound...]
        }
        if name.contains("losure #"), let function = Self.function(enclosing: name) { name = function }
        var parts: [Substring] = []
        var start = name.startIndex
        scan: for index in Self.outermost(name) {
            switch name[index] {
            case "(" where index != start: break scan
            case ".", ":":
                parts.append(name[start..<index])
                start = name.index(after: index)
            case " ":
                // The type of a property follows.
                if name[index...].hasPrefix(" : ") { break scan }
                start = name.index(after: index)
            default: continue
            }
        }
        let end = name[start...].firstIndex { "<( :".contains($0) } ?? name.endIndex
        parts.append(name[start..<end])
        let cleaned = parts.map { part in String(part.prefix { $0 != "<" }) }.filter { !$0.isEmpty && $0 != "getter" }
        base = cleaned.last ?? "?"
        type = cleaned.dropLast().last
    }

    /// Returns the function after the outermost ` in `.
    private static func function(enclosing closure: Substring) -> Substring? {
        outermost(closure).last { closure[$0...].hasPrefix(" in ") }.map { closure[closure.index($0, offsetBy: 4)...] }
    }

    /// Returns the positions of the characters outside of brackets, with the opening brackets.
    private static func outermost(_ name: Substring) -> [Substring.Index] {
        var depth = 0
        return name.indices.filter { index in
            let isOutermost = depth == 0
            switch name[index] {
            case "<", "(", "[": depth += 1
            // The `>` of an arrow closes nothing.
            case ">" where index > name.startIndex && name[name.index(before: index)] == "-": return false
            case ">", ")", "]":
                depth -= 1
                return false
            default: break
            }
            return isOutermost
        }
    }
}

/// The calls that led to the creation of an observable, as addresses, which are looked up only when a snapshot shows them.
final class CallStack: Sendable {
    /// The facts about an observable that follow from its stack.
    struct Site: Sendable {
        var operatorName: String
        var place: InspectorSnapshot.Node.Place?
        /// The address in the program for which the place is looked up.
        var caller: UInt?
        /// Whether the package built it, and no line of the program did.
        var isInternal = false
    }

    /// The number of recorded calls: an operator that consists of others has several calls between the observable and the program.
    private static let limit = 28

    let addresses: [UInt]

    private init(_ addresses: [UInt]) {
        self.addresses = addresses
    }

    static func capture() -> CallStack {
        let top = InspectedThread.current.stackTop
        return CallStack(
            [UInt](unsafeUninitializedCapacity: limit) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = Int(streams_call_stack(start, Int32(limit), top))
            })
    }
}
