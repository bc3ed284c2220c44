import Crypto
import Foundation
import SwiftASN1
import X509

/// A self-signed certificate with the names and addresses of this computer.
struct WebCertificate: Hashable, Sendable {
    /// The names and addresses that the certificate is valid for.
    struct Subject: Hashable, Sendable {
        /// Names such as `studio` and `studio.local`.
        var names: [String]
        var addresses: [IPAddress]

        /// The maximum number of names and addresses in one certificate.
        static let countMax = 40

        /// Returns whether this subject contains every name and address of another subject.
        func covers(_ other: Subject) -> Bool {
            Set(names).isSuperset(of: other.names) && Set(addresses).isSuperset(of: other.addresses)
        }

        /// Returns this subject with the addresses of an older certificate, up to ``countMax`` names and
        /// addresses.
        ///
        /// If the computer returns to an earlier network, the certificate that devices have accepted stays in
        /// use.
        func merged(with old: Subject) -> Subject {
            var merged = self
            for address in old.addresses where !merged.addresses.contains(address) {
                if merged.names.count + merged.addresses.count < Self.countMax {
                    merged.addresses.append(address)
                }
            }
            return merged
        }
    }

    /// The validity of a new certificate, in days. Apple's systems refuse a certificate that is valid for
    /// more than 825 days.
    static let validDays = 820
    /// The remaining validity at which a certificate is replaced, in days.
    static let renewalDays = 30
    private static let daySeconds: TimeInterval = 86_400

    private let certificate: Certificate

    /// Creates a certificate.
    ///
    /// - Parameters:
    ///   - key: The key of this computer, which stays the same for later certificates.
    ///   - title: The name that a browser shows as the issuer.
    init(key: P256.Signing.PrivateKey, title: String, subject: Subject, now: Date) throws {
        // A common name has at most 64 characters.
        let name = try DistinguishedName { CommonName(String(title.prefix(64))) }
        let names: [GeneralName] = subject.names.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map {
            .dnsName($0)
        }
        let addresses: [GeneralName] = subject.addresses.map {
            .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...]))
        }
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames(names + addresses)
        }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            // The clock of a device may be behind.
            notValidBefore: now - Self.daySeconds,
            notValidAfter: now + Double(Self.validDays) * Self.daySeconds,
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// Parses a certificate in PEM form.
    init(pem: String) throws { certificate = try Certificate(pemEncoded: pem) }

    /// The certificate in PEM form.
    var pem: String { get throws { try certificate.serializeAsPEM().pemString } }

    /// The names and addresses of the certificate. Omits other kinds of names.
    var subject: Subject {
        var subject = Subject(names: [], addresses: [])
        for name in (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames() {
            switch name {
            case .dnsName(let text): subject.names.append(text)
            case .ipAddress(let octets):
                if let address = IPAddress(octets: Array(octets.bytes)) { subject.addresses.append(address) }
            default: break
            }
        }
        return subject
    }

    /// Returns whether the certificate can be used: it belongs to the key, is already valid, does not expire
    /// within ``renewalDays``, and covers the names and addresses.
    func isUsable(with key: P256.Signing.PrivateKey, for wanted: Subject, now: Date) -> Bool {
        certificate.publicKey == Certificate.PublicKey(key.publicKey)
            && certificate.notValidBefore <= now
            && certificate.notValidAfter > now + Double(Self.renewalDays) * Self.daySeconds
            && subject.covers(wanted)
    }
}
