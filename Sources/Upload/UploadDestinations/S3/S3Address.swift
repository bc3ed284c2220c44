import TextForms
import UploadEngine

/// The URL of a bucket, divided into the parts that requests and signatures use.
struct S3Address: Hashable, Sendable {
    /// The host, with its port unless it is the scheme's default.
    let host: String
    /// The scheme and host.
    let base: String
    /// The percent-encoded path before each key: the service's path, followed by the bucket if the host does
    /// not contain the bucket. May be empty.
    let root: String

    /// Creates the URL of a bucket from the settings.
    init(_ settings: S3Settings) {
        let parts = HTTPClient.place(of: settings.endpoint).split(separator: "/")
        let scheme = parts.first.map(String.init) ?? "https:"
        let service = Self.hostHeader(parts.count == 2 ? String(parts[1]) : "", scheme: scheme)
        var folders = Self.folders(of: settings.endpoint)
        switch settings.style {
        case .path:
            host = service
            folders.append(settings.bucket)
        case .host:
            host = "\(settings.bucket).\(service)"
        }
        base = "\(scheme)//\(host)"
        root = folders.map { "/" + PercentCoding.encode($0) }.joined()
    }

    /// Returns the host in the form that libcurl sends: in lower case, and without the scheme's default port.
    private static func hostHeader(_ host: String, scheme: String) -> String {
        let own = scheme.lowercased() == "http:" ? ":80" : ":443"
        let lower = host.lowercased()
        return lower.hasSuffix(own) ? String(lower.dropLast(own.count)) : lower
    }

    /// Returns the decoded path components of a URL, for example of `https://x.supabase.co/storage/v1/s3`.
    static func folders(of url: String) -> [String] {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return [] }
        return parts[3].prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map {
            PercentCoding.decode($0) ?? String($0)
        }
    }

    /// Throws a failure if the URL is unusable, or would refer to an unintended bucket or folder.
    static func check(_ settings: S3Settings) throws(UploadFailure) {
        try HTTPClient.check(settings.endpoint)
        guard !settings.endpoint.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address has a query, which S3 services do not support.",
                nextStep: "Correct the destination's url setting.")
        }
        guard settings.style == .host || folders(of: settings.endpoint).last != settings.bucket else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address ends with the bucket \(settings.bucket), which FrameFast adds automatically.",
                nextStep: "Remove the bucket from the destination's url setting.")
        }
    }
}
