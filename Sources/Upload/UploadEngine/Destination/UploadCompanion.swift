public import FrameFastModel

/// A small file that is to lie beside a photo at its destination before the photo does: its XMP sidecar.
public struct UploadCompanion: Hashable, Sendable {
    /// How its name is made of the photo's.
    public var naming: XMPNaming
    /// What the photo is.
    public var kind: MediaKind
    /// What is in it, the same for every try.
    public var bytes: [UInt8]

    /// Creates one.
    public init(naming: XMPNaming, kind: MediaKind, bytes: [UInt8]) {
        self.naming = naming
        self.kind = kind
        self.bytes = bytes
    }

    /// Its name at the destination; `nil` when such a photo gets none.
    public func name(beside photo: String) -> String? { naming.path(beside: photo, of: kind) }
}
