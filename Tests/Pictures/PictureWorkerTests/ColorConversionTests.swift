import Foundation
import Testing

@testable import PictureWorker

@Suite struct ColorConversionTests {
    /// Computes sRGB from Adobe RGB (1998) with the formulas of both specifications, without lcms2.
    private static func truth(_ color: [UInt8]) -> [Double] {
        let linear = color.map { pow(Double($0) / 255, 2.199_218_75) }
        // Adobe RGB to XYZ, then XYZ to sRGB, both for D65.
        let toXYZ = [
            [0.576_67, 0.185_56, 0.188_23], [0.297_34, 0.627_36, 0.075_29], [0.027_03, 0.070_69, 0.991_34],
        ]
        let fromXYZ = [
            [3.240_454, -1.537_139, -0.498_531], [-0.969_266, 1.876_011, 0.041_556],
            [0.055_643, -0.204_026, 1.057_225],
        ]
        let standard = multiply(fromXYZ, multiply(toXYZ, linear))
        return standard.map { value in
            let clamped = min(max(value, 0), 1)
            return 255
                * (clamped <= 0.003_130_8 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055)
        }
    }

    private static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).map { $0 * $1 }.reduce(0, +) }
    }

    /// Returns the CIE 1976 color difference of two colors in sRGB.
    private static func difference(_ first: [Double], _ second: [Double]) -> Double {
        let (one, other) = (lab(first), lab(second))
        return zip(one, other).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
    }

    private static func lab(_ color: [Double]) -> [Double] {
        let linear = color.map { level in
            let value = level / 255
            return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let toXYZ = [
            [0.412_456, 0.357_576, 0.180_438], [0.212_673, 0.715_152, 0.072_175],
            [0.019_334, 0.119_192, 0.950_304],
        ]
        let white = [0.950_47, 1, 1.088_83]
        let scaled = zip(multiply(toXYZ, linear), white).map { value, white in
            let part = value / white
            return part > 0.008_856 ? cbrt(part) : 7.787 * part + 16 / 116
        }
        return [
            116 * scaled[1] - 16, 500 * (scaled[0] - scaled[1]), 200 * (scaled[1] - scaled[2]),
        ]
    }

    static let colors: [[UInt8]] = [
        [219, 0, 0], [200, 30, 40], [180, 60, 50], [90, 140, 90], [128, 128, 128], [60, 70, 150],
        [255, 255, 255], [0, 0, 0],
    ]

    @Test(arguments: colors)
    func `converts Adobe RGB to the sRGB color of the specifications`(color: [UInt8]) throws {
        var picture = Picture(width: 1, height: 1, bytes: color)
        try #require(ColorConversion.adobeRGB()).convert(&picture)
        let distance = Self.difference(picture.bytes.map(Double.init), Self.truth(color))
        #expect(distance < 3, "\(color) became \(picture.bytes), instead of \(Self.truth(color))")
    }

    @Test func `an unconverted saturated red is far from its sRGB color`() {
        let red: [UInt8] = [200, 30, 40]
        #expect(Self.difference(red.map(Double.init), Self.truth(red)) > 8)
    }

    @Test func `an ICC profile gives the same colors as the built-in color space`() throws {
        let bytes = Self.colors.flatMap(\.self)
        var built = Picture(width: Self.colors.count, height: 1, bytes: bytes)
        var embedded = built
        try #require(ColorConversion.adobeRGB()).convert(&built)
        let profile = ColorConversion.adobeRGBProfile
        #expect(profile.count > 128)
        try #require(ColorConversion(profile: profile)).convert(&embedded)
        #expect(embedded.bytes != bytes)
        #expect(zip(built.bytes, embedded.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func `rejects truncated profiles and profiles for gray pictures`() {
        let profile = ColorConversion.adobeRGBProfile
        for count in stride(from: 0, to: profile.count - 100, by: 7) {
            #expect(ColorConversion(profile: Array(profile.prefix(count))) == nil)
        }
        var gray = profile
        // The color space of the data is at byte 16.
        gray.replaceSubrange(16..<20, with: "GRAY".utf8)
        #expect(ColorConversion(profile: gray) == nil)
    }
}
