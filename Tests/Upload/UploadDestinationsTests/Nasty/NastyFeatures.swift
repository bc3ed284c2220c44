import SettingKeys
import TestRig

@testable import UploadDestinations
@testable import UploadEngine

/// Servers that each refuse one feature. There is one server for each kind, feature and refusing response.
enum NastyFeatures {
    typealias Case = LoopbackServerTests.NastyServerTests.Case

    /// Returns the rules for a server without a feature.
    ///
    /// - Returns: The rules, or an empty array if the kind does not use the feature. A test fails if a kind
    ///   declares a feature that has no rules.
    static func rules(
        _ kind: NastyServer.Kind, without feature: DestinationFeature, answer: Int
    ) -> [ServerFaultRule] {
        switch (kind, feature) {
        case (.webDAV, .hiddenNames), (.rclone, .hiddenNames):
            [ServerFaultRule("PUT", "MOVE", name: #"(^|/)\."#, answer: answer)]
        case (.ftp, .hiddenNames):
            [ServerFaultRule("STOR", "APPE", "RNFR", name: #"(^|/)\."#, answer: answer)]
        case (.sftp, .hiddenNames): [ServerFaultRule("open-write", name: #"/\."#, answer: answer)]
        case (.webDAV, .partNames), (.rclone, .partNames):
            [ServerFaultRule("PUT", "MOVE", name: #"\.part$"#, answer: answer)]
        case (.ftp, .partNames): [ServerFaultRule("STOR", "APPE", "RNFR", name: #"\.part$"#, answer: answer)]
        case (.sftp, .partNames): [ServerFaultRule("open-write", name: #"\.part$"#, answer: answer)]
        case (.webDAV, .otherNames), (.rclone, .otherNames):
            [ServerFaultRule("PUT", name: #"^(?!.*\.JPG$)"#, answer: answer)]
        case (.ftp, .otherNames): [ServerFaultRule("STOR", "APPE", name: #"^(?!.*\.JPG$)"#, answer: answer)]
        case (.sftp, .otherNames): [ServerFaultRule("open-write", name: #"^(?!.*\.JPG$)"#, answer: answer)]
        case (.webDAV, .rename), (.rclone, .rename): [ServerFaultRule("MOVE", "COPY", answer: answer)]
        case (.ftp, .rename): [ServerFaultRule("RNFR", answer: answer)]
        case (.sftp, .rename): [ServerFaultRule("rename", answer: answer)]
        case (.webDAV, .absoluteDestination):
            [ServerFaultRule("MOVE", header: "^Destination: https?:", answer: answer)]
        case (.s3, .checksumHeader): [ServerFaultRule(header: "^x-amz-checksum", answer: answer)]
        case (.s3, .md5Header), (.http, .md5Header): [ServerFaultRule(header: "^Content-MD5", answer: answer)]
        case (.s3, .metadata): [ServerFaultRule(header: "^x-amz-meta", answer: answer)]
        case (.s3, .condition), (.http, .condition):
            [ServerFaultRule(header: "^If-None-Match", answer: answer)]
        case (.sftp, .sync): [ServerFaultRule("fsync", answer: answer)]
        case (.webDAV, .modificationTime): [ServerFaultRule("PUT", header: "^X-OC-Mtime", answer: answer)]
        case (.ftp, .featureList): [ServerFaultRule("FEAT", answer: answer)]
        case (.ftp, .fileTime): [ServerFaultRule("MDTM", answer: answer)]
        case (.ftp, .serverChecksum): [ServerFaultRule("XSHA256", answer: answer)]
        case (.ftp, .modificationTime): [ServerFaultRule("MFMT", answer: answer)]
        case (.sftp, .modificationTime): [ServerFaultRule("setstat", answer: answer)]
        case (.ftp, .append):
            [
                ServerFaultRule("APPE", answer: answer),
                ServerFaultRule("data", above: 100_000, first: 1, answer: 0).dropping,
            ]
        case (.ftp, .resume):
            [
                ServerFaultRule("APPE", "REST", answer: answer),
                ServerFaultRule("data", above: 100_000, first: 1, answer: 0).dropping,
            ]
        case (.sftp, .resume):
            [
                ServerFaultRule("open-write", name: "framefast-", exists: true, answer: answer),
                ServerFaultRule("write", above: 10_000, first: 1, after: 4, answer: 0).dropping,
            ]
        case (.webDAV, .size): [ServerFaultRule("HEAD", "PROPFIND", answer: answer)]
        case (.http, .size), (.s3, .size): [ServerFaultRule("HEAD", answer: answer)]
        case (.ftp, .size): [ServerFaultRule("SIZE", answer: answer)]
        case (.sftp, .size): [ServerFaultRule("lstat", "fstat", "stat", answer: answer)]
        case (.webDAV, .readBack), (.http, .readBack): [ServerFaultRule("GET", answer: answer)]
        case (.ftp, .readBack): [ServerFaultRule("RETR", answer: answer)]
        case (.sftp, .readBack): [ServerFaultRule("open-read", answer: answer)]
        case (.webDAV, .remove), (.rclone, .remove): [ServerFaultRule("DELETE", answer: answer)]
        case (.ftp, .remove): [ServerFaultRule("DELE", answer: answer)]
        case (.sftp, .remove): [ServerFaultRule("remove", answer: answer)]
        default: []
        }
    }

    /// Returns the statuses that a kind's servers use for refusals.
    static func answers(_ kind: NastyServer.Kind) -> [Int] {
        switch kind {
        case .webDAV, .http: [400, 403, 405, 501, 502]
        case .s3: [400, 403, 501]
        case .ftp: [500, 502, 550, 553]
        case .sftp: [3, 4, 8]
        // rclone retries for a long time after each 5xx.
        case .rclone: [400, 403]
        }
    }

    /// Returns the features that a kind of destination declares.
    static func features(_ kind: NastyServer.Kind) -> [DestinationFeature] {
        let kinds: [NastyServer.Kind: DestinationKind] = [
            .webDAV: .webdav, .http: .http, .s3: .s3, .ftp: .ftp, .sftp: .sftp, .rclone: .rclone,
        ]
        return kinds[kind]?.descriptor.features([:]) ?? []
    }

    /// Returns a server that refuses a feature with a status, or by closing the connection.
    ///
    /// - Parameter isLarge: Whether photos are large enough for a multipart upload (S3).
    static func row(
        _ kind: NastyServer.Kind, _ feature: DestinationFeature, _ answer: Int?, isLarge: Bool = false
    ) -> Case {
        let rules = rules(kind, without: feature, answer: answer ?? 0)
        let how = answer.map { "with \($0)" } ?? "by ending the connection"
        var row = Case("\(kind.rawValue) refuses \(feature.rawValue) \(how)", kind, [])
        row.rules = answer == nil ? rules.map(\.dropping) : rules
        if isLarge {
            row.bytes = 7 << 20
            row.testDescription += ", in parts"
        }
        if feature == .remove { row.keepsLeftovers = 4 }
        // A closed session interrupts all of its transfers.
        if feature == .resume, kind == .sftp { row.workers = 1 }
        row.continues = feature != .resume
        return row
    }

    /// Returns a server that reports 0 bytes as the size of each file.
    static func zeroSizes(_ kind: NastyServer.Kind) -> Case {
        var server = row(kind, .size, 0, isLarge: kind == .s3)
        server.testDescription = "\(kind.rawValue) reports wrong sizes"
        server.rules = server.rules.map { $0.reportingSize(0) }
        return server
    }

    /// A server that reports the size of the trial object, but not the sizes of photos.
    private static let silent: Case = {
        var server = row(.s3, .size, 0, isLarge: true)
        server.testDescription = "s3 reports no size of a photo"
        server.rules = [ServerFaultRule("HEAD", name: #"IMG_[^/]*\.JPG$"#, answer: 0).reportingSize(-1)]
        return server
    }()

    /// Servers with wrong or missing sizes.
    private static let wrongSizes: [Case] =
        NastyServer.Kind.allCases.filter { features($0).contains(.size) }.map { zeroSizes($0) } + [silent]

    /// Servers that refuse a feature.
    private static let refusing: [Case] = NastyServer.Kind.allCases.flatMap { kind in
        features(kind).flatMap { feature in
            answers(kind).map { row(kind, feature, $0) }
                + (kind == .rclone ? [] : [row(kind, feature, nil)])
                + (kind == .s3 ? answers(kind).map { row(kind, feature, $0, isLarge: true) } : [])
        }
    }

    /// All servers.
    static let all: [Case] = refusing + wrongSizes

    /// One server for each kind of fallback.
    static let gate: [Case] = [
        row(.webDAV, .otherNames, 405), row(.http, .condition, 501), row(.s3, .metadata, 400),
        row(.s3, .size, 403, isLarge: true),
        row(.ftp, .resume, 502), row(.ftp, .append, 502), row(.sftp, .size, 3), row(.rclone, .partNames, 400),
        row(.http, .size, nil), row(.sftp, .sync, nil), row(.ftp, .fileTime, nil), zeroSizes(.http),
    ]
}
