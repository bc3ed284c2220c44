/// What a client's autofocus comes to.
enum Autofocus: String, Sendable {
    case finds = "ok"
    case fails = "fail"
    /// Focus is found after a while; a release before that is answered with "busy".
    case findsLate = "slow"
}
