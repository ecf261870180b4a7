internal import CLibcurl
import Foundation

/// The source from which libcurl reads the body of a request. It is confined to the engine's thread.
class CurlBody {
    /// The result of a read.
    enum Reading {
        /// This number of bytes was read; 0 means the end.
        case bytes(Int)
        /// There are no bytes yet: `CurlTransfer.continueSending` tells when there are.
        case pause
        /// There will be no further bytes.
        case abort
    }

    /// The number of bytes; -1 if it is not known.
    var length: Int64 { 0 }

    /// Copies the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading { .abort }

    /// Continues from a position, and returns whether that is possible.
    func seek(to position: Int64) -> Bool { false }

    /// Makes a handle read from this body. The owner of the handle must retain this object meanwhile.
    final func install(in handle: OpaquePointer) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        clibcurl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, length)
        clibcurl_set_pointer(handle, CURLOPT_READDATA, context)
        clibcurl_set_read(handle) { buffer, size, count, context in
            guard let context, let buffer else { return Int(CURL_READFUNC_ABORT) }
            let body = Unmanaged<CurlBody>.fromOpaque(context).takeUnretainedValue()
            switch body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) {
            case .bytes(let count): return count
            case .pause: return Int(CURL_READFUNC_PAUSE)
            case .abort: return Int(CURL_READFUNC_ABORT)
            }
        }
        clibcurl_set_pointer(handle, CURLOPT_SEEKDATA, context)
        clibcurl_set_seek(handle) { context, offset, origin in
            guard let context, origin == SEEK_SET else { return Int32(CURL_SEEKFUNC_FAIL) }
            let isPossible = Unmanaged<CurlBody>.fromOpaque(context).takeUnretainedValue().seek(to: offset)
            return Int32(isPossible ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
        }
    }
}
