import FrameFastModel

/// A focus that is being moved, step by step.
struct FocusMove {
    /// Time between two steps, in milliseconds, and how often a lens that still moves is asked.
    static let stepMs: UInt64 = 50
    static let triesMax = 60

    /// The command that is to be answered; `nil` for a focus stack.
    let id: UInt64?
    /// The driver's name for it, and its word for a step.
    let setting: String
    let word: String
    /// Steps to go.
    var left: Int
    /// How often in a row the lens was busy.
    var tries = 0
    /// Not before this time.
    var dueMs: UInt64

    /// Milliseconds until the next step.
    func delay(nowMs: UInt64) -> UInt64 { dueMs - min(dueMs, nowMs) }
}
