/// `GET /v1/status/summary`: a summary of the status for one line. Its length does not depend on the number
/// of cameras.
public struct StatusSummaryReply: WireValue {
    /// The state of the daemon.
    @Word public var state: StatusReply.State?
    /// The cameras that are not ignored, grouped by state. The groups are in the order of their first cameras
    /// in the status.
    public var cameras: [CameraGroupReply]
    /// The lowest battery level of a camera, in percent, 0...100, or `nil` if no camera reports it.
    @OrNull public var batteryPercent: Int?
    /// The smallest number of photos that still fit on a camera's card, or `nil` if no camera reports it.
    @OrNull public var shotsLeft: Int?
    /// The exposure of the only camera, in one line. `nil` if there are several cameras, or if the exposure
    /// is not known.
    @OrNull public var exposure: String?
    /// The name of the running session, or `nil` between sessions.
    @OrNull public var sessionName: String?
    /// The number of shots saved in the running session, or `nil` between sessions.
    @OrNull public var sessionShots: Int?
    /// The number of shots saved since midnight, host time.
    public var shotsToday: Int
    /// The number of shots saved in the last 60 seconds.
    public var shotsPerMinute: Int
    /// The free space of the capture directory's disk, in bytes, or 0 while `disk_guard` is `away`.
    public var freeBytes: Int64
    /// The state of the free space.
    @Word public var diskGuard: DiskReply.Guard?
    /// The number of uploads by state.
    public var uploads: UploadStatisticsReply
    /// The worst condition that needs attention, or `nil` if no condition needs attention.
    @OrNull public var attention: AttentionReply?

    /// The description in the OpenAPI document.
    public static let summary = "Summary of the status, for status bars that poll often"

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [.init(CodingKeys.batteryPercent, range: 0...100)]
    }

    /// Cameras in the same state.
    public struct CameraGroupReply: WireValue {
        /// The state.
        @Word public var state: CameraReply.State?
        /// The number of cameras.
        public var count: Int
        /// The name of the first camera.
        public var first: String
    }

    /// A condition that needs attention.
    public struct AttentionReply: WireValue {
        /// The severity.
        @Word public var severity: ConditionReply.Severity?
        /// The text with its subject, at most 24 characters.
        public var short: String

        /// The descriptions of the fields in the OpenAPI document.
        public static var fields: [WireField] { [.init(CodingKeys.short, length: 0...24)] }
    }

    /// Creates the summary of a status.
    public init(_ status: StatusReply) {
        let expected = status.cameras.filter { !$0.isIgnored }
        _state = status.$state
        cameras = expected.reduce(into: []) { groups, camera in
            if let index = groups.firstIndex(where: { $0.$state == camera.$state }) {
                groups[index].count += 1
            } else {
                groups.append(CameraGroupReply(state: camera.$state, count: 1, first: camera.name))
            }
        }
        _batteryPercent = OrNull(wrappedValue: expected.compactMap(\.batteryPercent).min())
        _shotsLeft = OrNull(wrappedValue: expected.compactMap(\.shotsLeft).min())
        _exposure = OrNull(wrappedValue: expected.count == 1 ? expected.first?.exposure?.text : nil)
        _sessionName = OrNull(wrappedValue: status.session?.name)
        _sessionShots = OrNull(wrappedValue: status.session?.shots)
        shotsToday = status.captures.shotsToday
        shotsPerMinute = status.captures.shotsPerMinute
        freeBytes = status.disk.freeBytes
        _diskGuard = status.disk.$guard
        uploads = status.uploads
        // The worst condition comes first. Conditions of severity `info` need no attention.
        _attention = OrNull(
            wrappedValue: status.conditions.first { $0.severity != .info }.map {
                AttentionReply(severity: $0.$severity, short: $0.short)
            })
    }
}
