extension CanonDials {
    /// The exposure in a photo's metadata. A value that the camera controls automatically is the default of
    /// ``ShotExposure``.
    var exposure: ShotExposure {
        var exposure = ShotExposure()
        if let tenths = Self.nominal(self[CanonProperty.aperture], of: Self.fNumberTenths, from: 0x15) {
            exposure.fNumber = ShotExposure.Fraction(tenths, 10)
        }
        if let iso = Self.nominal(self[CanonProperty.isoSpeed], of: Self.isoSpeeds, from: 0x48) {
            exposure.iso = UInt16(clamping: iso)
        }
        let shutter = self[CanonProperty.shutterSpeed]
        if let tenths = Self.nominal(shutter, of: Self.secondTenths, from: 0x10) {
            exposure.seconds = ShotExposure.Fraction(tenths, 10)
        } else if let part = Self.nominal(shutter, of: Self.secondParts, from: 0x48) {
            exposure.seconds = ShotExposure.Fraction(1, part)
        }
        return exposure
    }

    /// Returns the nominal value for a code, or `nil` if the code is outside the scale.
    private static func nominal(_ code: UInt32?, of scale: [UInt32], from first: UInt32) -> UInt32? {
        guard let code, code >= first else { return nil }
        // Codes count eighths of a stop. The scale uses three codes of each stop: 0, 3 and 5.
        func thirds(_ code: UInt32) -> Int { Int(code / 8 * 3) + ([0: 0, 3: 1, 5: 2][code % 8] ?? 0) }
        let place = thirds(code) - thirds(first)
        return place < scale.count ? scale[place] : nil
    }

    private static let fNumberTenths: [UInt32] = [
        18, 20, 22, 25, 28, 32, 35, 40, 45, 50, 56, 63, 71, 80, 90, 100, 110, 130, 140, 160, 180, 200, 220,
    ]
    private static let isoSpeeds: [UInt32] = [
        100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000,
        6400, 8000, 10_000, 12_800, 16_000, 20_000, 25_600,
    ]
    /// 30 s to 0.3 s.
    private static let secondTenths: [UInt32] = [
        300, 250, 200, 150, 130, 100, 80, 60, 50, 40, 32, 25, 20, 16, 13, 10, 8, 6, 5, 4, 3,
    ]
    /// 1/4 s to 1/8000 s.
    private static let secondParts: [UInt32] = [
        4, 5, 6, 8, 10, 13, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800,
        1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6400, 8000,
    ]
}
