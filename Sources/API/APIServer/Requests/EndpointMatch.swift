package import FrameFastAPI
import TextForms

/// The result of a search for the endpoint of a method and a path.
package enum EndpointMatch {
    case found(EndpointRow, parameter: String?)
    /// The path exists for other methods. The value lists these methods.
    case wrongMethod(allowed: [String])
    case unknown

    /// Compares a request with all endpoints. A path has at most one `{…}` segment.
    package init(method: String, path: String) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var allowed: [String] = []
        for row in Endpoints.rows {
            guard let parameter = Self.parameter(in: segments, of: row) else { continue }
            guard row.method.rawValue == method else {
                allowed.append(row.method.rawValue)
                continue
            }
            self = .found(row, parameter: parameter.value)
            return
        }
        self = allowed.isEmpty ? .unknown : .wrongMethod(allowed: allowed)
    }

    /// Compares a path with an endpoint. Returns `nil` if the path does not match. Otherwise, `value` is the
    /// `{…}` segment, or `nil` for an endpoint without this segment.
    private static func parameter(in segments: [Substring], of row: EndpointRow) -> (value: String?, Void)? {
        let pattern = row.path.split(separator: "/", omittingEmptySubsequences: false)
        guard pattern.count == segments.count else { return nil }
        var value: String?
        for (expected, actual) in zip(pattern, segments) {
            if expected.hasPrefix("{") {
                guard let decoded = PercentCoding.decode(actual), !decoded.isEmpty else { return nil }
                value = decoded
            } else if expected != actual {
                return nil
            }
        }
        return (value, ())
    }
}
