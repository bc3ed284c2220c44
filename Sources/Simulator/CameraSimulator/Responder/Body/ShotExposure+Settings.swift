extension ShotExposure {
    /// Creates the exposure of a body with these settings.
    ///
    /// - Parameters:
    ///   - fNumber: The property of the aperture, as an f-number times 100.
    ///   - seconds: The exposure time, or `nil` to use the time for which `shutter` was open.
    init(fNumber: DeviceProperty?, iso: UInt16?, seconds: Fraction?, shutter: BulbShutter) {
        if case .u16(let hundredths)? = fNumber?.current {
            self.fNumber = Fraction(UInt32(hundredths) / 10, 10)
        }
        self.iso = iso ?? self.iso
        self.seconds = seconds ?? shutter.openTenths.map { Fraction($0, 10) } ?? self.seconds
    }
}
