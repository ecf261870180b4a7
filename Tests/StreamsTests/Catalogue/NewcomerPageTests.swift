import Foundation
import StreamsTesting
import Testing

@Suite("The pages for those who know another library", .onOneThread)
struct NewcomerPageTests {
    private static let symbols = Result { try PublicSymbols() }
    private static let rxSwift = Result { try Page("RxSwift") }

    @Test(arguments: ["RxSwift", "Combine", "NodeKit", "AsyncAlgorithms"])
    func `Every symbol that a table names as one of this package exists`(library: String) throws {
        let symbols = try Self.symbols.get()
        let cells = try Page(library).ours
        #expect(cells.count > 10)
        for cell in cells {
            for name in cell.names where !symbols.contains(name) {
                Issue.record("\(library): `\(name)` of “\(cell.text)” does not exist")
            }
        }
    }

    @Test(arguments: RxSwiftNames.all)
    func `Every operator of RxSwift is here under its name, or on the page`(name: String) throws {
        let symbols = try Self.symbols.get()
        let known = try Self.rxSwift.get().theirs
        #expect(symbols.contains(name) || known.contains { $0.names.contains(name) })
    }
}

/// The tables of one page.
private struct Page {
    /// One cell of a table; what is in its backticks is code.
    struct Cell {
        let text: String

        /// The names in it, with their labels where those are all that is in the parentheses. Labels of arguments and placeholders are
        /// left out.
        var names: [String] {
            text.matches(of: /`([^`]+)`/).flatMap { code in
                code.1.replacing(/\{.*?\}/, with: "").matches(of: /(?:[a-z_]+:)?([A-Za-z_]\w*(?:\((?:\w+:)+\))?)(:?)/)
                    .filter { $0.2.isEmpty && !Self.placeholders.contains(String($0.1)) }
                    .map { String($0.1) }
            }
        }

        private static let placeholders: Set = [
            "observable", "property", "transport", "context", "stream", "bag", "state", "object", "seconds", "Model", "Error", "Clock", "_",
            "Streams", "StreamsTesting", "NetNodes", "array", "single", "model",
        ]
    }

    /// The cells about this package.
    let ours: [Cell]
    /// The cells about the other library.
    let theirs: [Cell]

    init(_ library: String) throws {
        let text = try Documentation.text("Docs/ComingFrom\(library).md")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|--") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count > 1 && !$0[1].hasPrefix("here") }
        theirs = rows.map { Cell(text: $0[0]) }
        // An operator that is "the same" is named by the other library's cell.
        ours = rows.map { Cell(text: $0[1].contains("the same") ? "\($0[0]) \($0[1])" : $0[1]) }
    }
}

/// The symbols of the lists in `Docs/API`.
private struct PublicSymbols {
    private var labels: [Substring: [[Substring]]] = [:]

    init() throws {
        for library in ["Schedulers", "Streams", "StreamsTesting", "SocketNodes", "NetNodes", "TerminalViews", "SystemSources"] {
            let paths = try Documentation.text("Docs/API/\(library).txt").split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            for path in paths {
                let parts = path.prefix { $0 != "(" }.split(separator: ".")
                for part in parts { labels[part, default: []].append([]) }
                guard let last = parts.last, let open = path.firstIndex(of: "(") else { continue }
                let own = path[open...].dropFirst().dropLast().split(separator: ":")
                labels[last, default: []].append(own)
                if last == "init", parts.count > 1 { labels[parts[parts.count - 2], default: []].append(own) }
            }
        }
    }

    /// Whether there is a symbol of this name which has these labels, in their order, besides others that have a default.
    func contains(_ name: String) -> Bool {
        let base = name.prefix { $0 != "(" }
        guard let candidates = labels[base] else { return false }
        let wanted = name.dropFirst(base.count).trimmingPrefix("(").split(separator: ")").first?.split(separator: ":") ?? []
        return candidates.contains { candidate in
            var rest = candidate[...]
            return wanted.allSatisfy { label in
                guard let index = rest.firstIndex(of: label) else { return false }
                rest = rest[(index + 1)...]
                return true
            }
        }
    }
}

/// The operators of RxSwift 6, and the names that it had before.
private enum RxSwiftNames {
    static let all = [
        "amb(_:)", "asCompletable", "asDriver(onErrorJustReturn:)", "asDriver(onErrorDriveWith:)", "asDriver(onErrorRecover:)",
        "asInfallible",
        "asMaybe", "asObservable", "asSignal(onErrorJustReturn:)", "asSingle", "bind(to:)", "bind(onNext:)",
        "buffer(timeSpan:count:scheduler:)", "catch(_:)", "catchAndReturn(_:)", "catchError", "catchErrorJustReturn", "combineLatest",
        "compactMap(_:)", "concat(_:)", "concatMap(_:)", "create(_:)", "debounce(_:scheduler:)", "debug(_:trimOutput:file:line:)",
        "decode(type:decoder:)", "deferred(_:)", "delay(_:scheduler:)", "delaySubscription(_:scheduler:)", "dematerialize",
        "distinctUntilChanged(_:)", "distinctUntilChanged(_:comparer:)",
        "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
        "drive(_:)", "drive(onNext:onCompleted:onDisposed:)", "element(at:)", "emit(to:)", "emit(onNext:onCompleted:onDisposed:)",
        "empty()",
        "enumerated()", "error(_:)", "filter(_:)", "first()", "flatMap(_:)", "flatMapFirst(_:)", "flatMapLatest(_:)", "from(_:)",
        "from(optional:)", "generate(initialState:condition:iterate:)", "groupBy(keySelector:)", "ifEmpty(default:)", "ifEmpty(switchTo:)",
        "ignoreElements()", "interval(_:scheduler:)", "just(_:)", "just(_:scheduler:)", "map(_:)", "materialize()", "merge()",
        "merge(maxConcurrent:)", "multicast(_:)", "multicast(makeSubject:)", "multicast(_:selector:)", "never()", "observe(on:)",
        "observeOn", "of(_:)", "publish()", "range(start:count:)", "reduce(_:accumulator:)", "refCount()", "repeatElement(_:)",
        "replay(_:)", "replayAll()", "retry()", "retry(_:)", "retry(when:)", "sample(_:)", "scan(_:accumulator:)", "share(replay:scope:)",
        "single()", "single(_:)", "skip(_:)", "skip(until:)", "skip(while:)", "startWith(_:)", "subscribe(_:)",
        "subscribe(onNext:onError:onCompleted:onDisposed:)", "subscribe(with:onNext:onError:onCompleted:onDisposed:)", "subscribe(on:)",
        "subscribeOn", "switchLatest()", "take(_:)", "take(for:scheduler:)", "take(until:)", "take(while:behavior:)", "takeLast(_:)",
        "throttle(_:latest:scheduler:)", "timeout(_:scheduler:)", "timeout(_:other:scheduler:)", "timer(_:scheduler:)",
        "timer(_:period:scheduler:)", "toArray()", "using(_:observableFactory:)", "value", "values",
        "window(timeSpan:count:scheduler:)", "withLatestFrom(_:)", "withLatestFrom(_:resultSelector:)", "withUnretained(_:)", "zip",
    ]
}
