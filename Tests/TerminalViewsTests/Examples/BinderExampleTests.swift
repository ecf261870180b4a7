import Foundation
import StreamsTesting
import Testing

@testable import TerminalViews

/// The listings about binders, under their section titles, with terminal views under UIKit's names.
///
/// One after another, as they share one downloader.
@Suite("The listings about binders", .countsResources, .serialized) @MainActor
struct BinderExampleTests {
    @Suite("Binder", .countsResources) @MainActor
    struct BinderSection {
        @Test func `It is an observer, as every type of them`() {
            func isObserver<Observer: ObserverType<Int>>(_ type: Observer.Type) -> Bool { true }
            #expect(isObserver(Binder<Int>.self))
        }

        /// The screen of the first example, which its observer must not hold.
        @MainActor
        final class Screen {
            let usernameValidOutlet = UILabel()
            private let disposeBag = DisposeBag()

            // swift-format-ignore
            func bind(_ usernameValid: Observable<Bool>) {
                let observer: AnyObserver<Bool> = AnyObserver.main { [weak self] (event) in
                    switch event {
                    case .next(let isHidden):
                        self?.usernameValidOutlet.isHidden = isHidden
                    default:
                        break
                    }
                }

                usernameValid
                    .bind(to: observer)
                    .disposed(by: disposeBag)
            }
        }

        @Test func `示例: an AnyObserver that sets a view`() async {
            let usernameValid = PublishSubject<Bool>()
            let screen = Screen()
            screen.bind(usernameValid.asObservable())
            await Task.detached { usernameValid.onNext(true) }.value
            await mainLoopTurn()
            #expect(screen.usernameValidOutlet.isHidden)
        }

        // swift-format-ignore
        @Test func `示例: a Binder does it on the main loop, from any thread`() async {
            let usernameValidOutlet = UILabel()
            let usernameValid = PublishSubject<Bool>()
            let disposeBag = DisposeBag()

            let observer: Binder<Bool> = Binder(usernameValidOutlet) { (view, isHidden) in
                view.isHidden = isHidden
            }

            usernameValid
                .bind(to: observer)
                .disposed(by: disposeBag)

            await Task.detached { usernameValid.onNext(true) }.value
            await mainLoopTurn()
            #expect(usernameValidOutlet.isHidden)
        }
    }

    @Suite("复用", .countsResources) @MainActor
    struct Reuse {
        // swift-format-ignore
        @Test func `Every view has binders`() async {
            let disposeBag = DisposeBag()
            let usernameValidOutlet = UILabel()
            let usernameValid = PublishSubject<Bool>()
            usernameValid
                .bind(to: usernameValidOutlet.rx.isHidden)
                .disposed(by: disposeBag)

            let button = UIControl()
            usernameValid.map { !$0 }.bind(to: button.rx.isEnabled).disposed(by: disposeBag)
            let label = UILabel()
            usernameValid.map { $0 ? "valid" : nil }.bind(to: label.rx.text).disposed(by: disposeBag)

            await Task.detached { usernameValid.onNext(true) }.value
            await mainLoopTurn()
            #expect(usernameValidOutlet.isHidden && !button.isEnabled && label.text == "valid")
            await Task.detached { usernameValid.onNext(false) }.value
            await mainLoopTurn()
            #expect(!usernameValidOutlet.isHidden && button.isEnabled && label.text == nil)
        }

        @Test(
            arguments: [
                (.success(UIImage(named: "photo")), "photo"), (.failure(.failed), "placeholderImg"), (.success(nil), "placeholderImg"),
            ] as [(Result<UIImage?, TestError>, String)], [false, true])
        func `A driver shows what was downloaded, or a placeholder`(
            _ download: (answer: Result<UIImage?, TestError>, shown: String), withBinder: Bool
        ) async throws {
            try await SDWebImageDownloader.answering(download.answer) { downloader in
                let controller = ViewController()
                if withBinder { controller.testCreateImageViewObserver() } else { controller.showImage() }
                for try await image in controller.imageView.$image.values where image != nil { break }
                #expect(controller.imageView.image?.name == download.shown)
                #expect(controller.view.subviews.first === controller.imageView)
                for try await count in downloader.cancellations.values where count > 0 { break }
                #expect(downloader.cancellations.value == 1)
            }
        }

        @Test func `The downloader reports neither an image nor an error`() async throws {
            try await SDWebImageDownloader.answering(.success(nil)) { _ in
                await #expect(throws: TError(errorCode: 10, errorString: "UNKNOW ERROR", errorData: nil)) {
                    try await ViewController().getImage().firstElement()
                }
            }
        }
    }

    @Suite("总结", .countsResources) @MainActor
    struct Summary {
        // swift-format-ignore
        @Test func `Driven, or bound after observe(on:)`() async {
            let disposeBag = DisposeBag()
            let imageView = UIImageView()
            let someImageObservableVar = PublishSubject<UIImage>()

            let observer: Binder<UIImage> = Binder.init(imageView) { (imageView, image) in
                imageView.image = image
            }
            let placeholderImage = #imageLiteral(resourceName: "placeholderImg")
            someImageObservableVar.asDriver(onErrorJustReturn: placeholderImage).drive(observer).disposed(by: disposeBag)
            // 或
            // someImageObservableVar.observe(on: MainScheduler.instance).bind(to: observer).disposed(by: disposeBag)

            await Task.detached { someImageObservableVar.onNext(UIImage(named: "driven")) }.value
            await mainLoopTurn()
            #expect(imageView.image?.name == "driven")
            await Task.detached { someImageObservableVar.onError(TestError.failed) }.value
            await mainLoopTurn()
            #expect(imageView.image?.name == "placeholderImg")
        }

        @Test func `或: bound after observe(on:)`() async {
            let disposeBag = DisposeBag()
            let imageView = UIImageView()
            let someImageObservableVar = PublishSubject<UIImage>()
            let observer: Binder<UIImage> = Binder.init(imageView) { (imageView, image) in
                imageView.image = image
            }
            someImageObservableVar.observe(on: MainScheduler.instance).bind(to: observer).disposed(by: disposeBag)
            await Task.detached { someImageObservableVar.onNext(UIImage(named: "bound")) }.value
            await mainLoopTurn()
            await mainLoopTurn()
            #expect(imageView.image?.name == "bound")
        }
    }
}

// swift-format-ignore
@MainActor
private final class ViewController {
    let view = UIView()
    private let disposeBag = DisposeBag()

    lazy var imageView: UIImageView = {
        let iv = UIImageView()
        iv.frame = CGRect.init(x: 100, y: 250, width: 100, height: 100)
        self.view.addSubview(iv)
        return iv
    }()

    func getImage() -> Observable<UIImage> {
        return Observable<UIImage>.create { (observer) -> Disposable in
            let downloadToken = SDWebImageDownloader.shared().downloadImage(
                with: URL.init(string: "https://avatars1.githubusercontent.com/u/11990850"),
                options: SDWebImageDownloaderOptions.highPriority,
                progress: nil,
                completed: { (image, data, error, finished) in
                    if let img = image {
                        observer.onNext(img)
                        observer.onCompleted()
                        return
                    }
                    if let err = error {
                        observer.onError(err)
                        return
                    }
                    observer.onError(TError.init(errorCode: 10, errorString: "UNKNOW ERROR", errorData: data))
                }
            )
            return Disposables.create {
                SDWebImageDownloader.shared().cancel(downloadToken)
            }
        }
    }

    func showImage() {
        getImage().asDriver(onErrorJustReturn: #imageLiteral(resourceName: "placeholderImg"))
            .drive(imageView.rx.image)
            .disposed(by: disposeBag)
    }

    func testCreateImageViewObserver() {
        let observer: Binder<UIImage> = Binder.init(imageView) { (imageView, image) in
            imageView.image = image
        }

        getImage().asDriver(onErrorJustReturn: #imageLiteral(resourceName: "placeholderImg")).drive(observer).disposed(by: disposeBag)
    }
}

// swift-format-ignore
extension Reactive where Base: UIView {
  public var isHidden: Binder<Bool> {
      return Binder(self.base) { view, hidden in
          view.isHidden = hidden
      }
  }
}

// swift-format-ignore
extension Reactive where Base: UIControl {
    public var isEnabled: Binder<Bool> {
        return Binder(self.base) { control, value in
            control.isEnabled = value
        }
    }
}

// swift-format-ignore
extension Reactive where Base: UILabel {
    public var text: Binder<String?> {
        return Binder(self.base) { label, text in
            label.text = text
        }
    }
}

// swift-format-ignore
extension Reactive where Base: UIImageView {
    /// Bindable sink for `image` property.
    public var image: Binder<UIImage?> {
        return Binder(base) { imageView, image in
            imageView.image = image
        }
    }
}

/// Returns when the main loop has done what was enqueued before.
func mainLoopTurn() async {
    await withCheckedContinuation { continuation in
        _ = MainScheduler.asyncInstance.schedule { continuation.resume() }
    }
}
