/// Takes a stream of `multipart/x-mixed-replace` apart, whose parts say how long they are.
struct PictureParts {
    /// Longest head of a part: ours has 70 bytes.
    private static let headBytesMax = 1_024
    /// Largest picture: more than any camera's live view.
    private static let pictureBytesMax = 16 * 1_024 * 1_024

    /// What is wrong with a stream.
    enum Failure: Error, Equatable {
        case headTooLong, noLength
    }

    private var pending: [UInt8] = []
    private var length: Int?

    /// Takes bytes in and gives the pictures that are complete.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(Failure) -> [[UInt8]] {
        pending += bytes
        var pictures: [[UInt8]] = []
        while true {
            if length == nil { length = try takeHead() }
            // Behind a picture comes an empty line.
            guard let length, pending.count >= length + 2 else { return pictures }
            pictures.append(Array(pending[..<length]))
            pending.removeFirst(length + 2)
            self.length = nil
        }
    }

    /// The length that a part's head says; `nil` while it is incomplete.
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
