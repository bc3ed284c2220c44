import Glibc

/// Environment variables that relax the product's limits in tests. Only debug builds read these variables.
public enum DebugSwitches {
    /// A multiplier for the time limits of the camera worker's messages, of the picture worker, of opening
    /// photos, and of comparing a preset with the cameras (`FRAMEFAST_SIGN_OF_LIFE_FACTOR`). The default and
    /// the lowest value is 1.
    public static let signOfLifeFactor = number("FRAMEFAST_SIGN_OF_LIFE_FACTOR").map { max(1, $0) } ?? 1

    /// Whether uploads run at a lower priority than captures. `FRAMEFAST_UPLOADS_YIELD=0` sets the normal
    /// priority.
    public static let uploadsYield = number("FRAMEFAST_UPLOADS_YIELD") != 0

    private static func number(_ name: String) -> Int? {
        #if DEBUG
            getenv(name).flatMap { Int(String(cString: $0)) }
        #else
            nil
        #endif
    }
}
