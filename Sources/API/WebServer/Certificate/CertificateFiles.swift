import Crypto
import Foundation
import FrameFastSystem

/// The certificate of the page and its key, in PEM form.
struct CertificatePair: Hashable, Sendable {
    /// The certificate, followed by the rest of its chain.
    var certificate: String
    var key: String
}

/// The files of the page's certificate: the user's own files, or files that the service generates in its
/// state folder.
public enum CertificateFiles: Hashable, Sendable {
    /// The user's own files in PEM form.
    case configured(certificate: String, key: String)
    /// A folder for a key and a self-signed certificate.
    case folder(String)

    /// Reads the files. In a ``folder(_:)``, generates a missing or invalid key, and replaces a certificate
    /// that is missing, outdated or not valid for the key and the subject.
    ///
    /// - Throws: ``CertificateFileError/unreadable(_:)`` for a configured file, or the error of generating
    ///   the files.
    func load(for subject: WebCertificate.Subject, title: String, now: Date) throws -> CertificatePair {
        switch self {
        case .configured(let certificate, let key):
            return CertificatePair(certificate: try Self.text(certificate), key: try Self.text(key))
        case .folder(let folder):
            return try Self.loadOrGenerate(in: folder, for: subject, title: title, now: now)
        }
    }

    private static func loadOrGenerate(
        in folder: String, for subject: WebCertificate.Subject, title: String, now: Date
    ) throws -> CertificatePair {
        let (keyPath, path) = (folder + "/key.pem", folder + "/certificate.pem")
        try DurableFile.createFolder(folder, mode: 0o700)
        let key: P256.Signing.PrivateKey
        if let stored = try? text(keyPath),
            let parsed = try? P256.Signing.PrivateKey(pemRepresentation: stored)
        {
            key = parsed
        } else {
            key = P256.Signing.PrivateKey()
            try replace(keyPath, with: key.pemRepresentation)
        }
        let old = (try? text(path)).flatMap { try? WebCertificate(pem: $0) }
        if let old, old.isUsable(with: key, for: subject, now: now) {
            return CertificatePair(certificate: try old.pem, key: key.pemRepresentation)
        }
        let wanted = old.map { subject.merged(with: $0.subject) } ?? subject
        let new = try WebCertificate(key: key, title: title, subject: wanted, now: now)
        try replace(path, with: try new.pem)
        return CertificatePair(certificate: try new.pem, key: key.pemRepresentation)
    }

    /// The largest file that is read, in bytes. A chain of certificates takes a few kB.
    private static let fileBytesMax = 256 * 1024

    private static func text(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path), data.count <= fileBytesMax else {
            throw CertificateFileError.unreadable(path)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Replaces a file. Only the service's user can read the new file.
    private static func replace(_ path: String, with text: String) throws {
        let part = path + ".part"
        try DurableFile.remove(part)
        try DurableFile.write(Array(text.utf8), new: part, mode: 0o600)
        try DurableFile.replace(path, with: part)
        try DurableFile.syncFolder(DurableFile.parent(of: path))
    }
}

/// A reason why the page has no certificate.
enum CertificateFileError: Error, Hashable, CustomStringConvertible {
    /// The file is missing, too large, or not readable for the service.
    case unreadable(String)
    /// The files have no valid PEM certificate and key.
    case invalid(String)

    var description: String {
        switch self {
        case .unreadable(let path): "cannot read \(path): the file is missing, or the service may not read it"
        case .invalid(let reason): "cannot use the certificate and its key: \(reason)"
        }
    }
}
