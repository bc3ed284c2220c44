import SettingKeys
import Testing

@testable import UploadDestinations

/// Tests of the declarations of the destination kinds.
@Suite struct DestinationKindTests {
    @Test(arguments: DestinationKind.allCases)
    func `declares no configuration key twice in one kind`(kind: DestinationKind) {
        let names = kind.descriptor.keys.map(\.name)
        #expect(!names.isEmpty && Set(names).count == names.count)
    }

    /// A key is parsed before the kind of its table is known, because a later configuration layer may set the
    /// kind.
    @Test func `all kinds declare a shared key in the same form`() throws {
        for kind in DestinationKind.allCases {
            for key in kind.descriptor.keys {
                let known = try #require(DestinationKind.keys.first { $0.name == key.name })
                #expect(known.form == key.form, "\(kind.rawValue): \(key.name)")
                #expect(known.description.contains(key.description), "\(kind.rawValue): \(key.name)")
                #expect(known.isSecretFile == key.isSecretFile, "\(kind.rawValue): \(key.name)")
            }
        }
    }

    @Test(
        arguments: [
            (.directory, ["path": "/mnt/nas"], "/mnt/nas", nil, true),
            (.s3, ["url": "https://s3", "bucket": "b", "prefix": "p/"], "https://s3/b/p/", nil, true),
            (.s3, ["url": "https://me:abc@s3", "bucket": "b"], "https://s3/b/", nil, true),
            (.sftp, ["host": "nas", "path": "in"], "nas:in", nil, true),
            (.ftp, ["host": "nas"], "nas:", "ftps", true),
            (.ftp, ["host": "nas", "encryption": "none"], "nas:", nil, true),
            (.webdav, ["url": "https://dav/"], "https://dav/", nil, true),
            (.http, ["url": "https://in/"], "https://in/", nil, true),
            (.http, ["url": "https://in/", "method": "post"], "https://in/", nil, false),
            (.rclone, ["remote": "drive:photos"], "drive:photos", nil, true),
        ] as [(DestinationKind, [String: String], String, String?, Bool)])
    func `returns location, wire name and probe support of a kind`(
        kind: DestinationKind, texts: [String: String], location: String, wireName: String?,
        acceptsProbes: Bool
    ) {
        let values = texts.mapValues(SettingValue.text)
        let (place, wire, probes) = Self.facts(kind, values)
        #expect(place == location && wire == wireName && probes == acceptsProbes)
    }

    @Test func `sends no probes to a program`() {
        let values = ["command": SettingValue.list(["/bin/true", "{file}"])]
        let (place, _, probes) = Self.facts(.command, values)
        #expect(place == "/bin/true" && !probes)
    }

    private static func facts(
        _ kind: DestinationKind, _ values: [String: SettingValue]
    ) -> (location: String, wireName: String?, acceptsProbes: Bool) {
        let descriptor = kind.descriptor
        return (descriptor.location(values), descriptor.wireName(values), descriptor.acceptsProbes(values))
    }
}
