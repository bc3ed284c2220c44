import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of a movie of about 4 GiB or more, with each transfer method of the driver.
@Suite(.serialized, .programs(4)) struct LargeMovieTests {
    private static let asked = ProcessInfo.processInfo.environment["FRAMEFAST_LARGE_MOVIE"]
    /// The largest permitted growth of a worker's memory during the transfer, in bytes.
    private static let growthMax: UInt64 = 30 << 20
    /// The maximum time for a transfer, in seconds. On the virtual USB bus, a transfer of the whole
    /// object takes hours.
    private static let secondsMax = 4 * 3600.0

    struct TransferMethod: CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        /// The vendor and product number on the USB bed, or `nil` for a network camera.
        var usb: String?
        /// The size of the movie, in bytes. The default size does not fit into 32 bits and is not a multiple
        /// of a chunk size.
        var bytes: UInt64 = 5 << 30 + 12_345
    }

    /// The transfer methods that use chunks. The product numbers are those of a Leica M9 and a D750.
    ///
    /// The driver requests MTP's 64-bit size only from a camera with a known product number
    /// (`DEVICE_FLAG_BROKEN_MTPGETOBJPROPLIST`), and never over the network. Over the network, only a Nikon
    /// can transfer a movie whose size does not fit into 32 bits. `LargeObjectTests` checks that the worker
    /// refuses such a movie of other cameras.
    static let pieces = [
        TransferMethod(
            testDescription: "PTP's chunks, a movie of the largest size", arguments: [],
            bytes: 0xFFFF_FFFE),
        TransferMethod(testDescription: "MTP's chunks over USB", arguments: ["--wide"], usb: "1a98:0002"),
        TransferMethod(
            testDescription: "Nikon's chunks on the network", arguments: ["--maker", "nikon", "--wide"]),
        TransferMethod(
            testDescription: "Nikon's chunks over USB", arguments: ["--maker", "nikon", "--wide"],
            usb: "04b0:0437"),
    ]
    /// The methods that transfer the whole object: those of a camera that is detected by its USB class, and
    /// of an EOS 80D. If the size is unknown, the driver reads 512 bytes at a time (`usb.c`,
    /// `PTP_USB_BULK_HS_MAX_PACKET_LEN_READ`). The virtual bus serves about 1,600 such reads a second.
    static let whole = [
        TransferMethod(
            testDescription: "the whole object over USB, size unknown", arguments: [], usb: "1209:0001"),
        TransferMethod(
            testDescription: "the whole object over USB, EOS", arguments: ["--maker", "canon"],
            usb: "04a9:3294"),
    ]

    @Test(
        .enabled(if: asked == "1", "nightly: takes 5 GiB of disk and minutes; FRAMEFAST_LARGE_MOVIE=1"),
        arguments: pieces)
    func `saves a large movie in chunks with little memory`(method: TransferMethod) async throws {
        try await checkTransfer(method)
    }

    @Test(
        .enabled(if: asked == "whole", "nightly: takes hours; FRAMEFAST_LARGE_MOVIE=whole"), arguments: whole)
    func `saves a large movie as a whole with little memory`(method: TransferMethod) async throws {
        try await checkTransfer(method)
    }

    private func checkTransfer(_ method: TransferMethod) async throws {
        let movie = try SparseMovie(bytes: method.bytes)
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder, ["--photos", movie.folder.url.path, "--card-size", "64GB"] + method.arguments)
        let bed: USBBed?
        if let usb = method.usb {
            bed = try await USBBed(folder, camera: camera, identity: usb)
        } else {
            bed = nil
        }
        let rig = try DaemonRig(
            cameras: [("studio", bed == nil ? camera.address : "usb:")],
            environment: bed.map { ["FRAMEFAST_CAMERA_PROGRAM": $0.cameraProgram] } ?? [:])
        try bed?.plug()
        try await rig.start(wrapper: bed?.wrapper ?? [])
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let worker = try #require(rig.program?.children.first)
        let idle = try RunningProgram.peakBytes(of: worker)

        let began = ContinuousClock.now
        try camera.command("shoot")
        try await rig.waitUntilSaved(1, within: Self.secondsMax)
        let seconds = began.duration(to: .now) / .seconds(1)
        let largest = try RunningProgram.peakBytes(of: worker)
        print(
            "LargeMovieTests: \(method.testDescription): \(Int(seconds)) s, "
                + "\(idle >> 20) → \(largest >> 20) MiB")
        #expect(largest - idle <= Self.growthMax)

        let settled = try await rig.waitUntil("one record, and no transfer left", within: 60) {
            try $0.records.count == 1 && $0.isSettled
        }
        let record = try #require(try settled.records.first)
        let truth = try movie.sha256()
        #expect(
            record.state == .saved && record.size == method.bytes && record.sha256 == truth,
            "[loss] wrong record of the movie")
        let path = try #require(record.path)
        #expect(try SparseMovie.sha256(ofFile: path) == truth, "[loss] wrong bytes of the movie on disk")
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
        try await rig.stop()
    }
}
