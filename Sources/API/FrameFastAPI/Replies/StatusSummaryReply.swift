/// What fits into one line: `GET /v1/status/summary`. It is as long with a hundred cameras as with one.
public struct StatusSummaryReply: WireValue {
    /// What the daemon is doing.
    public var state: StatusReply.State
    /// Cameras that are expected to be there, by what they do; in the order of `status`, by the first of each.
    public var cameras: [CameraGroupReply]
    /// The lowest battery of a camera in percent, 0...100; `nil` when none tells.
    @OrNull public var batteryPercent: Int?
    /// The fewest photos that still fit on a camera's card; `nil` when none tells.
    @OrNull public var shotsLeft: Int?
    /// How the camera exposes, in a line; `nil` with several cameras, and while it is not known.
    @OrNull public var exposure: String?
    /// Name of the running session; `nil` between sessions.
    @OrNull public var sessionName: String?
    /// Shots saved in it; `nil` between sessions.
    @OrNull public var sessionShots: Int?
    /// Shots saved since midnight, host time.
    public var shotsToday: Int
    /// Shots saved in the last 60 seconds.
    public var shotsPerMinute: Int
    /// Free bytes on the disk that photos go to; 0 while `disk_guard` is `away`.
    public var freeBytes: Int64
    /// What the free-space guard says.
    public var diskGuard: DiskReply.Guard
    /// Upload jobs by state.
    public var uploads: UploadStatisticsReply
    /// The worst of what needs attention; `nil` when nothing does.
    @OrNull public var attention: AttentionReply?

    /// What the document says of it.
    public static let summary = "What fits into one line, for status bars that ask often"

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.batteryPercent, range: 0...100)]
    }

    /// Cameras that do the same.
    public struct CameraGroupReply: WireValue {
        /// What they are doing.
        public var state: CameraReply.State
        /// How many.
        public var count: Int
        /// What people call the first of them.
        public var first: String

        /// Creates a group.
        public init(state: CameraReply.State, count: Int, first: String) {
            self.state = state
            self.count = count
            self.first = first
        }
    }

    /// A condition that needs attention.
    public struct AttentionReply: WireValue {
        /// How bad it is.
        public var severity: ConditionReply.Severity
        /// The condition with its subject: at most 24 characters.
        public var short: String

        /// What the document says of its fields.
        public static var fields: [WireField] { [.init(CodingKeys.short, length: 0...24)] }

        /// Creates a condition.
        public init(severity: ConditionReply.Severity, short: String) {
            self.severity = severity
            self.short = short
        }
    }

    /// Sums a status up.
    public init(_ status: StatusReply) {
        let expected = status.cameras.filter { !$0.isIgnored }
        state = status.state
        cameras = expected.reduce(into: []) { groups, camera in
            if let index = groups.firstIndex(where: { $0.state == camera.state }) {
                groups[index].count += 1
            } else {
                groups.append(CameraGroupReply(state: camera.state, count: 1, first: camera.name))
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
        diskGuard = status.disk.guard
        uploads = status.uploads
        // Conditions come worst first; what is only good to know needs nobody.
        _attention = OrNull(
            wrappedValue: status.conditions.first { $0.severity != .info }.map {
                AttentionReply(severity: $0.severity, short: $0.short)
            })
    }
}
