import CXXHash

/// The 64-bit members of the family, which manifests of other tools have: XXH64, and XXH3 of 64 bits.
public final class ShortXXHash {
    /// Which of them.
    public enum Kind: Sendable { case xxh64, xxh3 }

    // As in ``XXH128``: the library sees to the addresses. `nil` when there was no memory for it.
    private let old: OpaquePointer?
    private let new: OpaquePointer?

    /// Of no bytes yet.
    public init(_ kind: Kind) {
        old = kind == .xxh64 ? XXH64_createState() : nil
        new = kind == .xxh3 ? XXH3_createState() : nil
        if let old { XXH64_reset(old, 0) }
        if let new { XXH3_64bits_reset(new) }
    }

    deinit {
        if let old { _ = XXH64_freeState(old) }
        if let new { _ = XXH3_freeState(new) }
    }

    /// Takes more bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if let old { XXH64_update(old, start, bytes.count) }
        if let new { XXH3_64bits_update(new, start, bytes.count) }
    }

    /// Of all bytes so far: 16 digits, lower-case hex; `nil` when there was no memory for the hash.
    public func text() -> String? {
        let hash: UInt64? = if let old { XXH64_digest(old) } else { new.map { XXH3_64bits_digest($0) } }
        guard let text = hash.map({ String($0, radix: 16) }) else { return nil }
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
