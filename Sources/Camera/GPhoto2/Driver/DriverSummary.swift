import CGPhoto2
import SystemIO

/// The driver's summary of a camera (camera_summary in camlibs/ptp2/library.c, locale C). If the packet
/// tap does not see DeviceInfo, the summary is the source for the camera's functions.
struct DriverSummary: Hashable, Sendable {
    /// The vendor extension id, or `nil` if the summary does not contain it.
    let vendorExtension: UInt32?
    /// The line about capture operations, or `nil` if the summary does not contain it.
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

    /// Whether the camera supports the PTP standard's capture operation, or `nil` if the summary does not
    /// contain the line.
    var hasGenericCapture: Bool? { capture?.contains("Generic Image Capture") }
    /// Whether the camera supports Sony's remote release, or `nil` if the summary does not contain the line.
    var hasSonyCapture: Bool? { capture?.contains("Sony Capture") }
    /// Whether the computer can release the shutter, according to the summary. `true` if the summary does not
    /// contain the line. If the value is wrong, the driver refuses the release.
    var canTrigger: Bool {
        guard let capture else { return true }
        return capture.contains("Generic Image Capture") || !capture.contains("No vendor specific capture")
    }

    /// The buffer size for a summary, in bytes. The size is far larger than the driver's 32 KiB. If a camera
    /// describes many properties, the driver up to 2.5.34 writes beyond the end of a smaller buffer.
    private static let bytesMax = 1_024 * 1_024

    /// Reads the summary from the driver. The driver requests each property of the camera for the summary.
    ///
    /// - Returns: The summary, and whether all responses have arrived
    ///   (``isInStep(status:nanoseconds:longestGap:isNetwork:)``). The summary is incomplete if the driver
    ///   failed.
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
        let start = SystemTime.monotonicNs
        framefast_begin_gaps()
        let status = gp_camera_get_summary(camera, text, context.raw)
        var packets: UInt64 = 0
        let gap = framefast_end_gaps(&packets)
        let nanoseconds = SystemTime.monotonicNs - start
        return (
            DriverSummary(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)),
            isInStep(
                status: status, nanoseconds: nanoseconds, longestGap: packets > 0 ? gap : nil,
                isNetwork: isNetwork)
        )
    }

    /// Returns the minimum time after which the driver times out, in nanoseconds. The time is slightly less
    /// than the driver's timeouts of 2.5 s over PTP/IP (ptpip.c) and 20 s over USB (USB_NORMAL_TIMEOUT in
    /// ptp2/library.c).
    private static func responseTimeoutMin(isNetwork: Bool) -> UInt64 {
        isNetwork ? 2_400_000_000 : 19_900_000_000
    }

    /// The maximum duration of a summary whose packets are not visible, in nanoseconds. The driver requests
    /// 100 to 300 properties. Over Wi-Fi, each request takes about 20 ms. The whole summary therefore often
    /// takes longer than the timeout of a single response.
    private static let summaryMax: UInt64 = 60_000_000_000

    /// Returns whether all responses arrived during the summary. If a response times out, the driver skips
    /// the property and reports success. The driver would then use the late response for a later request,
    /// possibly for a part of a photo.
    ///
    /// - Parameters:
    ///   - status: The driver's status.
    ///   - nanoseconds: The duration of the call, in nanoseconds.
    ///   - longestGap: The longest time without a packet during the call, in nanoseconds, or `nil` if
    ///     packets are not visible.
    ///   - isNetwork: Whether the camera is connected over PTP/IP.
    static func isInStep(
        status: Int32, nanoseconds: UInt64, longestGap: UInt64?, isNetwork: Bool
    ) -> Bool {
        guard status >= GP_OK else { return false }
        guard let longestGap else { return nanoseconds < summaryMax }
        return longestGap < responseTimeoutMin(isNetwork: isNetwork)
    }
}
