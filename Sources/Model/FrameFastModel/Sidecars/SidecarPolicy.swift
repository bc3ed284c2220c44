public import FoundationEssentials

/// What photos get beside them in the capture directory.
public struct SidecarPolicy: Hashable, Sendable {
    /// Their XMP sidecars.
    public var xmp: XMPNaming
    /// Whether each file gets a JSON record.
    public var writesJSON: Bool
    /// Where all photos are taken; `nil` when that is not said.
    public var position: GeoPosition?
    /// This computer, as JSON records name it.
    public var host: FleetHostName

    /// Creates a policy.
    public init(
        xmp: XMPNaming = .off, writesJSON: Bool = false, position: GeoPosition? = nil, host: FleetHostName
    ) {
        self.xmp = xmp
        self.writesJSON = writesJSON
        self.position = position
        self.host = host
    }

    /// Whether no photo gets anything.
    public var isOff: Bool { xmp == .off && !writesJSON }

    /// Where a photo's sidecar goes; `nil` when it gets none of this kind.
    public func path(of kind: SidecarKind, beside photo: CaptureRecord) -> String? {
        guard let path = photo.path else { return nil }
        return switch kind {
        case .xmp: xmp.path(beside: path, of: photo.kind)
        case .json: writesJSON ? path + PhotoSidecar.ending : nil
        }
    }

    /// What a photo's sidecar says.
    ///
    /// - Parameter madeAt: When it is written.
    public func bytes(
        of kind: SidecarKind, for photo: Photo, _ words: ShotWords, madeAt: Date
    ) throws -> [UInt8] {
        switch kind {
        case .xmp: return XMPSidecar(photo, words, position: position, madeAt: madeAt).bytes
        case .json:
            let name = photo.record.path?.split(separator: "/").last.map(String.init) ?? ""
            return try Array(
                PhotoSidecar(
                    Facts(photo, name: name), fields: photo.record.fields, name: name, host: host
                ).json)
        }
    }
}

/// What lies beside a photo.
public enum SidecarKind: String, Hashable, Sendable, CaseIterable {
    /// What programs for photos read.
    case xmp
    /// What scripts read.
    case json
}

/// A sidecar as the ledger knows it: a file of ours as long as its bytes are those that were written.
public struct SidecarRecord: Hashable, Sendable {
    /// The photo that it lies beside.
    public var captureID: CaptureID
    /// What it is.
    public var kind: SidecarKind
    /// Absolute path.
    public var path: String
    /// SHA-256 of the bytes that were written; `nil` when the name was taken by another file.
    public var written: String?
    /// SHA-256 of the bytes that are being written over them; `nil` when none are.
    public var next: String?
    /// When its words were put together.
    public var madeAt: Date

    /// Creates one.
    public init(
        captureID: CaptureID, kind: SidecarKind, path: String, written: String?, next: String? = nil,
        madeAt: Date
    ) {
        self.captureID = captureID
        self.kind = kind
        self.path = path
        self.written = written
        self.next = next
        self.madeAt = madeAt
    }

    /// The bytes that are ours, by their SHA-256.
    public var ours: [String] { [written, next].compactMap(\.self) }
}

/// What camera and people say of a shot.
public struct ShotWords: Hashable, Codable, Sendable {
    /// Stars 0...5, -1 for rejected; `nil` when nobody gave any and nobody looked.
    public var stars: Int?
    /// Whether it is picked.
    public var isPicked: Bool

    /// Creates words.
    public init(stars: Int? = nil, isPicked: Bool = false) {
        self.stars = stars
        self.isPicked = isPicked
    }

    /// The most of what the file says and people say; the owner's rejection goes before both.
    public init(fileRating: Int?, ratings: [ShotRating]) {
        let given = ShotRating.stars(of: ratings)
        self.init(
            stars: given == -1 ? -1 : [fileRating, given].compactMap(\.self).max(),
            isPicked: ShotRating.pick(of: ratings) == true)
    }
}
