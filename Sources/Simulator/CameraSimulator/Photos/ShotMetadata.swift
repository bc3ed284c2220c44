/// The metadata of a shot, which its files contain.
struct ShotMetadata: Hashable, Sendable {
    /// The EXIF maker.
    var make: String
    /// The EXIF model.
    var model: String
    /// The serial number of the body.
    var serial: String
    /// The running number of the shot, from 1. The number is drawn into the picture.
    var number: Int
    /// The time of the shutter release.
    var time: WallTime
    /// The EXIF orientation, 1...8.
    var orientation: UInt16 = 1
    /// The rating in stars, 1...5, or 0 for no rating.
    var rating: UInt16 = 0
    /// The exposure according to the camera's settings.
    var exposure = ShotExposure()

    /// Returns EXIF's directory 0, which contains the EXIF directory.
    func directory(width: Int, height: Int) -> TIFFDirectory {
        var main = TIFFDirectory()
        main[0x010F] = .ascii(make)
        main[0x0110] = .ascii(model)
        main[0x0112] = .short([orientation])
        main[0x011A] = .rational([(72, 1)])
        main[0x011B] = .rational([(72, 1)])
        main[0x0128] = .short([2])
        main[0x0131] = .ascii("FrameFast simulated camera")
        main[0x0132] = .ascii(time.exif)
        main[0x0213] = .short([1])
        if rating > 0 { main[0x4746] = .short([rating]) }
        main[0x8769] = .directory(exifDirectory(width: width, height: height))
        return main
    }

    func exifDirectory(width: Int, height: Int) -> TIFFDirectory {
        var exif = TIFFDirectory()
        exif[0x829A] = .rational([(exposure.seconds.numerator, exposure.seconds.denominator)])
        exif[0x829D] = .rational([(exposure.fNumber.numerator, exposure.fNumber.denominator)])
        exif[0x8827] = .short([exposure.iso])
        exif[0x9000] = .undefined(Array("0232".utf8))
        exif[0x9003] = .ascii(time.exif)
        exif[0x9004] = .ascii(time.exif)
        exif[0x9101] = .undefined([1, 2, 3, 0])
        exif[0x920A] = .rational([(50, 1)])
        exif[0x9291] = .ascii(time.milliseconds)
        exif[0xA000] = .undefined(Array("0100".utf8))
        exif[0xA001] = .short([1])
        exif[0xA002] = .long([UInt32(width)])
        exif[0xA003] = .long([UInt32(height)])
        // The unique image ID makes each photo different.
        let id = String(UInt64(truncatingIfNeeded: number) &+ 0x1_0000_0000, radix: 16).dropFirst()
        exif[0xA420] = .ascii("000000000000000000000000" + id)
        exif[0xA431] = .ascii(serial)
        return exif
    }
}
