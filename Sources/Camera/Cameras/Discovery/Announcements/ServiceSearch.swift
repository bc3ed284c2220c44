/// A search by SSDP (UPnP Device Architecture 1.1, section 1.3), and what is read of its answers.
///
/// Cameras that announce themselves so are UPnP devices with a description; see ``DeviceDescription``. Answers are
/// foreign bytes: every read is bounded.
enum ServiceSearch {
    /// Group and port of SSDP.
    static let group = NetworkAddress(host: IPv4Address(bits: 0xEFFF_FFFA), port: 1900)
    /// Hops of a search (section 1.3.2).
    static let hops: Int32 = 2
    /// Within how many seconds devices answer, each at a moment of its own choice.
    static let answerSeconds = 2
    /// What every UPnP device answers to.
    static let anyDevice = "upnp:rootdevice"
    /// Lines of an answer that are read.
    static let linesMax = 32
    /// Characters of a description's path.
    static let pathMax = 256

    /// Where a device keeps its description.
    struct Answer: Hashable, Sendable {
        /// What was found, as the device says: one of the words that were asked for.
        var target: String
        /// TCP port of the description.
        var port: UInt16
        /// Its path on the device, with the leading slash.
        var path: String
    }

    /// Asks for what answers to `target`.
    static func query(_ target: String) -> [UInt8] {
        Array(
            ("M-SEARCH * HTTP/1.1\r\nHOST: \(group)\r\nMAN: \"ssdp:discover\"\r\nMX: \(answerSeconds)\r\n"
                + "ST: \(target)\r\n\r\n").utf8)
    }

    /// Reads an answer that came from `sender`.
    ///
    /// - Returns: `nil` when it is none, or when it points anywhere else than at its sender: nobody on the network may
    ///   send this computer to a third one.
    static func answer(_ bytes: [UInt8], from sender: IPv4Address) -> Answer? {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }.prefix(linesMax)
        guard let status = lines.first?.split(separator: " "), status.count >= 2,
            status[0].hasPrefix("HTTP/1."), status[1] == "200"
        else { return nil }
        var fields: [String: Substring] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            if fields[name] == nil { fields[name] = line[line.index(after: colon)...].trimmedSpaces }
        }
        guard let target = fields["st"], let place = fields["location"].flatMap(place), place.host == sender
        else { return nil }
        return Answer(target: String(target), port: place.port, path: place.path)
    }

    private static func place(_ location: Substring) -> (host: IPv4Address, port: UInt16, path: String)? {
        guard location.lowercased().hasPrefix("http://") else { return nil }
        let rest = location.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first.flatMap({ IPv4Address($0) }), parts.count <= 2 else { return nil }
        guard let port = parts.count == 2 ? UInt16(parts[1]) : 80, port > 0 else { return nil }
        let path = rest.dropFirst(authority.count)
        guard path.utf8.count <= pathMax, path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return (host, port, path.isEmpty ? "/" : String(path))
    }
}

/// The description of a UPnP device, as far as it tells whether it is a camera.
enum DeviceDescription {
    /// Bytes that are read of one; a camera's has about 2 KiB.
    static let bytesMax = 64 * 1024
    /// Characters of a maker's name.
    static let makerMax = 128

    /// Asks for the description.
    static func request(_ answer: ServiceSearch.Answer, at host: IPv4Address) -> [UInt8] {
        Array(
            "GET \(answer.path) HTTP/1.0\r\nHost: \(host):\(answer.port)\r\nConnection: close\r\n\r\n".utf8)
    }

    /// The maker that an answer with a description names; `nil` when it names none.
    static func manufacturer(inAnswer bytes: [UInt8]) -> String? {
        let text = bytes.prefix(bytesMax)
        guard text.starts(with: "HTTP/1.".utf8), let start = text.range(after: Array("<manufacturer>".utf8))
        else { return nil }
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "<")), end > start, end - start <= makerMax
        else { return nil }
        return String(decoding: text[start..<end], as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Where the first `words` end.
    fileprivate func range(after words: [UInt8]) -> Int? {
        guard count >= words.count else { return nil }
        return (startIndex...endIndex - words.count)
            .first { self[$0] == words[0] && self[$0...].starts(with: words) }.map { $0 + words.count }
    }
}

extension Substring {
    fileprivate var trimmedSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
