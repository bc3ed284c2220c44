import Crypto
import Foundation
import SurfaceTestSupport
import Testing

@testable import WebServer

/// Tests of the page's certificate and its files.
@Suite struct CertificateTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func subject(_ addresses: [String] = ["192.168.1.20"]) -> WebCertificate.Subject {
        .init(names: ["studio", "studio.local"], addresses: addresses.compactMap { IPAddress($0) })
    }

    @Test func `certificate names the computer and its addresses`() throws {
        let key = P256.Signing.PrivateKey()
        let subject = Self.subject(["192.168.1.20", "fd12::1"])
        let certificate = try WebCertificate(key: key, title: "FrameFast", subject: subject, now: Self.now)
        let parsed = try WebCertificate(pem: certificate.pem)
        #expect(parsed.subject == subject)
        #expect(parsed.isUsable(with: key, for: subject, now: Self.now))
    }

    @Test(arguments: [
        (0.0, "192.168.1.20", true), (700.0, "192.168.1.20", true), (791.0, "192.168.1.20", false),
        (-2.0, "192.168.1.20", false), (0.0, "10.0.0.9", false),
    ])
    func `certificate is usable for its addresses until 30 days before expiry`(
        days: Double, address: String, isUsable: Bool
    ) throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try WebCertificate(
            key: key, title: "FrameFast", subject: Self.subject(), now: Self.now)
        #expect(
            certificate.isUsable(with: key, for: Self.subject([address]), now: Self.now + days * 86_400)
                == isUsable)
        #expect(!certificate.isUsable(with: P256.Signing.PrivateKey(), for: Self.subject(), now: Self.now))
    }

    @Test func `keeps the key, and renews the certificate for a new address`() async throws {
        try await TemporaryDirectory.with { directory in
            let files = CertificateFiles.folder(directory + "/web")
            func load(_ addresses: [String]) throws -> CertificatePair {
                try files.load(for: Self.subject(addresses), title: "FrameFast", now: Self.now)
            }
            let first = try load(["192.168.1.20"])
            #expect(try load(["192.168.1.20"]) == first)
            let second = try load(["10.0.0.9"])
            #expect(second.key == first.key && second.certificate != first.certificate)
            // The new certificate also covers the old address, so a return to the old network changes
            // nothing.
            #expect(try load(["192.168.1.20"]) == second)
            let mode = try FileManager.default.attributesOfItem(atPath: directory + "/web/key.pem")
            #expect(mode[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `replaces a damaged certificate and a damaged key`() async throws {
        try await TemporaryDirectory.with { directory in
            let files = CertificateFiles.folder(directory)
            let first = try files.load(for: Self.subject(), title: "FrameFast", now: Self.now)
            try "noise".write(toFile: directory + "/certificate.pem", atomically: true, encoding: .utf8)
            let second = try files.load(for: Self.subject(), title: "FrameFast", now: Self.now)
            #expect(second.key == first.key && second.certificate != "noise")
            try "noise".write(toFile: directory + "/key.pem", atomically: true, encoding: .utf8)
            let third = try files.load(for: Self.subject(), title: "FrameFast", now: Self.now)
            #expect(third.key != first.key)
            _ = try CurrentCertificate(third)
        }
    }

    @Test func `error names the file that can't be read`() throws {
        let files = CertificateFiles.configured(certificate: "/nowhere/web.pem", key: "/nowhere/web.key")
        let error = #expect(throws: CertificateFileError.self) {
            try files.load(for: Self.subject(), title: "FrameFast", now: Self.now)
        }
        #expect(error == .unreadable("/nowhere/web.pem"))
    }

    @Test func `new connections use a renewed certificate`() throws {
        func pair() throws -> CertificatePair {
            let key = P256.Signing.PrivateKey()
            let certificate = try WebCertificate(
                key: key, title: "FrameFast", subject: Self.subject(), now: Self.now)
            return CertificatePair(certificate: try certificate.pem, key: key.pemRepresentation)
        }
        let first = try pair()
        let current = try CurrentCertificate(first)
        let fingerprint = current.fingerprint
        #expect(fingerprint.split(separator: ":").count == 32)
        #expect(try !current.replace(with: first))
        #expect(try current.replace(with: pair()))
        #expect(current.fingerprint != fingerprint)
        #expect(throws: CertificateFileError.self) {
            try current.replace(with: CertificatePair(certificate: first.certificate, key: "noise"))
        }
    }

    @Test func `a certificate keeps at most 40 names and addresses`() {
        let old = WebCertificate.Subject(
            names: [], addresses: (1...100).compactMap { IPAddress("10.0.0.\($0)") })
        let merged = Self.subject().merged(with: old)
        #expect(merged.names.count + merged.addresses.count == 40)
        #expect(merged.covers(Self.subject()))
    }
}
