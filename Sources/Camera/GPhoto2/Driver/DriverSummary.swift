import CGPhoto2

/// The driver's summary of a camera (camera_summary in camlibs/ptp2/library.c, locale C). It shows the
/// camera's functions if the tap does not see DeviceInfo.
struct DriverSummary: Hashable, Sendable {
    /// The number of the vendor extension; `nil` if the summary has none.
    let vendorExtension: UInt32?
    /// The line about shutter operations; `nil` if the summary has none.
    private let capture: Substring?

    /// Parses a summary.
    init(_ text: String) {
        let lines = text.split(separator: "\n")
        let start = "Vendor Extension ID: 0x"
        vendorExtension = lines.first { $0.hasPrefix(start) }.flatMap { line in
            UInt32(line.dropFirst(start.count).prefix { $0.isHexDigit }, radix: 16)
        }
        capture = lines.first { $0.contains("Image Capture, ") }
    }

    /// Whether the camera offers the standard's shutter operation; `nil` if the summary does not say.
    var hasGenericCapture: Bool? { capture?.contains("Generic Image Capture") }
    /// Whether the camera offers Sony's shutter button; `nil` if the summary does not say.
    var hasSonyCapture: Bool? { capture?.contains("Sony Capture") }
    /// Whether the computer can release the shutter, according to the summary. If this is wrong, the driver
    /// refuses the release.
    var canTrigger: Bool {
        guard let capture else { return true }
        return capture.contains("Generic Image Capture") || !capture.contains("No vendor specific capture")
    }

    /// The buffer size for a summary, in bytes. It is far larger than the driver's 32 KiB: up to 2.5.34 the
    /// driver writes beyond the end if a camera describes many properties.
    private static let bytesMax = 1_024 * 1_024

    /// Reads the summary from the driver, which reads each property of the camera for it.
    ///
    /// - Returns: The summary, incomplete if the driver failed; and whether every answer is known to have
    ///   arrived (``isInStep(status:nanoseconds:longestGap:isNetwork:)``).
    static func read(
        of camera: UnsafeMutablePointer<Camera>, isNetwork: Bool, _ context: DriverContext,
        _ activity: DriverActivity
    ) -> (summary: DriverSummary, isInStep: Bool) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesMax, alignment: 16)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        activity.start(.summary)
        defer { activity.finish() }
        context.clearMessages()
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

    /// Returns the shortest time after which the driver gives up on an answer, in nanoseconds. It is slightly
    /// less than the driver's time limits of 2.5 s over PTP/IP (ptpip.c) and 20 s over USB
    /// (USB_NORMAL_TIMEOUT in ptp2/library.c).
    private static func answerMax(isNetwork: Bool) -> UInt64 {
        isNetwork ? 2_400_000_000 : 19_900_000_000
    }

    /// The time limit for a summary whose packets are not visible, in nanoseconds. The driver requests 100 to
    /// 300 properties. Over Wi-Fi each takes about 20 ms, so all of them often take longer than the limit for
    /// one answer.
    private static let summaryMax: UInt64 = 60_000_000_000

    /// Returns whether all answers have arrived after the summary. The driver skips a property whose answer
    /// times out, and reports success. The late answer would then be used for a later request, perhaps for a
    /// part of a photo.
    ///
    /// - Parameters:
    ///   - status: The driver's status.
    ///   - nanoseconds: The duration of the call.
    ///   - longestGap: The longest time without a packet during the call, in nanoseconds; `nil` if packets
    ///     are not visible.
    ///   - isNetwork: Whether the camera is connected over PTP/IP.
    ///   - isNetwork: Whether the camera is connected over PTP/IP.
    static func isInStep(
        status: Int32, nanoseconds: UInt64, longestGap: UInt64?, isNetwork: Bool
    ) -> Bool {
        guard status >= GP_OK else { return false }
        guard let longestGap else { return nanoseconds < summaryMax }
        return longestGap < answerMax(isNetwork: isNetwork)
    }
}
