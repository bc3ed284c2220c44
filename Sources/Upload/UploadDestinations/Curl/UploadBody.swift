import Glibc

/// The body of a request: a sequence of bytes and ranges of the photo, for example a form around a file.
struct UploadBody: Sendable {
    enum Piece: Sendable {
        case bytes([UInt8])
        case file(PhotoFile, offset: UInt64, count: UInt64)

        var count: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .file(_, _, let count): count
            }
        }
    }

    let pieces: [Piece]
    let count: UInt64

    init(_ pieces: [Piece]) {
        self.pieces = pieces
        count = pieces.reduce(0) { $0 + $1.count }
    }

    static func text(_ text: String) -> UploadBody { UploadBody([.bytes(Array(text.utf8))]) }

    /// Returns a body with the photo's bytes, starting at `offset`.
    static func photo(_ file: PhotoFile, from offset: UInt64 = 0, count: UInt64? = nil) -> UploadBody {
        UploadBody([.file(file, offset: offset, count: count ?? file.bytes - min(offset, file.bytes))])
    }

    /// Reads bytes at an offset of the whole body. Returns 0 at the end, or `nil` if the file is shorter than
    /// expected.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var start: UInt64 = 0
        for piece in pieces {
            let end = start + piece.count
            defer { start = end }
            guard offset < end else { continue }
            let inside = offset - start
            let want = Int(min(UInt64(buffer.count), end - offset))
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<want])
            switch piece {
            case .bytes(let bytes):
                bytes.withUnsafeBytes {
                    target.copyMemory(from: .init(rebasing: $0[Int(inside)...].prefix(want)))
                }
                return want
            case .file(let file, let from, _):
                guard let got = file.read(at: from + inside, into: target), got > 0 else { return nil }
                return got
            }
        }
        return 0
    }
}
