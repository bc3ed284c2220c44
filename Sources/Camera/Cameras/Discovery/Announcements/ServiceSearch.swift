/// An SSDP search (UPnP Device Architecture 1.1, section 1.3), and a parser for the responses.
///
/// Cameras that announce themselves by SSDP are UPnP devices with a description (see ``DeviceDescription``).
/// Responses are untrusted: every read is bounded.
enum ServiceSearch {
    /// The group and port of SSDP.
    static let group = NetworkAddress(host: IPv4Address(bits: 0xEFFF_FFFA), port: 1900)
    /// The hop limit of a search (section 1.3.2).
    static let hops: Int32 = 2
    /// The maximum delay of a response, in seconds. Each device chooses a random delay up to this value.
    static let responseSeconds = 2
    /// The search target that matches every UPnP device.
    static let anyDevice = "upnp:rootdevice"
    /// The maximum number of lines to read in a response.
    static let linesMax = 32
    /// The maximum length of a description's path, in bytes.
    static let pathMax = 256

    /// A parsed response: the location of a device's description.
    struct Response: Hashable, Sendable {
        /// The search target that the device matched.
        var target: String
        /// The TCP port of the description.
        var port: UInt16
        /// The path of the description on the device, with the leading slash.
        var path: String
    }

    /// Returns a search request for `target`.
    static func query(_ target: String) -> [UInt8] {
        Array(
            ("M-SEARCH * HTTP/1.1\r\nHOST: \(group)\r\nMAN: \"ssdp:discover\"\r\nMX: \(responseSeconds)\r\n"
                + "ST: \(target)\r\n\r\n").utf8)
    }

    /// Parses a response from `sender`.
    ///
    /// - Returns: The parsed response, or `nil` if the message is not a response or its location is on
    ///   another host. Without this check, any host on the network could direct this computer to other hosts.
    static func response(_ bytes: [UInt8], from sender: IPv4Address) -> Response? {
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
        return Response(target: String(target), port: place.port, path: place.path)
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

/// The part of a UPnP device description that shows whether the device is a camera.
enum DeviceDescription {
    /// The maximum number of bytes to read. A camera's description has about 2 KiB.
    static let bytesMax = 64 * 1024
    /// The maximum length of a maker's name, in bytes.
    static let makerMax = 128

    /// Returns the HTTP request for the description.
    static func request(_ response: ServiceSearch.Response, at host: IPv4Address) -> [UInt8] {
        Array(
            "GET \(response.path) HTTP/1.0\r\nHost: \(host):\(response.port)\r\nConnection: close\r\n\r\n"
                .utf8)
    }

    /// Returns the manufacturer in an HTTP response, or `nil` if the response contains no manufacturer.
    static func manufacturer(inResponse bytes: [UInt8]) -> String? {
        let text = bytes.prefix(bytesMax)
        guard text.starts(with: "HTTP/1.".utf8), let start = text.range(after: Array("<manufacturer>".utf8))
        else { return nil }
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "<")), end > start, end - start <= makerMax
        else { return nil }
        return String(decoding: text[start..<end], as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the index after the first occurrence of `words`.
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
