/// A focus move that consists of steps.
struct FocusMove {
    /// The time between two steps, and the maximum number of tries while the lens is still
    /// moving.
    static let step = Duration.milliseconds(50)
    static let triesMax = 60

    /// The id of the command, or `nil` for a move of a focus stack.
    let id: UInt64?
    /// The driver's name of the focus setting, and the driver's value for one step.
    let setting: String
    let word: String
    /// The number of remaining steps.
    var left: Int
    /// The number of consecutive tries that failed because the lens was busy.
    var tries = 0
    /// The time of the next step.
    var due: Instant
}
