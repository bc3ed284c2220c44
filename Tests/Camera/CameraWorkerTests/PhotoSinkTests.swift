import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of the transfer of a photo from the driver to its file.
@Suite struct PhotoSinkTests {
    private let scratch: ScratchFolder
    private let daemon: FileDescriptor
    private let sink: PhotoSink

    init() throws {
        scratch = try ScratchFolder()
        let (ours, theirs) = try SocketPair.make()
        daemon = ours
        sink = PhotoSink(daemon: DaemonLink(descriptor: theirs.rawValue))
    }

    @Test(arguments: [
        (ENOSPC, WorkerFailure.Kind.diskFull), (EDQUOT, .diskFull), (EFBIG, .fileTooLarge), (EIO, .hostIO),
    ])
    func `maps errors of the part file to failure kinds`(number: Int32, kind: WorkerFailure.Kind) {
        #expect(WorkerFailure(errno: number, doing: "write").kind == kind)
    }

    private func photo(_ id: UInt64) throws -> IncomingPhoto {
        try IncomingPhoto(
            id: id,
            FetchRequest(
                folder: "/", name: "A.JPG", announcedSize: 0, partPath: scratch.path("\(id).part")))
    }

    /// Returns the next event except progress.
    private func reply() throws -> WorkerEvent {
        func read(_ count: Int) throws -> Data {
            var bytes = Data()
            var rest = [UInt8](repeating: 0, count: count)
            while bytes.count < count {
                let got = try rest.withUnsafeMutableBytes {
                    try daemon.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: $0[..<(count - bytes.count)]))
                }
                try #require(got > 0)
                bytes.append(contentsOf: rest[..<got])
            }
            return bytes
        }
        while true {
            let length = try WorkerMessage.bodyLength(prefix: try read(WorkerMessage.prefixBytes))
            let event = try WorkerMessage.decodeEvent(from: try read(length))
            if case .progress = event { continue }
            return event
        }
    }

    /// Writes bytes in chunks of a given size, as fast as the sink accepts them.
    private func deliver(_ bytes: [UInt8], to photo: IncomingPhoto, chunks: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let buffer = sink.buffer(for: chunks)
            let chunk = rest.prefix(buffer.count)
            buffer.copyBytes(from: chunk)
            _ = sink.write(
                photo, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<chunk.count]))
            rest = rest.dropFirst(chunk.count)
        }
        sink.finish(photo, transferMs: 1, failure: nil)
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](RandomBytes.data(count, seed: 1)) }

    private func sha256(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    @Test(arguments: [(0, 100), (1, 100), (200_000, 1 << 20), (3_000_000, 100_000), (9_000_000, 1 << 20)])
    func `returns the hash of the bytes in the file`(count: Int, chunks: Int) throws {
        let (photo, bytes) = (try photo(1), bytes(count))
        deliver(bytes, to: photo, chunks: chunks)
        guard case .fetched(1, let result) = try reply() else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(result.bytes == count && result.sha256 == sha256(bytes), "[loss] wrong photo content")
        #expect(
            FileManager.default.contents(atPath: photo.path).map(Array.init) == bytes,
            "[loss] wrong content of the part file")
        sink.drain()
    }

    @Test func `hashes small photos on the writing thread regardless of their arrival rate`() throws {
        let all = try (1...50).map { try photo($0) }
        for photo in all { deliver(bytes(PhotoSink.hashedAtOnceBytes), to: photo, chunks: 1 << 20) }
        for photo in all {
            guard case .fetched(photo.id, _) = try reply() else {
                Issue.record("the photos were not fetched in order")
                return
            }
        }
        #expect(all.map(\.isHashedInBackground) == all.map { _ in false })
    }

    @Test func `deletes the part file of a failed photo and reports the reason`() throws {
        let photo = try photo(1)
        let buffer = sink.buffer(for: 4)
        _ = sink.write(photo, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<4]))
        let failure = WorkerFailure(kind: .corrupt, during: "fetch", text: "short")
        sink.finish(photo, transferMs: 1, failure: failure)
        #expect(try reply() == .failed(id: 1, failure))
        #expect(!FileManager.default.fileExists(atPath: photo.path))
    }

    @Test func `the background hasher continues after the bytes that are already hashed`() throws {
        let (photo, bytes) = (try photo(1), bytes(700_000))
        let hasher = BackgroundHasher(daemon: sink.daemon)
        let file = FileDescriptor(rawValue: photo.descriptor)
        try file.writeAll(bytes[..<300_000])
        photo.written = 300_000
        bytes.withUnsafeBytes { photo.addToHash(UnsafeRawBufferPointer(rebasing: $0[..<1_000])) }
        hasher.enqueue(photo)
        try file.writeAll(bytes[300_000...])
        hasher.recordWritten(photo, 700_000)
        hasher.finish(photo, transferMs: 1, nil)
        guard case .fetched(1, let result) = try reply() else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(result.bytes == 700_000 && result.sha256 == sha256(bytes), "[loss] wrong photo content")
        hasher.drain()
    }
}
