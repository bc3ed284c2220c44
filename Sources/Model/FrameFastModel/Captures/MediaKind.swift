/// The kind of a file. Pairing and upload rules use the kind.
public enum MediaKind: String, Codable, Hashable, Sendable {
    /// A developed picture: JPEG, HEIF, AVIF, TIFF, PNG or stereo picture (MPO).
    case picture
    /// A RAW file.
    case raw
    /// A movie, also in a RAW format (Canon CRM, Nikon NEV and R3D).
    case movie
    /// Anything else: sound, sidecars, settings.
    case other

    /// Creates the kind from the extension of a camera's file name.
    public init(fileName: String) {
        self =
            switch SafeName.split(fileName).ext.lowercased() {
            case "jpg", "jpeg", "jpe", "heic", "heif", "hif", "avif", "tif", "tiff", "png",
                "mpo":
                .picture
            case "nef", "nrw", "cr2", "cr3", "crw", "arw", "srf", "sr2", "dng", "pef", "orf", "ori", "rw2",
                "raw", "rwl", "srw", "3fr", "iiq", "erf", "kdc", "dcr", "mef", "mos", "raf", "x3f", "fff",
                "gpr",
                "mrw":
                .raw
            case "mp4", "mov", "avi", "mts", "m2ts", "crm", "nev", "r3d", "360", "mpg", "mpeg",
                "mxf":
                .movie
            default: .other
            }
    }
}
