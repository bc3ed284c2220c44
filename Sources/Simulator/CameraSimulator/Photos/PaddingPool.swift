import Glibc

/// A pool of JPEG application segments that contain noise. All photos share one pool. Consecutive photos use
/// different parts of the pool.
///
/// A photo of 8 or 60 megabytes has a few kilobytes of unique data. The rest is a sequence of these segments
/// in shared memory, which the simulator does not generate or copy for each photo.
final class PaddingPool: Sendable {
    /// The size of a segment, in bytes: marker (2), length field (2) and payload.
    static let segmentBytes = 65_536
    private static let spareSegments = 61

    private let memory: SharedBytes
    private let segments: Int

    /// - Parameter photoBytes: The size of the largest photo, in bytes.
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
                // Each segment uses a different part of the noise, so no two segments are equal.
                let shift = index * 4093 % Self.noiseStretch
                noise.withUnsafeBytes { source in
                    guard let from = source.baseAddress else { return }
                    buffer.baseAddress?.advanced(by: start + 4)
                        .copyMemory(from: from.advanced(by: shift), byteCount: payload)
                }
            }
        }
    }

    /// Returns `count` whole segments for a shot.
    func stretch(segments count: Int, shot: Int) -> ByteRope {
        let first = shot &* 7 % max(1, segments - count)
        var rope = ByteRope()
        rope.append(memory, first * Self.segmentBytes..<(first + count) * Self.segmentBytes)
        return rope
    }

    /// Returns `count` bytes of noise for a shot, without regard to segments, for RAW image data.
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
