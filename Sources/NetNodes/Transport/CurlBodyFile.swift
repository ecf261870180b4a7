internal import CLibcurl
import Foundation

/// The file that is the body of a request, read while libcurl sends it. Confined to the engine's queue.
final class CurlBodyFile {
    let length: Int64
    private let descriptor: Int32

    init(_ url: URL) throws(TransportError) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableBody(path: url.path, reason: String(cString: strerror(errno))) }
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            length = 0
            throw .unreadableBody(path: url.path, reason: "it is not a regular file")
        }
        length = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Makes a handle read from here. The owner of the handle keeps this object for as long.
    func install(in handle: OpaquePointer) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        clibcurl_set_pointer(handle, CURLOPT_READDATA, context)
        clibcurl_set_read(handle) { buffer, size, count, context in
            guard let context, let buffer else { return Int(CURL_READFUNC_ABORT) }
            let file = Unmanaged<CurlBodyFile>.fromOpaque(context).takeUnretainedValue()
            let result = read(file.descriptor, buffer, size * count)
            return result >= 0 ? result : Int(CURL_READFUNC_ABORT)
        }
        clibcurl_set_pointer(handle, CURLOPT_SEEKDATA, context)
        clibcurl_set_seek(handle) { context, offset, origin in
            guard let context else { return Int32(CURL_SEEKFUNC_FAIL) }
            let file = Unmanaged<CurlBodyFile>.fromOpaque(context).takeUnretainedValue()
            return Int32(lseek(file.descriptor, off_t(offset), origin) >= 0 ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
        }
    }
}
