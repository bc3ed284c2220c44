/// The result of autofocus that a client starts.
enum Autofocus: String, Sendable {
    case succeeds = "ok"
    case fails = "fail"
    /// Focus succeeds after a delay. The camera refuses an earlier release with "busy".
    case succeedsLate = "slow"
}
