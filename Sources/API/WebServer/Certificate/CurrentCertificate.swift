import Crypto
import NIOSSL
import Synchronization

/// The certificate for new connections. A renewed certificate replaces the old one without closing
/// connections.
final class CurrentCertificate: Sendable {
    private struct State {
        var pair: CertificatePair
        var context: NIOSSLContext
        var fingerprint: String
    }

    private let state: Mutex<State>

    /// Creates a certificate from its first files.
    ///
    /// - Throws: ``CertificateFileError`` if a file is invalid, or the key does not match the certificate.
    init(_ pair: CertificatePair) throws { state = Mutex(try Self.state(pair)) }

    /// Replaces the certificate, unless the files are the same.
    ///
    /// - Returns: Whether the certificate changed.
    /// - Throws: ``CertificateFileError`` if the files can't be used. The old certificate then stays.
    func replace(with pair: CertificatePair) throws -> Bool {
        guard state.withLock({ $0.pair != pair }) else { return false }
        let new = try Self.state(pair)
        state.withLock { $0 = new }
        return true
    }

    /// The TLS settings for a new connection.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// The SHA-256 fingerprint of the certificate: 32 pairs of hexadecimal digits with colons.
    var fingerprint: String { state.withLock { $0.fingerprint } }

    private static func state(_ pair: CertificatePair) throws -> State {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(pair.certificate.utf8))
            guard let leaf = chain.first else {
                throw CertificateFileError.invalid("the file has no certificate")
            }
            let key = try NIOSSLPrivateKey(bytes: Array(pair.key.utf8), format: .pem)
            var settings = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            settings.minimumTLSVersion = .tlsv12
            settings.applicationProtocols = ["http/1.1"]
            return State(
                pair: pair, context: try NIOSSLContext(configuration: settings),
                fingerprint: fingerprint(of: try leaf.toDERBytes()))
        } catch let error as CertificateFileError {
            throw error
        } catch {
            throw CertificateFileError.invalid("\(error)")
        }
    }

    private static func fingerprint(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined(separator: ":")
    }
}
