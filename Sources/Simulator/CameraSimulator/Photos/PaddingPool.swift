import Glibc

/// JPEG application segments full of noise, made once and shared by all photos: each photo takes another stretch.
///
/// This is how a photo gets its 8 or 60 megabytes without being written or copied: a few own kilobytes in front,
/// then a run of these segments straight from shared memory.
final class PaddingPool: Sendable {
    /// Bytes of one segment: marker (2) + length field (2) + payload.
    static let segmentBytes = 65_536
    private static let spareSegments = 61

    private let memory: SharedBytes
    private let segments: Int

    /// - Parameter photoBytes: largest photo that will be asked for.
    init(photoBytes: Int, seed: UInt64) {
        segments = photoBytes / Self.segmentBytes + 1 + Self.spareSegments
        let noise = Self.noise(seed: seed)
        let segmentCount = segments
        memory = SharedBytes(count: segmentCount * Self.segmentBytes) { buffer in
            for index in 0..<segmentCount {
                let start = index * Self.segmentBytes
                let payload = Self.segmentBytes - 4
                let header = BlockJPEG.segmentHeader(BlockJPEG.padding, payload: payload)
                buffer.baseAddress?.advanced(by: start).copyMemory(from: header, byteCount: 4)
                // Another stretch of the noise in each segment, so that no two are alike.
                let shift = index * 4093 % Self.noiseStretch
                noise.withUnsafeBytes { source in
                    guard let from = source.baseAddress else { return }
                    buffer.baseAddress?.advanced(by: start + 4)
                        .copyMemory(from: from.advanced(by: shift), byteCount: payload)
                }
            }
        }
    }

    /// `count` whole segments for the given shot.
    func stretch(segments count: Int, shot: Int) -> ByteRope {
        let first = shot &* 7 % max(1, segments - count)
        var rope = ByteRope()
        rope.append(memory, first * Self.segmentBytes..<(first + count) * Self.segmentBytes)
        return rope
    }

    /// `count` bytes of noise for the given shot, where no segment structure is wanted (RAW image data).
    func noise(bytes count: Int, shot: Int) -> ByteRope {
        let first = shot &* 7 % max(1, segments - count / Self.segmentBytes - 1)
        var rope = ByteRope()
        rope.append(memory, first * Self.segmentBytes..<first * Self.segmentBytes + count)
        return rope
    }

    private static let noiseStretch = 1 << 19

    private static func noise(seed: UInt64) -> [UInt64] {
        var state = seed << 1 | 1
        return (0..<(noiseStretch + segmentBytes) / 8).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
