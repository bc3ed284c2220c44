import CGPhoto2

/// The driver's summary of a camera, which tells what it offers where the tap does not see DeviceInfo (camera_summary in
/// camlibs/ptp2/library.c, locale C).
struct DriverSummary: Hashable, Sendable {
    /// The number of the vendor extension; `nil` if the summary has none.
    let vendorExtension: UInt32?
    /// The line about releasing the shutter; `nil` if the summary has none.
    private let capture: Substring?

    /// Reads a summary.
    init(_ text: String) {
        let lines = text.split(separator: "\n")
        let start = "Vendor Extension ID: 0x"
        vendorExtension = lines.first { $0.hasPrefix(start) }.flatMap { line in
            UInt32(line.dropFirst(start.count).prefix { $0.isHexDigit }, radix: 16)
        }
        capture = lines.first { $0.contains("Image Capture, ") }
    }

    /// Whether the standard's own shutter operation is offered; `nil` if the summary does not tell.
    var hasGenericCapture: Bool? { capture?.contains("Generic Image Capture") }
    /// Whether Sony's release button is offered; `nil` if the summary does not tell.
    var hasSonyCapture: Bool? { capture?.contains("Sony Capture") }
    /// Whether the shutter can be released from here, as far as the summary tells: the driver refuses the rest.
    var canTrigger: Bool {
        guard let capture else { return true }
        return capture.contains("Generic Image Capture") || !capture.contains("No vendor specific capture")
    }

    /// Bytes that a summary may take, far more than the 32 KiB that the driver has for it: up to 2.5.34 it writes beyond the
    /// end when a camera describes many properties.
    private static let bytesMax = 1_024 * 1_024

    /// Asks the driver, which reads each property of the camera for that.
    ///
    /// - Returns: What it said before it failed, if it did; and whether each answer is known to have come
    ///   (``isInStep(status:nanoseconds:longestGap:isNetwork:)``).
    static func read(
        of camera: UnsafeMutablePointer<Camera>, isNetwork: Bool, _ context: DriverContext,
        _ activity: DriverActivity
    ) -> (summary: DriverSummary, isInStep: Bool) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesMax, alignment: 16)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        activity.begin(.summary)
        defer { activity.end() }
        context.begin()
        let text = bytes.baseAddress?.bindMemory(to: CameraText.self, capacity: 1)
        let start = monotonicNanoseconds()
        framefast_begin_gaps()
        let status = gp_camera_get_summary(camera, text, context.raw)
        var packets: UInt64 = 0
        let gap = framefast_end_gaps(&packets)
        let nanoseconds = monotonicNanoseconds() - start
        return (
            DriverSummary(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)),
            isInStep(
                status: status, nanoseconds: nanoseconds, longestGap: packets > 0 ? gap : nil,
                isNetwork: isNetwork)
        )
    }

    /// The shortest time in which the driver gives up an answer, in nanoseconds: a little less than its time limits of 2.5 s over
    /// PTP/IP (ptpip.c) and 20 s over USB (USB_NORMAL_TIMEOUT in ptp2/library.c).
    private static func answerMax(isNetwork: Bool) -> UInt64 {
        isNetwork ? 2_400_000_000 : 19_900_000_000
    }

    /// How long a summary may take where the packets in it are not noticed, in nanoseconds. It asks for 100 to 300 properties: over
    /// Wi-Fi each takes some 20 ms, and all of them together often longer than one answer may take.
    private static let summaryMax: UInt64 = 60_000_000_000

    /// Whether no answer can be outstanding after the summary. The driver passes over a property whose answer times out, and
    /// reports success: the late answer would be taken for that of a later request, perhaps for a part of a photo.
    ///
    /// - Parameters:
    ///   - status: The driver's status.
    ///   - nanoseconds: How long the call took.
    ///   - longestGap: The longest time without a packet in the call, in nanoseconds; `nil` if packets are not noticed.
    ///   - isNetwork: Whether the camera is connected over PTP/IP.
    static func isInStep(
        status: Int32, nanoseconds: UInt64, longestGap: UInt64?, isNetwork: Bool
    ) -> Bool {
        guard status >= GP_OK else { return false }
        guard let longestGap else { return nanoseconds < summaryMax }
        return longestGap < answerMax(isNetwork: isNetwork)
    }
}
