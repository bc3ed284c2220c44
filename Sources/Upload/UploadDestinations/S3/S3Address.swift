import TextForms
import UploadEngine

/// The address of a bucket, in the form that is sent and signed.
struct S3Address: Hashable, Sendable {
    /// The host, with its port unless it is the scheme's default.
    let host: String
    /// The scheme and host.
    let base: String
    /// The percent-encoded path before each key: the path of the service, and the bucket unless it is part of
    /// the host. Empty if there is no such path.
    let root: String

    /// Creates an address from the service's address and the bucket.
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

    /// Returns the host as libcurl sends it: in lower case and without the scheme's default port.
    private static func hostHeader(_ host: String, scheme: String) -> String {
        let own = scheme.lowercased() == "http:" ? ":80" : ":443"
        let lower = host.lowercased()
        return lower.hasSuffix(own) ? String(lower.dropLast(own.count)) : lower
    }

    /// Returns the decoded path components of an address, for example of
    /// `https://x.supabase.co/storage/v1/s3`.
    static func folders(of url: String) -> [String] {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return [] }
        return parts[3].prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map {
            PercentCoding.decode($0) ?? String($0)
        }
    }

    /// Refuses an address that cannot work, or that would name a place other than the intended one.
    static func check(_ settings: S3Settings) throws(UploadFailure) {
        try HTTPClient.check(settings.endpoint)
        guard !settings.endpoint.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address has a query, which S3 services do not support.",
                nextStep: "Correct its url setting.")
        }
        guard settings.style == .host || folders(of: settings.endpoint).last != settings.bucket else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address ends with its bucket \(settings.bucket), which FrameFast adds itself.",
                nextStep: "Remove the bucket from its url setting.")
        }
    }
}
