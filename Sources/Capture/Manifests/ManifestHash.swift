import Crypto
import FrameFastModel
import XXHash

/// A hash as manifests have them: ASC MHL knows six kinds, and other tools write others than we do.
struct ManifestHash: Hashable, Sendable {
    /// Which function, by its element's name; the first that a file has is the one that is checked.
    enum Kind: String, CaseIterable, Sendable {
        case xxh128, xxh3, xxh64, c4, sha1, md5

        /// Digits of its text in hex; `nil` for C4, which has an alphabet of its own.
        fileprivate var digits: Int? {
            switch self {
            case .xxh128, .md5: 32
            case .xxh3, .xxh64: 16
            case .sha1: 40
            case .c4: nil
            }
        }
    }

    var kind: Kind
    /// Lower-case hex, or a C4 id.
    var text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// As a manifest has it; `nil` when it is none.
    init?(reading kind: Kind, _ text: String) {
        guard let digits = kind.digits else {
            guard C4ID.isOne(text) else { return nil }
            self.init(kind, text)
            return
        }
        let hash = text.lowercased()
        guard hash.utf8.count == digits, hash.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            return nil
        }
        self.init(kind, hash)
    }
}

/// A hash of bytes that come one after the other.
struct GrowingHash {
    let kind: ManifestHash.Kind
    let update: (UnsafeRawBufferPointer) -> Void
    /// The text so far; `nil` when there was no memory for it.
    let text: () -> String?

    init(_ kind: ManifestHash.Kind) {
        switch kind {
        case .xxh128: self.init(kind, XXH128Box())
        case .xxh3: self.init(kind, ShortXXHash(.xxh3))
        case .xxh64: self.init(kind, ShortXXHash(.xxh64))
        case .c4: self.init(kind, CryptoBox<SHA512> { C4ID.text(ofSHA512: Array($0)) })
        case .sha1: self.init(kind, CryptoBox<Insecure.SHA1> { Hex.text($0) })
        case .md5: self.init(kind, CryptoBox<Insecure.MD5> { Hex.text($0) })
        }
    }

    private init(_ kind: ManifestHash.Kind, _ function: some HashBox) {
        self.kind = kind
        update = { function.update($0) }
        text = { function.text() }
    }
}

private protocol HashBox: AnyObject {
    func update(_ bytes: UnsafeRawBufferPointer)
    func text() -> String?
}

extension ShortXXHash: HashBox {}

private final class XXH128Box: HashBox {
    private var hash = XXH128()
    func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }
    func text() -> String? { hash.text() }
}

private final class CryptoBox<Function: HashFunction>: HashBox {
    private var function = Function()
    private let write: (Function.Digest) -> String
    init(_ write: @escaping (Function.Digest) -> String) { self.write = write }
    func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }
    func text() -> String? { write(function.finalize()) }
}
