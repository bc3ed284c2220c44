/// The timing of animations. With reduced motion, nothing is animated.
public enum Motion {
    /// The duration of one frame of the spinner, in milliseconds. Must not exceed 200.
    public static let frameMs = 100

    /// The time between two updates without animation, in milliseconds. Ages and countdowns change every
    /// second.
    public static let restMs = 1000

    /// Returns the frame number of an animated symbol at a time, or 0 with reduced motion.
    ///
    /// - Parameter milliseconds: The time since any fixed start.
    public static func frame(_ milliseconds: Int, isStill: Bool) -> Int {
        isStill ? 0 : milliseconds / frameMs
    }

    /// Returns the time until the next update, in milliseconds.
    ///
    /// - Parameter isBusy: Whether the screen shows an animated symbol.
    public static func waitMs(isBusy: Bool, isStill: Bool) -> Int { isBusy && !isStill ? frameMs : restMs }

    /// Returns the frames of the spinner.
    public static func frames(hasUnicode: Bool) -> [String] {
        hasUnicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    }

    /// Returns one frame of the spinner.
    ///
    /// - Parameter frame: The frame number, or 0 with reduced motion.
    public static func spinner(_ frame: Int, hasUnicode: Bool) -> String {
        let frames = frames(hasUnicode: hasUnicode)
        return frames[frame % frames.count]
    }

    /// Whether the environment or the terminal requires reduced motion.
    public static func isReduced(_ environment: (String) -> String?) -> Bool {
        let wish = environment("FRAMEFAST_REDUCE_MOTION") ?? ""
        return !wish.isEmpty && wish != "0" || environment("TERM") == "dumb"
    }
}
