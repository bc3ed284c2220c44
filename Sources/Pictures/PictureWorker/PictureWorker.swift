import Glibc

/// Makes pixels of pictures, for a program that draws them: a process of its own, because what decodes pictures of unknown
/// origin may be taken over by them.
///
/// A request is a length (4 bytes), a width and a height (2 bytes each) of the box, all big-endian, then so many bytes of a
/// JPEG. The answer is a width and a height (2 bytes each), then three bytes for each pixel; both are 0 for what is no picture.
public enum PictureWorker {
    /// Longest JPEG, in bytes.
    private static let jpegBytesMax = 16 * 1_024 * 1_024
    private static let headBytes = 8
    /// How the process ends when the fence cannot be closed, or a request makes no sense.
    private static let unusable: Int32 = 1

    /// Answers until there are no more requests.
    public static func run() -> Never {
        guard PictureFence.close() else { _exit(unusable) }
        while let head = read(headBytes) {
            let count = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            let box = (width: Int(head[4]) << 8 | Int(head[5]), height: Int(head[6]) << 8 | Int(head[7]))
            guard (1...jpegBytesMax).contains(count), box.width > 0, box.height > 0, let jpeg = read(count)
            else { _exit(unusable) }
            let picture = Picture(jpeg: jpeg, fitting: box) ?? Picture(width: 0, height: 0, bytes: [])
            let size = [picture.width, picture.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            guard write(size + picture.bytes) else { _exit(unusable) }
        }
        _exit(0)
    }

    /// So many bytes of standard input; `nil` at its end.
    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return Glibc.read(STDIN_FILENO, rest.baseAddress, rest.count)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
