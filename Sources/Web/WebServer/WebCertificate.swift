import Crypto
import FoundationEssentials
import FrameFastSystem
import Glibc
import NIOSSL
import SwiftASN1
import X509

/// The certificate of the page: one of our own, made once, or somebody's.
struct WebCertificate {
    /// How long one of ours is good, and before which rest it is made anew, in seconds: browsers take no more than 398 days.
    private static let life = 390 * 86_400.0
    private static let rest = 30 * 86_400.0

    /// Why there is none.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey
    /// SHA-256 of the certificate, as browsers show it: `AB:CD:…`.
    let fingerprint: String

    /// Somebody's own files.
    init(certificate: String, key: String) throws {
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate)
            self.key = try NIOSSLPrivateKey(file: key, format: .pem)
            guard let first = chain.first else {
                throw Failure(description: "there is no certificate in \(certificate)")
            }
            fingerprint = Self.fingerprint(try first.toDERBytes())
        } catch let failure as Failure { throw failure } catch {
            throw Failure(description: "cannot read \(certificate) and \(key): \(error)")
        }
    }

    /// Our own: read from a folder, or made there. The key stays when the certificate is made anew for other names.
    ///
    /// - Parameters:
    ///   - names: Names of this computer.
    ///   - addresses: Its addresses.
    init(folder: String, names: [String], addresses: [String], now: Date = Date()) throws {
        try DurableFile.createFolder(folder, mode: 0o700)
        let (keyFile, certificateFile) = (folder + "/key.pem", folder + "/certificate.pem")
        let key: P256.Signing.PrivateKey
        if let text = Self.text(keyFile), let known = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            key = known
        } else {
            key = P256.Signing.PrivateKey()
            try DurableFile.remove(keyFile)
            try DurableFile.write(Array(key.pemRepresentation.utf8), new: keyFile, mode: 0o600)
        }
        let wanted = Self.alternatives(names: names, addresses: addresses)
        var certificate = Self.text(certificateFile).flatMap { try? Certificate(pemEncoded: $0) }
        if let known = certificate,
            known.publicKey != Certificate.PublicKey(key.publicKey)
                || known.notValidAfter.timeIntervalSince(now) < Self.rest
                || (try? known.extensions.subjectAlternativeNames).map({ Array($0) }) != wanted
        {
            certificate = nil
        }
        let good = try certificate ?? Self.make(key, wanted, now)
        if certificate == nil {
            try DurableFile.remove(certificateFile)
            try DurableFile.write(Array(try good.serializeAsPEM().pemString.utf8), new: certificateFile)
        }
        var serializer = DER.Serializer()
        try serializer.serialize(good)
        chain = [try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)]
        self.key = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        fingerprint = Self.fingerprint(serializer.serializedBytes)
    }

    private static func make(
        _ key: P256.Signing.PrivateKey, _ names: [GeneralName], _ now: Date
    ) throws -> Certificate {
        let subject = try DistinguishedName { CommonName("FrameFast") }
        return try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(life),
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                KeyUsage(digitalSignature: true)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
            }, issuerPrivateKey: .init(key))
    }

    private static func alternatives(names: [String], addresses: [String]) -> [GeneralName] {
        names.map { .dnsName($0) }
            + addresses.compactMap { text in
                bytes(ofAddress: text).map { .ipAddress(ASN1OctetString(contentBytes: $0)) }
            }
    }

    /// An address as the network writes it: 4 or 16 bytes.
    private static func bytes(ofAddress text: String) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes[..<4] }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes[...] : nil
    }

    private static func text(_ path: String) -> String? {
        guard let file = try? FileReader(path), let bytes = try? file.read(at: 0, count: 64 * 1_024) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func fingerprint(_ der: [UInt8]) -> String {
        SHA256.hash(data: der).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
