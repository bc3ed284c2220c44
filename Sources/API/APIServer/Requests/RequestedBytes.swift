/// The part of a picture that a request asks for with its header `Range` (RFC 9110, 14).
///
/// A client resumes a download with one range. The server ignores a header with several ranges, another unit
/// or a syntax error, as the standard allows, and returns the whole picture.
enum RequestedBytes: Hashable, Sendable {
    /// The whole picture.
    case all
    /// One range of bytes, not empty.
    case part(Range<Int>)
    /// The range contains no byte of the picture.
    case outside

    /// Reads the headers of a request.
    ///
    /// - Parameters:
    ///   - range: The header `Range`, or `nil` without the header.
    ///   - ifRange: The header `If-Range`, or `nil` without the header. The range applies only if the header
    ///     equals the entity tag.
    ///   - entityTag: The entity tag of the picture.
    ///   - length: The size of the picture, in bytes.
    init(range: String?, ifRange: String?, entityTag: String, length: Int) {
        self = .all
        guard let range, ifRange == nil || ifRange == entityTag else { return }
        let parts = range.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        let (first, last) = (ends[0], ends[1])
        if first.isEmpty {
            // The last bytes of the picture.
            guard let count = Self.number(last) else { return }
            self = count == 0 || length == 0 ? .outside : .part(max(0, length - count)..<length)
        } else {
            guard let start = Self.number(first) else { return }
            guard let end = last.isEmpty ? Int.max : Self.number(last), start <= end else { return }
            self = start >= length ? .outside : .part(start..<min(end, length - 1) + 1)
        }
    }

    /// Returns the number, limited to `Int.max`, or `nil` if the text is not a number.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text) ?? .max
    }
}
