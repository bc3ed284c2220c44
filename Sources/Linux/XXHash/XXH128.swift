import CXXHash

/// XXH128 of bytes that come one after the other: what a manifest says of a file. It shows what changed by chance, and is no
/// proof against somebody who changes bytes on purpose.
public struct XXH128: ~Copyable {
    // The library's state has to lie at an address that is a multiple of 64, which only its own function sees to.
    // `nil` when there was no memory for it.
    private let state: OpaquePointer?

    /// Of no bytes yet.
    public init() {
        state = XXH3_createState()
        if let state { XXH3_128bits_reset(state) }
    }

    deinit { if let state { _ = XXH3_freeState(state) } }

    /// Takes more bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let state, let start = bytes.baseAddress else { return }
        XXH3_128bits_update(state, start, bytes.count)
    }

    /// Of all bytes so far: 32 digits, lower-case hex, the high half first; `nil` when there was no memory for the hash. A
    /// photo without one is read again when it is sealed.
    public func text() -> String? {
        guard let state else { return nil }
        let hash = XXH3_128bits_digest(state)
        return [hash.high64, hash.low64].map { half in
            let text = String(half, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }.joined()
    }
}
