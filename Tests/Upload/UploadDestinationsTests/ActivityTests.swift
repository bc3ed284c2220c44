import CCurl
import Crypto
import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests that uploads report activity even while they send no bytes. Without these reports, the runner would
/// stop an upload as stalled.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ActivityTests {
    private let count = ActivityCount()

    @Test func `reports each sent and received chunk of a curl transfer`() async {
        let sent = Mutex<[UInt64]>([])
        var put = CurlRequest(action: .http(method: "PUT"), url: "http://nas/a.jpg")
        put.body = UploadBody([.bytes([UInt8](repeating: 1, count: 100_000))])
        put.progress = { bytes in sent.withLock { $0.append(bytes) } }
        let transfer = CurlTransfer(id: 1, request: put, activity: count.activity)
        for bytes: UInt64 in [0, 2_000, 2_000, 4_000, 100_000] { #expect(transfer.progress(sent: bytes)) }
        #expect(count.reports == 0)
        let line = Array("HTTP/1.1 200 OK\r\n".utf8)
        #expect(line.withUnsafeBytes { transfer.header($0) })
        #expect(line.withUnsafeBytes { transfer.write($0) })
        transfer.finish(.failure(.cancelled))
        #expect(transfer.isOver)
        #expect(sent.withLock { $0 } == [2_000, 4_000, 100_000])
        #expect(count.reports == 2)
    }

    @Test func `reports activity for each SFTP reply`() async throws {
        for number in 1...3 {
            let pending = SFTPPending()
            pending.resolve(.success(.handle([1])))
            let handle = try await count.during { try await pending.handle() }
            #expect(handle == [1] && count.reports == number)
        }
    }

    /// The file is larger than the part that a thread hashes before it switches to another photo.
    @Test func `reports activity while hashing a photo and returns correct hashes`() async throws {
        let scratch = try ScratchFolder()
        var data = Data(count: (64 << 20) + 5)
        data[1] = 1
        data[data.count - 1] = 2
        let path = scratch.path("movie.mov")
        try data.write(to: URL(filePath: path))
        let item = UploadItem(
            jobID: 1, localPath: path, bytes: UInt64(data.count), sha256: "", station: "k7f2q9wd",
            remoteName: "movie.mov")
        let file = try PhotoFile(item)
        #expect(try await count.during { try await file.md5() } == Array(Insecure.MD5.hash(data: data)))
        #expect(count.reports > 200)
        let part = UInt64(data.count - 3)
        #expect(
            try await file.sha256(count: part) == Hex.text(SHA256.hash(data: data.prefix(Int(part)))),
            "[loss] wrong checksum of a file's beginning")
        #expect(try await file.md5(at: 1, count: 4) == Array(Insecure.MD5.hash(data: data[1..<5])))
        #expect(try await file.md5(count: 0) == Array(Insecure.MD5.hash(data: Data())))
    }

    @Test(arguments: [(0, 120), (10_000_000, 122), (8_000_000_000, 1720)] as [(UInt64, Int)])
    func `scales the checksum time limit with the file size`(bytes: UInt64, seconds: Int) {
        #expect(ChecksumTime.limit(bytes: bytes) == .seconds(seconds))
    }

    /// A server or a proxy may copy the complete body before it responds.
    @Test(
        arguments: [
            (0, 30), (4_999_999, 30), (5_000_000, 31), (2_000_000_000, 430), (UInt64.max, 510),
        ] as [(UInt64, Int)])
    func `extends the stall limit for a response with the size of the body`(bytes: UInt64, seconds: Int) {
        #expect(ConnectionSettings().responseSeconds(afterBytes: bytes) == seconds)
    }

    @Test func `extends the stall limit of a curl transfer after the last byte`() {
        var put = CurlRequest(action: .http(method: "PUT"), url: "http://nas/a.mov")
        put.body = UploadBody([.bytes([UInt8](repeating: 1, count: 20_000_000))])
        let transfer = CurlTransfer(id: 1, request: put, activity: count.activity)
        var buffer = [UInt8](repeating: 0, count: 19_999_999)
        func read() -> Int { buffer.withUnsafeMutableBytes { transfer.read(into: $0) } }
        #expect(read() == 19_999_999)
        #expect(transfer.stallSeconds == 30)
        #expect(read() == 1)
        #expect(transfer.stallSeconds == 34)
        // libcurl sends the body again, for example after a reused connection broke.
        #expect(transfer.seek(to: 0, origin: SEEK_SET) == CURL_SEEKFUNC_OK)
        #expect(transfer.stallSeconds == 30)
    }

    @Test func `reports activity while reading back a copy in a folder`() async throws {
        let scratch = try ScratchFolder()
        let destination = DirectoryDestination(
            name: "nas", folder: scratch.path("share"), stateDirectory: scratch.path("state"))
        let photo = try TestPhotos.one(bytes: 3 << 20, in: scratch)
        for alreadyExisted in [false, true] {
            let before = count.reports
            let receipt = try await count.during { try await destination.upload(photo) }
            #expect(receipt.alreadyExisted == alreadyExisted)
            #expect(count.reports >= before + 3)
        }
    }
}

/// A counter of activity reports.
private final class ActivityCount: Sendable {
    private let value = Atomic(0)

    var reports: Int { value.load(ordering: .relaxed) }

    var activity: UploadActivity { UploadActivity { _ = self.value.add(1, ordering: .relaxed) } }

    /// Counts the reports while `work` runs.
    func during<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await UploadActivity.$current.withValue(activity) { try await work() }
    }
}
