/// A place on the earth.
public struct GeoPosition: Hashable, Sendable {
    /// Degrees north of the equator, -90...90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180...180.
    public let longitude: Double

    /// Reads "52.5163, 13.3777": degrees north and east.
    ///
    /// - Returns: `nil` when it is not two numbers within their bounds.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }.map { Double(String($0)) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The latitude as XMP writes it: degrees and minutes, `52,30.978000N`.
    var xmpLatitude: String { Self.xmp(latitude, positive: "N", negative: "S") }
    /// The longitude as XMP writes it.
    var xmpLongitude: String { Self.xmp(longitude, positive: "E", negative: "W") }

    /// Parts of a minute that are written: two millimetres.
    private static let partsOfMinute = 1_000_000

    private static func xmp(_ degrees: Double, positive: String, negative: String) -> String {
        let parts = Int((abs(degrees) * 60 * Double(partsOfMinute)).rounded())
        let (minutes, rest) = parts.quotientAndRemainder(dividingBy: partsOfMinute)
        return "\(minutes / 60),\(minutes % 60).\(rest.digits(6))\(degrees < 0 ? negative : positive)"
    }
}

extension Int {
    /// A number that is not negative, with zeros before it.
    func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
