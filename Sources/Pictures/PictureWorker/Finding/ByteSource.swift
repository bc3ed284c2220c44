import Glibc

/// Bytes that are read at places: of a file, or of a block that was read.
protocol ByteSource {
    /// How many there are.
    var count: UInt64 { get }
    /// So many of them; `nil` where there are not as many.
    func bytes(at offset: UInt64, count: Int) -> [UInt8]?
}

extension ByteSource {
    /// A number of so many bytes.
    func number(at offset: UInt64, bytes count: Int, isLittle: Bool = false) -> UInt64? {
        bytes(at: offset, count: count).map { bytes in
            (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

/// An open file.
struct FileBytes: ByteSource {
    let descriptor: Int32
    let count: UInt64

    /// `nil` for what is no file with a size.
    init?(descriptor: Int32) {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end > 0 else { return nil }
        self.descriptor = descriptor
        count = UInt64(end)
    }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= self.count, UInt64(count) <= self.count - offset else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
                    off_t(offset) + off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}

/// A block that was read.
struct BlockBytes: ByteSource {
    let block: [UInt8]

    var count: UInt64 { UInt64(block.count) }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= self.count, UInt64(count) <= self.count - offset else { return nil }
        return Array(block[Int(offset)..<(Int(offset) + count)])
    }
}

/// A part of other bytes: places count from its start.
struct PartOfBytes: ByteSource {
    let whole: any ByteSource
    let start: UInt64
    let count: UInt64

    /// `nil` for what is not in the whole.
    init?(_ whole: any ByteSource, at start: UInt64, count: UInt64) {
        guard start <= whole.count, count <= whole.count - start else { return nil }
        (self.whole, self.start, self.count) = (whole, start, count)
    }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= self.count, UInt64(count) <= self.count - offset else { return nil }
        return whole.bytes(at: start + offset, count: count)
    }
}
