import Testing

@testable import UploadDestinations

@Suite struct S3AddressTests {
    private static func settings(_ url: String, _ style: S3Settings.Style = .path) -> S3Settings {
        S3Settings(
            endpoint: url, bucket: "weddings", accessKey: "AK", secretKey: Secret("s"), style: style)
    }

    /// Each row has the service's URL and the style, and then the expected host and path of requests.
    @Test(
        arguments: [
            ("https://s3.example.org", .path, "s3.example.org", "/weddings"),
            ("https://s3.example.org/", .path, "s3.example.org", "/weddings"),
            ("https://s3.example.org", .host, "weddings.s3.example.org", ""),
            ("https://x.supabase.co/storage/v1/s3", .path, "x.supabase.co", "/storage/v1/s3/weddings"),
            ("https://x.supabase.co/storage/v1/s3/", .path, "x.supabase.co", "/storage/v1/s3/weddings"),
            ("https://gate.local/s3", .host, "weddings.gate.local", "/s3"),
            ("http://NAS:80/a%20b//c+d", .path, "nas", "/a%20b/c%2Bd/weddings"),
            ("https://nas:8443/100%", .path, "nas:8443", "/100%25/weddings"),
        ] as [(String, S3Settings.Style, String, String)])
    func `keeps the path of the S3 endpoint before the bucket`(
        url: String, style: S3Settings.Style, host: String, root: String
    ) {
        let address = S3Client(Self.settings(url, style)).address
        #expect(address.host == host)
        #expect(address.base == (url.hasPrefix("https:") ? "https" : "http") + "://\(host)")
        #expect(address.root == root)
        #expect(S3Destination(Self.settings(url, style)).faults == [])
    }

    @Test(
        arguments: [
            ("https://s3.example.org/weddings", .path, "ends with the bucket weddings"),
            ("https://s3.example.org/s3/weddings/", .path, "ends with the bucket weddings"),
            ("https://s3.example.org/?key=1", .path, "a query"),
            ("https://s3.example.org#x", .host, "a query"),
            ("s3.example.org", .path, "not an http or https URL"),
        ] as [(String, S3Settings.Style, String)])
    func `refuses an S3 address with a query, the bucket or no scheme`(
        url: String, style: S3Settings.Style, words: String
    ) {
        let faults = S3Destination(Self.settings(url, style)).faults
        #expect(faults.count == 1 && faults[0].contains(words), "\(faults)")
    }
}
