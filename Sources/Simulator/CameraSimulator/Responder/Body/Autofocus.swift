/// The result of autofocus that a client starts.
enum Autofocus: String, Sendable {
    case finds = "ok"
    case fails = "fail"
    /// Focus succeeds after a delay. A release before that is refused with "busy".
    case findsLate = "slow"
}
