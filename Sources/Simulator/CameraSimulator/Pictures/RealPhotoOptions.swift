/// The options of generated photos that are real, decodable pictures.
public struct RealPhotoOptions: Hashable, Sendable {
    /// The color space of the pictures.
    enum Color: Hashable, Sendable {
        /// sRGB, with the tags of the DCF standard (EXIF 2.32).
        case sRGB
        /// Adobe RGB, with only the tags of the DCF standard: an uncalibrated color space and `R03`.
        case adobeRGB
        /// Adobe RGB, with an ICC profile and without `R03`.
        case profile
    }

    /// The width of the stored picture, in pixels.
    package var width = 1_920
    /// The height of the stored picture, in pixels.
    package var height = 1_280
    /// The EXIF orientation, 1...8. The picture is stored in this orientation.
    package var orientation: UInt16 = 1
    var color = Color.sRGB
    /// Whether EXIF contains a GPS position.
    var hasPosition = false
    /// Whether the file contains a small thumbnail.
    var hasThumbnail = true
    /// Whether a JPEG contains a second, smaller picture (CIPA DC-007, multi-picture format).
    var hasSecondPicture = false
    /// Whether a RAW file contains a JPEG of full size.
    var hasFullPreview = true
    /// Whether the pictures have fine details. Without them, all pixels of an area of one color are equal.
    var hasGrain = true
    /// Whether the JPEG, or the JPEG of full size in a RAW file, is progressive.
    var isProgressive = false
    /// The byte order of EXIF, and of DNG, NEF and ARW files.
    var byteOrder = ByteOrder.little
    /// The defect of each file, or `nil` for valid files.
    var defect: PhotoDefect?

    /// The smallest and largest width and height, in pixels. The upper limit is the limit of libjpeg.
    static let sides = 64...65_500
    /// The largest picture to generate, in pixels.
    static let pixelsMax = 200_000_000

    /// Creates the default options: sRGB, upright, without defect.
    public init() {}

    /// Parses the options from words that are separated by commas or spaces.
    ///
    /// - Returns: The options of real pictures, or `nil` for padded photos.
    /// - Throws: ``SimulatorError/usage(_:)`` if a word is unknown or its value is not valid.
    public static func options(from text: String) throws(SimulatorError) -> RealPhotoOptions? {
        let words = text.split { $0 == "," || $0 == " " }.map(String.init)
        switch words.first {
        case "padded":
            guard words.count == 1 else { throw .usage("cannot combine 'padded' with other words") }
            return nil
        case "real":
            var options = RealPhotoOptions()
            for word in words.dropFirst() { try options.apply(word) }
            return options
        default:
            throw .usage(
                "cannot make pictures of '\(text)': use padded, or real with other words after a comma")
        }
    }

    /// Changes the option that a word names.
    package mutating func apply(_ word: String) throws(SimulatorError) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        switch (parts.first ?? "", parts.count > 1 ? parts[1] : nil) {
        case ("srgb", nil): color = .sRGB
        case ("adobe-rgb", nil): color = .adobeRGB
        case ("adobe-icc", nil): color = .profile
        case ("gps", nil): hasPosition = true
        case ("no-thumbnail", nil): hasThumbnail = false
        case ("mpf", nil): hasSecondPicture = true
        case ("no-full", nil): hasFullPreview = false
        case ("smooth", nil): hasGrain = false
        case ("progressive", nil): isProgressive = true
        case ("big-endian", nil): byteOrder = .big
        case ("orientation", let value?):
            guard let number = UInt16(value), (1...8).contains(number) else {
                throw .usage("cannot set the orientation to '\(value)': use 1 to 8")
            }
            orientation = number
        case ("broken", let value?):
            guard let defect = PhotoDefect(rawValue: value) else {
                let known = PhotoDefect.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("cannot make broken pictures of '\(value)': use \(known)")
            }
            self.defect = defect
        default:
            let sides = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else {
                throw .usage("cannot make pictures with '\(word)': --help lists the values of --pictures")
            }
            guard Self.sides.contains(width), Self.sides.contains(height), width * height <= Self.pixelsMax
            else {
                throw .usage(
                    "cannot make pictures of \(word) pixels: use sides of 64 to 65500, and up to 200 million")
            }
            (self.width, self.height) = (width, height)
        }
    }

    /// The description of the words, for `--help`.
    public static let usage =
        """
        padded: valid JPEG headers and noise, of exactly --size bytes. real: pictures that programs can decode, with a \
        gradient, the number of the shot and a colored patch in each corner. Words after 'real', separated by commas:

        WxH: size in pixels (1920x1280)
        orientation=N: EXIF orientation, 1 to 8; the picture is stored turned
        srgb, adobe-rgb, adobe-icc: color space; adobe-rgb has only DCF's tags, adobe-icc a profile
        gps: a position in EXIF
        mpf: a second, smaller picture in a JPEG
        no-thumbnail, no-full: no EXIF thumbnail; no JPEG of full size in a RAW file
        smooth: no fine details; all pixels of an area of one color are equal
        progressive: a progressive JPEG
        big-endian: EXIF and TIFF-based RAW files in the byte order MM
        """ + "\n"
        + PhotoDefect.allCases.map { "broken=\($0.rawValue): \($0.meaning)" }.joined(separator: "\n")
}
