import CInspector
import CStreamsSystem
import Foundation
import Streams

#if canImport(Runtime)
    import Runtime
#endif

/// The meaning of the addresses in call stacks. Each address is looked up once: first its name, and then its line if a snapshot shows it,
/// which takes the runtime ten milliseconds for each address in a large program.
final class SymbolTable: CallNames, Sendable {
    /// A function that was called, or inlined into one.
    struct Frame: Sendable {
        var address: UInt
        var function: String
        var symbol: String
        var image: String
        var file: String?
        var line = 0
    }

    static let shared = SymbolTable()
    private static let originLimit = 10_000

    private struct State {
        var frames: [UInt: [Frame]] = [:]
        var origins: [[UInt]: CallStack.Site] = [:]
        /// The places of the addresses that were looked up for their line.
        var places: [UInt: InspectorSnapshot.Node.Place?] = [:]
    }

    private let thread = LookUpThread()
    private let state = Lock(State())

    /// Looks up the stacks that are not known yet. The first call reads the symbols of the program.
    func lookUp(_ stacks: [CallStack]) {
        let isKnown = state.withLock { state in stacks.allSatisfy { state.origins[$0.addresses] != nil } }
        guard !isKnown else { return }
        let done = DispatchSemaphore(value: 0)
        thread.run { [self] in
            // Another look-up may have found some of them meanwhile.
            let known = state.withLock { $0.origins }
            let missing = Set(stacks.map(\.addresses)).filter { known[$0] == nil }
            if !missing.isEmpty { find(missing) }
            done.signal()
        }
        done.wait()
    }

    private func find(_ stacks: Set<[UInt]>) {
        let known = state.withLock { $0 }
        let unknown = Set(stacks.joined()).filter { known.frames[$0] == nil }
        let frames = known.frames.merging(Self.frames(at: unknown, withLines: Self.hasInlinedCalls)) { first, _ in first }
        var origins = stacks.reduce(into: [:]) { origins, stack in
            origins[stack] = CallStack.Site(stack.flatMap { frames[$0] ?? [] })
        }
        let callers = Set(origins.values.compactMap { $0.place == nil ? $0.caller : nil })
        let places = known.places.merging(Self.places(of: callers.filter { known.places[$0] == nil })) { first, _ in first }
        let hasLines = places.values.contains { $0 != nil }
        for (stack, origin) in origins where origin.place == nil {
            guard let caller = origin.caller else { continue }
            origins[stack]?.place = places[caller] ?? nil
            // An entry without a line calls no operator: the package's actions on the main queue run above it.
            let isEntry = frames[caller]?.contains(where: \.isEntry) ?? false
            if isEntry, hasLines, origins[stack]?.place == nil { origins[stack]?.isInternal = true }
        }
        state.withLock { state in
            (state.frames, state.places) = (frames, places)
            // A recursion of the program has a stack of its own for each depth.
            if state.origins.count + origins.count > Self.originLimit { state.origins = [:] }
            state.origins.merge(origins) { first, _ in first }
        }
    }

    private static func places(of callers: Set<UInt>) -> [UInt: InspectorSnapshot.Node.Place?] {
        let frames = frames(at: callers, withLines: true)
        return callers.reduce(into: [:]) { places, caller in
            places[caller] = .some(frames[caller]?.first { $0.place != nil }?.place)
        }
    }

    /// Returns the operator that a stack created, and the line of the program that called it.
    func origin(of stack: CallStack) -> CallStack.Site {
        if let known = state.withLock({ $0.origins[stack.addresses] }) { return known }
        lookUp([stack])
        return state.withLock { $0.origins[stack.addresses] } ?? CallStack.Site([])
    }

    /// Whether calls are inlined, so that only the debug information knows all of them. In a debug build few are inlined.
    private static var hasInlinedCalls: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    #if canImport(Runtime)
        private static func frames(at addresses: Set<UInt>, withLines: Bool) -> [UInt: [Frame]] {
            guard !addresses.isEmpty else { return [:] }
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return names(at: addresses) }
            guard let backtrace = try? backtrace(of: addresses) else { return names(at: addresses) }
            var options: Backtrace.SymbolicationOptions = .useSymbolCache
            if withLines { options.insert(.showSourceLocations) }
            if hasInlinedCalls { options.insert(.showInlineFrames) }
            guard let symbolicated = backtrace.symbolicated(with: ImageMap.capture(), options: options) else {
                return names(at: addresses)
            }
            var frames: [UInt: [Frame]] = [:]
            for frame in symbolicated.frames {
                guard case .returnAddress(let address) = frame.captured, let symbol = frame.symbol, let key = UInt(address) else {
                    continue
                }
                frames[key, default: []].append(
                    Frame(
                        address: key, function: symbol.name, symbol: symbol.rawName, image: symbol.imageName,
                        file: symbol.sourceLocation?.path,
                        line: symbol.sourceLocation?.line ?? 0))
            }
            return frames
        }

        /// Returns a backtrace of these addresses. Its only public initializer decodes the compact format: a byte for the version and the
        /// size of addresses, and for each frame an instruction and the difference to the previous address.
        @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        private static func backtrace(of addresses: Set<UInt>) throws -> Backtrace {
            var bytes: [UInt8] = [2]
            var previous: UInt = 0
            for address in addresses.sorted() {
                let difference = UInt64(truncatingIfNeeded: Int(bitPattern: address &- previous))
                bytes.append(0x27)
                withUnsafeBytes(of: difference.bigEndian) { bytes += $0 }
                previous = address
            }
            let encoded = Data(bytes).base64EncodedString().filter { $0 != "=" }
            let architecture = try Backtrace.capture(algorithm: .fast, limit: 1).architecture
            return try JSONDecoder().decode(
                Backtrace.self, from: Data(#"{"architecture":"\#(architecture)","backtrace":"\#(encoded)"}"#.utf8))
        }
    #else
        private static func frames(at addresses: Set<UInt>, withLines: Bool) -> [UInt: [Frame]] { names(at: addresses) }
    #endif

    /// Returns the names that the dynamic linker knows, without files and lines.
    private static func names(at addresses: Set<UInt>) -> [UInt: [Frame]] {
        var frames: [UInt: [Frame]] = [:]
        for address in addresses {
            var path: UnsafePointer<CChar>?
            guard let name = streams_symbol(address, &path) else { continue }
            let symbol = String(cString: name)
            let image = path.map { URL(filePath: String(cString: $0)).lastPathComponent } ?? ""
            frames[address] = [Frame(address: address, function: symbol, symbol: symbol, image: image)]
        }
        return frames
    }
}

/// The thread of all look-ups: the runtime keeps the binaries that it has read separately for each thread.
private final class LookUpThread: Sendable {
    private struct State {
        var isStarted = false
        var jobs: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())
    private let arrivals = DispatchSemaphore(value: 0)

    /// Runs `job` on the thread, which starts with the first job. If there is no thread, it runs here.
    func run(_ job: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            state.jobs.append(job)
            return !state.isStarted
        }
        arrivals.signal()
        guard isFirst, SystemThread.start(named: "symbols", { [self] in while true { runNext() } }) != 0 else { return }
        state.withLock { $0.isStarted = false }
        runNext()
    }

    private func runNext() {
        arrivals.wait()
        let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        job?()
    }
}
