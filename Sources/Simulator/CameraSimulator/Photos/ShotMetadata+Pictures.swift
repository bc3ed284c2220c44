/// The metadata of real pictures.
extension ShotMetadata {
    /// Returns the main directory (IFD 0), with the EXIF directory and, if requested, the GPS directory.
    func directory(for options: RealPhotoOptions) -> TIFFDirectory {
        var main = directory(width: options.width, height: options.height)
        main[0x8769] = .directory(exifDirectory(for: options))
        if options.hasPosition { main[0x8825] = .directory(Self.position) }
        return main
    }

    /// Returns the EXIF directory with the color space. Unless a profile defines the color space, the
    /// directory also names the space in its interoperability directory.
    func exifDirectory(for options: RealPhotoOptions) -> TIFFDirectory {
        var exif = exifDirectory(width: options.width, height: options.height)
        exif[0xA001] = .short([options.color == .sRGB ? 1 : 0xFFFF])
        if options.color != .profile {
            var interoperability = TIFFDirectory()
            interoperability[1] = .ascii(options.color == .sRGB ? "R98" : "R03")
            interoperability[2] = .undefined(Array("0100".utf8))
            exif[0xA005] = .directory(interoperability)
        }
        return exif
    }

    /// The GPS directory of a fixed position: 52° 31′ 12″ north, 13° 24′ 36″ east.
    static var position: TIFFDirectory {
        var position = TIFFDirectory()
        position[0] = .byte([2, 3, 0, 0])
        position[1] = .ascii("N")
        position[2] = .rational([(52, 1), (31, 1), (12, 1)])
        position[3] = .ascii("E")
        position[4] = .rational([(13, 1), (24, 1), (36, 1)])
        return position
    }
}
