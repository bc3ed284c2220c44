import Glibc
import SystemIO

/// A photo that is open for reading.
struct PhotoDescriptor {
    private let descriptor: Int32
    /// The size, in bytes.
    let size: UInt64

    /// Reads the size of a photo.
    init(_ descriptor: Int32) throws(SystemCallFailure) {
        self.descriptor = descriptor
        size = UInt64(try IO.retrying { lseek(descriptor, 0, SEEK_END) })
    }

    /// Reads `count` bytes at `offset`, or fewer at the end of the file.
    func read(_ offset: UInt64, _ count: Int) throws(SystemCallFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (start, place) = (filled, offset + UInt64(filled))
            let found = try bytes.withUnsafeMutableBytes { buffer -> Result<Int, SystemCallFailure> in
                Result { () throws(SystemCallFailure) -> Int in
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                    return try IO.read(from: descriptor, at: place, into: rest)
                }
            }.get()
            guard found > 0 else { break }
            filled += found
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Reads the bytes of a range.
    ///
    /// - Throws: `EIO` if another program has shortened the photo. The picture of an incomplete photo must
    ///   not be stored.
    func read(_ range: Range<UInt64>) throws(SystemCallFailure) -> [UInt8] {
        let count = Int(range.upperBound - range.lowerBound)
        let bytes = try read(range.lowerBound, count)
        guard bytes.count == count else { throw SystemCallFailure(number: EIO) }
        return bytes
    }
}

/// A file for a result, which is open for writing.
struct ResultFile {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes at the start of the file.
    func write(_ bytes: [UInt8]) throws(SystemCallFailure) {
        var written = 0
        while written < bytes.count {
            let start = written
            let count = try bytes.withUnsafeBytes { buffer -> Result<Int, SystemCallFailure> in
                Result { () throws(SystemCallFailure) -> Int in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
                    return try IO.retrying { pwrite(descriptor, rest.baseAddress, rest.count, off_t(start)) }
                }
            }.get()
            guard count > 0 else { throw SystemCallFailure(number: EIO) }
            written += count
        }
    }
}
