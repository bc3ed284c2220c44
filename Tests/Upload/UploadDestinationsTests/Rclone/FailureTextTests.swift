import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests that the cause of a failure is found in a message of rclone that also contains names.
@Suite struct FailureTextTests {
    private static let names = [
        "cloud:Certificates/2026", "cloud:", "Certificates/2026", "/srv/Geoffrey/my quota.jpg",
        "507/eof.JPG",
    ]

    @Test(
        arguments: [
            "Geoffrey/a.JPG: code 7", "cannot make Certificates/2026: code 7", "my quota.jpg: code 7",
            "open /srv/Geoffrey/my quota.jpg: code 7", "507/eof.JPG: code 7", "cannot enter 507 : code 7",
            // The destination does not know these names of folders and hosts.
            "/volume1/certificate/x: code 7", "/volume1/a-timeout_b/x: code 7",
            #"Put "https://certificate.example.org/dav/my%20eof/a.JPG": code 7"#,
            "lookup forbidden.example.org: code 7",
        ])
    func `ignores error words in names of files and hosts`(text: String) {
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == .transient, "\(failure.sentence)")
    }

    @Test(
        arguments: [
            ("507/eof.JPG: unexpected EOF", .outage(retryAfterSeconds: nil)),
            (#"Put "https://h/Certificates/a.JPG": EOF"#, .outage(retryAfterSeconds: nil)),
            ("lookup certificate.example.org: no such host", .outage(retryAfterSeconds: nil)),
            ("(Client.Timeout exceeded while awaiting headers)", .outage(retryAfterSeconds: nil)),
            ("Certificates/2026: x509: certificate has expired", .permanent(.untrusted)),
            ("remote error: tls: bad certificate", .permanent(.untrusted)),
            ("open /srv/Geoffrey/my quota.jpg: permission denied", .permanent(.forbidden)),
            ("my quota.jpg: googleapi: Error 403: full, storageQuotaExceeded", .permanent(.full)),
            ("507/eof.JPG: HTTP error 413", .permanent(.tooLarge)),
        ] as [(String, UploadFailure.Kind)])
    func `finds the cause of an rclone error next to names`(text: String, kind: UploadFailure.Kind) {
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == kind, "\(failure.sentence)")
    }

    /// A folder's name may be a word that also occurs in error messages.
    @Test(
        arguments: [
            ("a.JPG: googleapi: Error: quota exceeded", .permanent(.full)),
            ("Forbidden", .permanent(.forbidden)),
            ("dial failed (timeout)", .outage(retryAfterSeconds: nil)),
            ("HTTP error 413", .permanent(.tooLarge)),
            ("cannot enter cloud:quota", .transient), ("quota: code 7", .transient),
            ("\"timeout\" is not there", .transient), ("cannot make forbidden/413/a.JPG", .transient),
            ("cannot enter 413 : code 7", .transient),
        ] as [(String, UploadFailure.Kind)])
    func `distinguishes an error word from a folder of that name`(text: String, kind: UploadFailure.Kind) {
        let names = ["cloud:quota", "cloud:", "quota", "timeout/a.JPG", "forbidden/413/a.JPG"]
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: names)
        #expect(failure.kind == kind, "\(failure.sentence)")
    }

    /// The messages of Google Drive, OneDrive, Dropbox and Google Photos.
    @Test(
        arguments: [
            "googleapi: Error 403: Quota exceeded for quota metric 'Queries', rateLimitExceeded",
            "googleapi: Error 403: User rate limit exceeded., userRateLimitExceeded",
            "googleapi: Error 403: Rate Limit Exceeded, rateLimitExceeded",
            "activityLimitReached: throttledRequest: The request has been throttled",
            "too_many_requests/..", "batch upload failed: too_many_write_operations",
            "couldn't list albums: Quota exceeded for quota metric 'All requests' (429 RESOURCE_EXHAUSTED)",
            "HTTP error 429",
        ])
    func `treats a limit of requests as an outage with a delay`(text: String) {
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == .outage(retryAfterSeconds: 30), "\(failure.sentence)")
        #expect(failure.sentence.contains("the remote limits the number of requests"))
    }

    @Test(
        arguments: [
            "batch upload failed: path/insufficient_space", "path/insufficient_space/..",
            "googleapi: Error 403: The user's Drive storage quota has been exceeded., storageQuotaExceeded",
            "quotaLimitReached: Insufficient Space Available",
        ])
    func `recognizes a full Google Drive, OneDrive or Dropbox`(text: String) {
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == .permanent(.full), "\(failure.sentence)")
    }

    @Test(
        arguments: [
            ("unauthenticated: Unauthenticated", .permanent(.unauthorised), "rclone 1.67"),
            ("can't upload files here", .permanent(.misconfigured), "photos:album"),
            ("HTTP error 401", .permanent(.unauthorised), "password"),
        ] as [(String, UploadFailure.Kind, String)])
    func `names the next step for OneDrive and Google Photos`(
        text: String, kind: UploadFailure.Kind, step: String
    ) {
        let failure = RcloneFailureMapping.failure(text, at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == kind, "\(failure.sentence)")
        #expect(failure.nextStep?.contains(step) == true)
    }

    /// rclone 1.60 gives the same advice for each token that it could not renew.
    @Test(
        arguments: [
            ("dial tcp 192.168.0.1:443: connect: connection refused", .outage(retryAfterSeconds: nil)),
            ("dial tcp: lookup oauth2.googleapis.com: no such host", .outage(retryAfterSeconds: nil)),
            ("oauth2: cannot fetch token: 503 Service Unavailable", .outage(retryAfterSeconds: nil)),
            (#"400 Bad Request {"error": "invalid_grant"}"#, .permanent(.unauthorised)),
            (#"400 Bad Request {"error": "invalid_scope"}"#, .permanent(.unauthorised)),
        ] as [(String, UploadFailure.Kind)])
    func `distinguishes a refused token from an unreachable token server`(
        cause: String, kind: UploadFailure.Kind
    ) {
        let advice = #"maybe it has expired? - refresh with "rclone config reconnect cloud:""#
        let failure = RcloneFailureMapping.failure(
            "couldn't fetch token - \(advice): \(cause)", at: .send, name: "a.JPG", names: Self.names)
        #expect(failure.kind == kind, "\(failure.sentence)")
    }
}
