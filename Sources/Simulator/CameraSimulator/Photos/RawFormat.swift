/// The raw formats that the simulated camera can write.
enum RawFormat: String, Hashable, Sendable, CaseIterable {
    /// Adobe DNG: TIFF with a DNG version.
    case dng
    /// Canon RAW version 2: TIFF with a `CR` signature.
    case cr2
    /// Canon RAW version 3: ISO base media.
    case cr3
    /// Nikon electronic format: TIFF.
    case nef
    /// Sony alpha raw: TIFF.
    case arw
    /// Fujifilm raw: a Fujifilm header, followed by a JPEG and the raw data.
    case raf

    /// The file name extension, in upper case as cameras write it.
    var fileExtension: String { rawValue.uppercased() }
}
