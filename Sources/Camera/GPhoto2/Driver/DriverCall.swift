import Synchronization
import SystemIO

/// The driver calls that can block.
public enum DriverCall: UInt8, Sendable, CaseIterable {
    case open = 1
    case close, listFolders, listFiles, fileInfo, readFile, getFile, deleteFile
    case waitForEvent, trigger, storages, listConfig, getConfig, setConfig, summary, objectHandles, keepAwake,
        preview

    /// The name of the call for logs and errors.
    public var name: String {
        switch self {
        case .open: "open"
        case .close: "close"
        case .listFolders: "list folders"
        case .listFiles: "list files"
        case .fileInfo: "file info"
        case .readFile: "read file"
        case .getFile: "get file"
        case .deleteFile: "delete file"
        case .waitForEvent: "wait for event"
        case .trigger: "trigger"
        case .storages: "storages"
        case .listConfig: "list config"
        case .getConfig: "get config"
        case .setConfig: "set config"
        case .summary: "summary"
        case .objectHandles: "object handles"
        case .keepAwake: "keep awake"
        case .preview: "preview"
        }
    }
}

/// The running driver call, which other threads can read while the driver's thread hangs.
public final class DriverActivity: Sendable {
    // The top 8 bits contain the call, and the other bits contain the start time in microseconds. A single
    // word keeps both values consistent.
    private let state = Atomic<UInt64>(0)

    /// Creates an instance without a running call.
    public init() {}

    /// The running call and its start time in monotonic nanoseconds, or `nil` if no call is running.
    public var current: (call: DriverCall, since: UInt64)? {
        let word = state.load(ordering: .relaxed)
        guard let call = DriverCall(rawValue: UInt8(word >> 56)) else { return nil }
        return (call, (word & (1 << 56 - 1)) * 1_000)
    }

    func start(_ call: DriverCall) {
        state.store(UInt64(call.rawValue) << 56 | (SystemTime.monotonicNs / 1_000), ordering: .relaxed)
    }

    func finish() { state.store(0, ordering: .relaxed) }
}
