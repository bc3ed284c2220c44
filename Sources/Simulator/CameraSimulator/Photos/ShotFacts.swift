/// What is known about a shot when its files are made.
public struct ShotFacts: Hashable, Sendable {
    /// Maker as in EXIF.
    public var make: String
    /// Model as in EXIF.
    public var model: String
    /// Body serial number.
    public var serial: String
    /// Running number of the shot, 1 for the first: it is drawn into the picture.
    public var number: Int
    /// When the shutter was released.
    public var time: WallTime
    /// How its picture is written.
    public var form = PictureForm()
    /// Stars that the photographer gave it, 1...5; 0 for none.
    public var rating: UInt16
    /// Exposure, as the camera was set.
    public var exposure = ShotExposure()

    /// Facts of one shot.
    public init(
        make: String, model: String, serial: String, number: Int, time: WallTime, rating: UInt16 = 0
    ) {
        self.make = make
        self.model = model
        self.serial = serial
        self.number = number
        self.time = time
        self.rating = rating
    }

    /// Directory 0 of EXIF, with the EXIF directory inside.
    func directory(width: Int, height: Int) -> TIFFDirectory {
        var main = TIFFDirectory()
        main[0x010F] = .ascii(make)
        main[0x0110] = .ascii(model)
        main[0x0112] = .short([form.orientation])
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
        exif[0x829A] = .rational([(exposure.seconds.top, exposure.seconds.bottom)])
        exif[0x829D] = .rational([(exposure.fNumber.top, exposure.fNumber.bottom)])
        exif[0x8827] = .short([exposure.iso])
        exif[0x9000] = .undefined(Array("0232".utf8))
        exif[0x9003] = .ascii(time.exif)
        exif[0x9004] = .ascii(time.exif)
        exif[0x9101] = .undefined([1, 2, 3, 0])
        exif[0x920A] = .rational([(50, 1)])
        exif[0x9291] = .ascii(time.milliseconds)
        exif[0xA000] = .undefined(Array("0100".utf8))
        exif[0xA001] = .short([form.colours == .sRGB ? 1 : 0xFFFF])
        exif[0xA002] = .long([UInt32(width)])
        exif[0xA003] = .long([UInt32(height)])
        // No two photos are alike: the image's own number.
        let id = String(UInt64(truncatingIfNeeded: number) &+ 0x1_0000_0000, radix: 16).dropFirst()
        exif[0xA420] = .ascii("000000000000000000000000" + id)
        exif[0xA431] = .ascii(serial)
        exif[0xA434] = .ascii("50mm F1.8")
        var interoperability = TIFFDirectory()
        interoperability[0x0001] = .ascii(form.colours == .sRGB ? "R98" : "R03")
        exif[0xA005] = .directory(interoperability)
        return exif
    }
}
