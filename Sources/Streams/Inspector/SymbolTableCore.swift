#if STREAMS_INSPECTOR
    import CSystem
    import Foundation
    import Schedulers

    #if canImport(Runtime)
        import Runtime
    #endif

    /// What the addresses of call stacks mean. Each is looked up once.
    final class SymbolTable: Sendable {
        /// A function that was called, or inlined into one.
        struct Frame: Sendable {
            var function: String
            var symbol: String
            var image: String
            var file: String?
            var line = 0
        }

        static let shared = SymbolTable()

        private let thread = LookUpThread()
        private let frames = Lock<[UInt: [Frame]]>([:])
        private let origins = Lock<[[UInt]: CallStack.Origin]>([:])
        private static let originLimit = 10_000

        /// Looks up the stacks that are not known yet. The first time this reads the debug information of the program.
        func lookUp(_ stacks: [CallStack]) {
            let unknown = unknown(of: stacks)
            guard !unknown.isEmpty else { return }
            let done = DispatchSemaphore(value: 0)
            thread.run { [self] in
                // Another look-up may have found them in the meantime.
                let missing = self.unknown(of: stacks)
                let found = missing.isEmpty ? [:] : Self.frames(at: missing.sorted())
                frames.withLock { frames in
                    for address in missing { frames[address] = found[address] ?? [] }
                }
                done.signal()
            }
            done.wait()
        }

        private func unknown(of stacks: [CallStack]) -> Set<UInt> {
            let known = frames.withLock { $0 }
            var unknown: Set<UInt> = []
            for stack in stacks {
                for address in stack.addresses where known[address] == nil { unknown.insert(address) }
            }
            return unknown
        }

        /// The operator that a stack created, and the line of the program that called it.
        func origin(of stack: CallStack) -> CallStack.Origin {
            if let known = origins.withLock({ $0[stack.addresses] }) { return known }
            let calls = frames.withLock { frames in stack.addresses.flatMap { frames[$0] ?? [] } }
            let origin = CallStack.Origin(calls)
            origins.withLock { origins in
                // A recursion of the program has a stack of its own for each depth.
                if origins.count >= Self.originLimit { origins = [:] }
                origins[stack.addresses] = origin
            }
            return origin
        }

        #if canImport(Runtime)
            private static func frames(at addresses: [UInt]) -> [UInt: [Frame]] {
                guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return names(at: addresses) }
                guard let backtrace = try? backtrace(of: addresses) else { return names(at: addresses) }
                // Finding inlined calls reads all functions of the program, and a debug build inlines few.
                #if DEBUG
                    let options: Backtrace.SymbolicationOptions = [.showSourceLocations, .useSymbolCache]
                #else
                    let options: Backtrace.SymbolicationOptions = [.showInlineFrames, .showSourceLocations, .useSymbolCache]
                #endif
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
                            function: symbol.name, symbol: symbol.rawName, image: symbol.imageName, file: symbol.sourceLocation?.path,
                            line: symbol.sourceLocation?.line ?? 0))
                }
                return frames
            }

            /// Returns a backtrace of these addresses. Its only public initializer decodes the compact format: a byte for the version and the
            /// size of addresses, and for each frame an instruction and the difference to the previous address.
            @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
            private static func backtrace(of addresses: [UInt]) throws -> Backtrace {
                var bytes: [UInt8] = [2]
                var previous: UInt = 0
                for address in addresses {
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
            private static func frames(at addresses: [UInt]) -> [UInt: [Frame]] { names(at: addresses) }
        #endif

        /// The names that the dynamic linker knows, without files and lines.
        private static func names(at addresses: [UInt]) -> [UInt: [Frame]] {
            var frames: [UInt: [Frame]] = [:]
            for address in addresses {
                var path: UnsafePointer<CChar>?
                guard let name = streams_symbol(address, &path) else { continue }
                let symbol = String(cString: name)
                let image = path.map { URL(filePath: String(cString: $0)).lastPathComponent } ?? ""
                frames[address] = [Frame(function: symbol, symbol: symbol, image: image)]
            }
            return frames
        }
    }

    /// The thread of all look-ups: the runtime keeps the binaries that it has read for each thread separately.
    private final class LookUpThread: Sendable {
        private struct State {
            var isStarted = false
            var jobs: [@Sendable () -> Void] = []
        }

        private let state = Lock(State())
        private let arrivals = DispatchSemaphore(value: 0)

        /// Runs `job` on the thread, which is started for the first one; here if there is none.
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
#endif
