import Foundation
import StreamsTesting

@testable public import TerminalViews

// UIKit's names over terminal views, and a downloader, so that the listings about binders stand unchanged.

public typealias CGRect = Rect
public typealias _ImageLiteralType = UIImage

public class UIView: View {
    func addSubview(_ view: UIView) {
        subviews.append(view)
    }
}

public class UIControl: UIView {
    var isEnabled = true
}

public class UILabel: UIView {
    var text: String?
}

public class UIImageView: UIView {
    @Streamed var image: UIImage?
}

public final class UIImage: Sendable, _ExpressibleByImageLiteral {
    let name: String

    init(named name: String) {
        self.name = name
    }

    public init(imageLiteralResourceName name: String) {
        self.name = name
    }
}

struct TError: Error, Equatable {
    let errorCode: Int
    let errorString: String
    let errorData: Data?
}

enum SDWebImageDownloaderOptions {
    case highPriority
}

/// Calls back on a queue of its own, as the library of that name does.
final class SDWebImageDownloader: Sendable {
    struct Token: Sendable {
        fileprivate let downloader: SDWebImageDownloader
    }

    private static let current = Lock<SDWebImageDownloader?>(nil)

    let cancellations = BehaviorRelay(value: 0)
    private let answer: Result<UIImage?, TestError>

    private init(_ answer: Result<UIImage?, TestError>) {
        self.answer = answer
    }

    /// Runs a test with a shared downloader that answers so.
    @MainActor
    static func answering(
        _ answer: Result<UIImage?, TestError>, _ test: @MainActor (SDWebImageDownloader) async throws -> Void
    ) async throws {
        let downloader = SDWebImageDownloader(answer)
        current.withLock { $0 = downloader }
        defer { current.withLock { $0 = nil } }
        try await test(downloader)
    }

    static func shared() -> SDWebImageDownloader {
        current.withLock { $0 } ?? SDWebImageDownloader(.success(nil))
    }

    func downloadImage(
        with url: URL?, options: SDWebImageDownloaderOptions, progress: (@Sendable (Int, Int) -> Void)?,
        completed: @escaping @Sendable (UIImage?, Data?, (any Error)?, Bool) -> Void
    ) -> Token {
        DispatchQueue.global(qos: .userInitiated).async { [answer] in
            switch answer {
            case .success(let image): completed(image, nil, nil, true)
            case .failure(let error): completed(nil, nil, error, true)
            }
        }
        return Token(downloader: self)
    }

    func cancel(_ token: Token) {
        token.downloader.cancellations.update { $0 += 1 }
    }
}
