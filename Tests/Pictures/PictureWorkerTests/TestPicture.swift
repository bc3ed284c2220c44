import CJPEG
import Foundation
import Glibc
import PictureProtocol
import SystemIO
import TestRig
import Testing

@testable import PictureWorker

/// Pictures of large one-color blocks, whose colors hardly change in a JPEG.
enum TestPicture {
    /// Returns a picture in which each block of 16 × 16 pixels has one color.
    static func blocks(_ columns: Int, _ rows: Int, color: (_ column: Int, _ row: Int) -> [UInt8]) -> Picture
    {
        let (width, height) = (columns * 16, rows * 16)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width { bytes += color(x / 16, y / 16) }
        }
        return Picture(width: width, height: height, bytes: bytes)
    }

    /// Returns a JPEG of one color.
    static func jpeg(_ width: Int, _ height: Int, color: [UInt8]) throws -> [UInt8] {
        let bytes = (0..<(width * height)).flatMap { _ in color }
        return try #require(Picture(width: width, height: height, bytes: bytes).jpeg(quality: 95))
    }

    /// Decodes a JPEG at its full size.
    static func decode(_ jpeg: [UInt8]) throws -> Picture {
        try Picture(
            jpeg: jpeg, forBox: PictureLimits.sideMax,
            latestProcessorTime: framefast_processor_time() + 60_000_000_000)
    }

    /// Returns the markers of a JPEG before its image data.
    static func markers(_ jpeg: [UInt8]) -> [UInt8] {
        var markers: [UInt8] = []
        var place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF {
            markers.append(jpeg[place + 1])
            if jpeg[place + 1] == 0xDA { break }
            place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
        }
        return markers
    }
}

extension Picture {
    /// Returns the color of a pixel.
    func color(_ x: Int, _ y: Int) -> [UInt8] {
        let place = (y * width + x) * 3
        return Array(bytes[place..<(place + 3)])
    }
}

/// A folder for the photo files and result files of a test, with their open descriptors.
final class DescriptorFolder: Sendable {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The descriptors of one request.
    struct Files {
        var photo: Int32
        var result: Int32
        var resultPath: String

        /// The content of the result's file.
        func content() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: resultPath))) }

        func closeAll() {
            close(photo)
            close(result)
        }
    }

    /// Writes a photo, and opens the photo and an empty file for the result.
    func open(_ photo: [UInt8]) throws -> Files {
        let name = UUID().uuidString
        let photoPath = folder.path("\(name).photo")
        try Data(photo).write(to: URL(filePath: photoPath))
        let resultPath = folder.path("\(name).part")
        let input = try IO.retrying { Glibc.open(photoPath, O_RDONLY | O_CLOEXEC) }
        let output = try IO.retrying {
            Glibc.open(resultPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        return Files(photo: input, result: output, resultPath: resultPath)
    }
}
