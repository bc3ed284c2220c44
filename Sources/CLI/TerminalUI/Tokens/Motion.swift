/// What moves, and how fast. Where motion is reduced, nothing does.
public enum Motion {
    /// Milliseconds of one picture of the spinner: nothing moves for longer than 200 ms.
    public static let frameMs = 100

    /// Milliseconds between two pictures where nothing moves: ages and countdowns go by seconds.
    public static let restMs = 1000

    /// Which picture of a moving sign is shown at a time; the first wherever nothing may move.
    ///
    /// - Parameter milliseconds: Since any start.
    public static func frame(_ milliseconds: Int, isStill: Bool) -> Int {
        isStill ? 0 : milliseconds / frameMs
    }

    /// Milliseconds until the next picture.
    ///
    /// - Parameter isBusy: Whether something that moves is shown.
    public static func waitMs(isBusy: Bool, isStill: Bool) -> Int { isBusy && !isStill ? frameMs : restMs }

    /// The pictures of the spinner.
    public static func frames(hasUnicode: Bool) -> [String] {
        hasUnicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    }

    /// The spinner's picture.
    ///
    /// - Parameter frame: Which picture; 0 where motion is reduced.
    public static func spinner(_ frame: Int, hasUnicode: Bool) -> String {
        let frames = frames(hasUnicode: hasUnicode)
        return frames[frame % frames.count]
    }

    /// Whether the person or the terminal wants nothing to move.
    public static func isReduced(_ environment: (String) -> String?) -> Bool {
        let wish = environment("FRAMEFAST_REDUCE_MOTION") ?? ""
        return !wish.isEmpty && wish != "0" || environment("TERM") == "dumb"
    }
}
