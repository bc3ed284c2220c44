import TextForms
import UploadEngine

/// The address of a bucket, as it is sent and signed.
struct S3Address: Hashable, Sendable {
    /// The host, with the port where it is not the scheme's own.
    let host: String
    /// Scheme and host.
    let base: String
    /// The percent-encoded path that is before each key: the path of the service, and the bucket where it is not part of the
    /// host. Empty for none.
    let root: String

    /// Joins the service's address and the bucket.
    init(_ settings: S3Settings) {
        let parts = HTTPTalk.place(of: settings.endpoint).split(separator: "/")
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

    /// As libcurl sends it: without the scheme's own port, lower-case.
    private static func hostHeader(_ host: String, scheme: String) -> String {
        let own = scheme.lowercased() == "http:" ? ":80" : ":443"
        let lower = host.lowercased()
        return lower.hasSuffix(own) ? String(lower.dropLast(own.count)) : lower
    }

    /// The decoded parts of the path in an address, for example of `https://x.supabase.co/storage/v1/s3`.
    static func folders(of url: String) -> [String] {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return [] }
        return parts[3].prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map {
            PercentCoding.decode($0) ?? String($0)
        }
    }

    /// Refuses an address that cannot work, or that would name another place than it seems to.
    static func check(_ settings: S3Settings) throws(UploadFailure) {
        try HTTPTalk.check(settings.endpoint)
        guard !settings.endpoint.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address has a query, which S3 services do not take.",
                nextStep: "Correct its url setting.")
        }
        guard settings.style == .host || folders(of: settings.endpoint).last != settings.bucket else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address ends with its bucket \(settings.bucket), which is added to the address.",
                nextStep: "Leave the bucket out of its url setting.")
        }
    }
}
