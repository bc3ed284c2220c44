/// Where an MQTT broker is.
public struct BrokerAddress: Sendable, Hashable {
    /// Name or address of its host.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// Whether the connection is encrypted.
    public var isTLS: Bool

    private static let schemes = [
        (word: "mqtt://", port: UInt16(1_883)), (word: "mqtts://", port: UInt16(8_883)),
    ]

    /// Reads `mqtt://HOST` or `mqtts://HOST`, with or without `:PORT`; `nil` for anything else.
    public init?(_ text: String) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix($0.word) }) else { return nil }
        isTLS = scheme.word == "mqtts://"
        var place = text.dropFirst(scheme.word.count)
        if place.hasSuffix("/") { place.removeLast() }
        let isBracketed = place.hasPrefix("[")
        guard let end = isBracketed ? place.firstIndex(of: "]") : place.firstIndex(of: ":") ?? place.endIndex
        else { return nil }
        host = String(isBracketed ? place[..<end].dropFirst() : place[..<end])
        let rest = place[end...].drop { $0 == "]" }
        if rest.isEmpty {
            port = scheme.port
        } else {
            guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
            port = number
        }
        let isName = host.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "-._:%".unicodeScalars.contains($0))
        }
        guard !host.isEmpty, isName, isBracketed || !host.contains(":") else { return nil }
    }

    /// As it is written in the configuration.
    public var text: String {
        let place = host.contains(":") ? "[\(host)]" : host
        let usual = Self.schemes[isTLS ? 1 : 0]
        return usual.word + place + (port == usual.port ? "" : ":\(port)")
    }
}
