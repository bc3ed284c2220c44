import Glibc

/// Environment variables that relax product limits in tests. Only debug builds read them.
public enum DebugSwitches {
    /// The factor for the time in which a camera worker has to show a sign of life (`FRAMEFAST_SIGN_OF_LIFE_FACTOR`).
    /// 1 as a rule.
    public static let signOfLifeFactor = number("FRAMEFAST_SIGN_OF_LIFE_FACTOR").map { max(1, $0) } ?? 1

    /// Whether uploads yield the processor to captures. `FRAMEFAST_UPLOADS_YIELD=0` lets them run at the usual priority.
    public static let uploadsYield = number("FRAMEFAST_UPLOADS_YIELD") != 0

    private static func number(_ name: String) -> Int? {
        #if DEBUG
            getenv(name).flatMap { Int(String(cString: $0)) }
        #else
            nil
        #endif
    }
}
