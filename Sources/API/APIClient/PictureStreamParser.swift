/// An incremental parser for `multipart/x-mixed-replace` streams whose parts have a `Content-Length`.
struct PictureStreamParser {
    /// The longest head of a part, in bytes. The daemon's heads have about 70 bytes.
    private static let headBytesMax = 1_024
    /// The largest picture, in bytes. The live-view frames of all cameras are smaller.
    private static let pictureBytesMax = 16 * 1_024 * 1_024

    /// A reason why a stream cannot be parsed.
    enum Failure: Error, Equatable {
        case headTooLong, noLength
    }

    private var pending: [UInt8] = []
    private var length: Int?

    /// Appends bytes and returns the pictures that they complete.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(Failure) -> [[UInt8]] {
        pending += bytes
        var pictures: [[UInt8]] = []
        while true {
            if length == nil { length = try takeHead() }
            // A line break follows each picture.
            guard let length, pending.count >= length + 2 else { return pictures }
            pictures.append(Array(pending[..<length]))
            pending.removeFirst(length + 2)
            self.length = nil
        }
    }

    /// Removes the head of a part and returns its content length, or `nil` if the head is incomplete.
    private mutating func takeHead() throws(Failure) -> Int? {
        guard let end = pending.firstRange(of: [13, 10, 13, 10]) else {
            guard pending.count <= Self.headBytesMax else { throw .headTooLong }
            return nil
        }
        let lines = String(decoding: pending[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let prefix = "content-length:"
        guard let line = lines.first(where: { $0.lowercased().hasPrefix(prefix) }),
            let length = Int(line.dropFirst(prefix.count).drop { $0 == " " }),
            (1...Self.pictureBytesMax).contains(length)
        else { throw .noLength }
        pending.removeFirst(end.upperBound)
        return length
    }
}
