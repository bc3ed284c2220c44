/// What moves, and how fast. Where motion is reduced, nothing does.
public enum Motion {
    /// Milliseconds of one picture of the spinner: nothing moves for longer than 200 ms.
    public static let frameMs = 100

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
