import CLCMS

/// A conversion of pixels to sRGB.
final class ColorConversion {
    private let conversion: OpaquePointer

    private init?(_ conversion: OpaquePointer?) {
        guard let conversion else { return nil }
        self.conversion = conversion
    }

    deinit { framefast_free_conversion(conversion) }

    /// Creates a conversion from an ICC profile. Returns `nil` if the profile is not valid, or not for RGB.
    convenience init?(profile: [UInt8]) {
        self.init(framefast_convert_profile(profile, profile.count))
    }

    /// Creates a conversion from Adobe RGB (1998). Returns `nil` if memory is exhausted.
    static func adobeRGB() -> ColorConversion? { ColorConversion(framefast_convert_adobe_rgb()) }

    /// An ICC profile of Adobe RGB (1998).
    static var adobeRGBProfile: [UInt8] {
        let capacity = 4_096
        var profile = [UInt8](repeating: 0, count: capacity)
        let count = framefast_write_adobe_rgb(&profile, capacity)
        return Array(profile.prefix(count))
    }

    /// Makes lcms2 perform its one-time system calls before the process enters its sandbox. For example, a
    /// new profile contains its date, for which the C library reads the time zone.
    static func prepare() {
        var picture = Picture(width: 1, height: 1, bytes: [0, 0, 0])
        ColorConversion(profile: adobeRGBProfile)?.convert(&picture)
    }

    /// Converts the pixels of a picture.
    func convert(_ picture: inout Picture) {
        let pixels = picture.width * picture.height
        picture.bytes.withUnsafeMutableBufferPointer {
            framefast_convert_pixels(conversion, $0.baseAddress, pixels)
        }
    }
}
