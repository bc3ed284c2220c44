import CGPhoto2
import SystemIO
import Testing

@testable import GPhoto2

/// Tests of the driver's summary, which describes a camera's functions if the packets are not visible.
@Suite struct DriverSummaryTests {
    /// Returns the relevant lines of a simulated camera's summary, as in libgphoto2 2.5.30.
    private static func summary(_ vendor: String?, _ capture: String) -> String {
        """
        Manufacturer: Maker
        Model: Model
        \(vendor.map { "Vendor Extension ID: 0x\($0) (1.0)\nVendor Extension Description: V\n" } ?? "")
        Device Capabilities:
        \tFile Download, File Deletion, No File Upload
        \t\(capture)

        Storage Devices Summary:
        """
    }

    @Test(
        arguments: [
            ("b", "No Image Capture, No Open Capture, Canon EOS Capture 2", 0xb, false, false, true),
            (
                "a", "Generic Image Capture, No Open Capture, Nikon Capture 1, Nikon Capture 2", 0xa, true,
                false, true
            ),
            ("11", "No Image Capture, No Open Capture, Sony Capture", 0x11, false, true, true),
            (
                "e", "Generic Image Capture, Open Capture, No vendor specific capture", 0xe, true, false,
                true
            ),
            (
                nil, "No Image Capture, No Open Capture, No vendor specific capture", nil, false, false,
                false
            ),
        ] as [(String?, String, UInt32?, Bool, Bool, Bool)])
    func `reads vendor extension and shutter operations from a summary`(
        vendor: String?, capture: String, number: UInt32?, isGeneric: Bool, isSony: Bool, canTrigger: Bool
    ) {
        let summary = DriverSummary(Self.summary(vendor, capture))
        #expect(summary.vendorExtension == number)
        #expect(summary.hasGenericCapture == isGeneric && summary.hasSonyCapture == isSony)
        #expect(summary.canTrigger == canTrigger)
    }

    @Test(arguments: ["", "Vendor Extension ID: 0x", "Manufacturer: Maker\nWhat it can do: much"])
    func `summary without known lines leaves capture unknown and allows the trigger`(text: String) {
        let summary = DriverSummary(text)
        #expect(summary.vendorExtension == nil)
        #expect(summary.hasGenericCapture == nil && summary.hasSonyCapture == nil)
        #expect(summary.canTrigger)
    }

    @Test(
        arguments: [
            (0, 0.8, 0.1, true, true), (0, 30, 0.1, true, true), (0, 90, 0.1, true, true),
            (0, 30, 2.5, true, false), (0, 30, 2.5, false, true), (0, 30, 20, false, false),
            (0, 30, nil, true, true), (0, 61, nil, true, false), (0, 61, nil, false, false),
            (-1, 0.1, 0.1, true, false), (-10, 0.1, nil, false, false),
        ] as [(Int32, Double, Double?, Bool, Bool)])
    func `treats responses as missing after a failed summary or a long gap`(
        status: Int32, seconds: Double, gap: Double?, isNetwork: Bool, isInStep: Bool
    ) {
        #expect(
            DriverSummary.isInStep(
                status: status, nanoseconds: UInt64(seconds * 1_000_000_000),
                longestGap: gap.map { UInt64($0 * 1_000_000_000) }, isNetwork: isNetwork) == isInStep)
    }

    @Test func `counts packets and gaps only between begin and end`() {
        var packets: UInt64 = 0
        framefast_end_gap()
        framefast_begin_gaps()
        framefast_end_gap()
        framefast_end_gap()
        _ = framefast_end_gaps(&packets)
        #expect(packets == 2)
        framefast_end_gap()
        framefast_begin_gaps()
        let start = SystemTime.monotonicNs
        while SystemTime.monotonicNs - start < 1_000_000 {}
        let end = SystemTime.monotonicNs
        let gap = framefast_end_gaps(&packets)
        #expect(packets == 0 && gap >= end - start)
    }

    @Test func `a disabled packet tap records only the time of the last packet`() {
        let tap = PacketTap()
        tap.recordReceivedData()
        #expect(!tap.isOff && !tap.isGuarding && tap.lastPacketNanoseconds == nil)
        #expect(tap.silentMs == 0)
        tap.turnOff()
        #expect(tap.isOff && tap.lastPacketNanoseconds == nil)
        tap.recordReceivedData()
        #expect(tap.lastPacketNanoseconds != nil)
        tap.startSession(quarantined: [])
        #expect(!tap.isOff)
    }
}
