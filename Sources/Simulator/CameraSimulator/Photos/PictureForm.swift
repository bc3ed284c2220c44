/// How the picture in a made file is written: what a body's menus say of it, and what may be wrong with it.
///
/// The file around it stays whole: what checks files has nothing to say against a picture that cannot be decoded.
public struct PictureForm: Hashable, Sendable {
    /// How the body was held, as EXIF tells it (tag 0x0112), 1...8: the picture is written as the sensor lies.
    public var orientation: UInt16 = 1
    /// What its numbers mean.
    public var colours = Colours.sRGB
    /// How its JPEG is coded.
    public var coding = Coding.baseline

    /// An upright picture in sRGB.
    public init() {}

    /// A colour space, as DCF 2.0 tells it: by EXIF's tag 0xA001 and the interoperability index, without a profile.
    public enum Colours: String, CaseIterable, Sendable {
        case sRGB = "srgb"
        case adobeRGB = "adobe-rgb"
    }

    /// How a JPEG is coded.
    public enum Coding: String, CaseIterable, Sendable {
        /// As cameras do.
        case baseline
        /// In scans, as computers do it; with the first of them only, which decoders take.
        case progressive
        /// By a table that is not there.
        case broken
        /// Of 65,500 × 65,500 pixels by its own word.
        case huge
    }
}
