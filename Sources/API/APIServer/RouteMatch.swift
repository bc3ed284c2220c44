import FrameFastAPI

/// What a method and a path lead to.
enum RouteMatch: Equatable {
    case found(Route, parameter: String?)
    /// The path exists for these methods only.
    case wrongMethod(allowed: [String])
    case unknown

    /// Holds a request against the route table. A path has at most one `{…}` segment.
    init(method: String, path: String) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var allowed: [String] = []
        for route in Route.allCases {
            guard let parameter = Self.parameter(in: segments, of: route) else { continue }
            guard route.row.method.rawValue == method else {
                allowed.append(route.row.method.rawValue)
                continue
            }
            self = .found(route, parameter: parameter.value)
            return
        }
        self = allowed.isEmpty ? .unknown : .wrongMethod(allowed: allowed)
    }

    /// `nil` when the path is not this route's.
    private static func parameter(in segments: [Substring], of route: Route) -> (value: String?, Void)? {
        let pattern = route.row.path.split(separator: "/", omittingEmptySubsequences: false)
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
