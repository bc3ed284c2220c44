/// The multicast DNS query for PTP/IP services, and a parser for the responses (RFC 6762, RFC 6763).
///
/// The query is a one-shot query (RFC 6762, section 5.1). The host sends the query from a separate port, and
/// devices respond to this port. The query therefore does not conflict with another program's responder.
/// Responses are untrusted: every read is bounded.
enum MulticastDNS {
    /// The group and port of multicast DNS.
    static let group = NetworkAddress(host: IPv4Address(bits: 0xE000_00FB), port: 5353)
    /// The hop limit of a query (RFC 6762, section 11).
    static let hops: Int32 = 255
    /// The service name that cameras announce for PTP/IP. libgphoto2 searches for the same name if it is
    /// built with multicast DNS.
    static let service = ["_ptp", "_tcp", "local"]

    /// The maximum number of resource records to read in a response. A camera sends five.
    static let recordsMax = 64
    /// The maximum length of a name, in bytes (RFC 1035, section 2.3.4).
    static let nameBytesMax = 255
    /// The maximum number of pointers to follow in one name. Each pointer must point backwards.
    static let pointersMax = 16

    private static let pointerRecord: UInt16 = 12
    private static let serviceRecord: UInt16 = 33

    /// The query for all PTP/IP services on the link.
    static let query: [UInt8] = {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in service {
            bytes.append(UInt8(label.utf8.count))
            bytes += label.utf8
        }
        // A PTR question that requests a unicast response (RFC 6762, section 5.4).
        bytes += [0, 0, UInt8(pointerRecord), 0x80, 1]
        return bytes
    }()

    /// Returns the ports of the PTP/IP services in a response.
    ///
    /// - Returns: Each port once. Contains `nil` for a service without a port, because some cameras send only
    ///   the pointer record. Empty if the message is not a response to this query.
    static func ports(inResponse bytes: [UInt8]) -> [UInt16?] {
        var reader = DNSReader(bytes)
        guard reader.number() != nil, let flags = reader.number(), flags & 0x8000 != 0,
            let questions = reader.number(), let answers = reader.number(), let authorities = reader.number(),
            let additional = reader.number()
        else { return [] }
        for _ in 0..<min(Int(questions), recordsMax) {
            guard reader.name() != nil, reader.skip(4) else { return [] }
        }
        var instances: [[String]] = []
        var ports: [[String]: UInt16] = [:]
        let count = Int(answers) + Int(authorities) + Int(additional)
        for _ in 0..<min(count, recordsMax) {
            guard let name = reader.name(), let kind = reader.number(), reader.skip(6),
                let length = reader.number(), let data = reader.slice(Int(length))
            else { break }
            var inside = data
            switch kind {
            case pointerRecord where name == service:
                if let instance = inside.name(), !instances.contains(instance) { instances.append(instance) }
            case serviceRecord
            where name.count > service.count && Array(name.suffix(service.count)) == service:
                if inside.skip(4), let port = inside.number(), port > 0 {
                    ports[name] = port
                    if !instances.contains(name) { instances.append(name) }
                }
            default: break
            }
        }
        var found: [UInt16?] = []
        for port in instances.map({ ports[$0] }) where !found.contains(port) { found.append(port) }
        return found
    }
}

/// A reader of a DNS message with bounds checks.
private struct DNSReader {
    private let bytes: [UInt8]
    private var position = 0
    private var end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    mutating func number() -> UInt16? {
        guard end - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard end - position >= count else { return false }
        position += count
        return true
    }

    /// Returns a reader for the next bytes. Names in these bytes may point to any part of the message.
    mutating func slice(_ count: Int) -> DNSReader? {
        guard end - position >= count else { return nil }
        var part = self
        part.end = position + count
        position += count
        return part
    }

    /// Reads a name and returns its labels in lower case, for comparison.
    mutating func name() -> [String]? {
        var labels: [String] = []
        var size = 0
        var pointers = 0
        var place = position
        var limit = end
        var next: Int?
        while true {
            guard place < limit else { return nil }
            let length = Int(bytes[place])
            switch length >> 6 {
            case 0:
                place += 1
                if length == 0 {
                    position = next ?? place
                    return labels
                }
                size += length + 1
                guard size < MulticastDNS.nameBytesMax, limit - place >= length else { return nil }
                labels.append(String(decoding: bytes[place..<place + length], as: UTF8.self).lowercased())
                place += length
            case 3:
                guard limit - place >= 2 else { return nil }
                let target = (length & 0x3F) << 8 | Int(bytes[place + 1])
                pointers += 1
                // Accepts only pointers that point backwards, which prevents loops.
                guard target < place, pointers <= MulticastDNS.pointersMax else { return nil }
                if next == nil { next = place + 2 }
                limit = place
                place = target
            default: return nil
            }
        }
    }
}
