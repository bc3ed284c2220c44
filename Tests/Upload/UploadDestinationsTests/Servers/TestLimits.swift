/// Time limits of destinations in tests that do not test a limit. Test servers share busy processors.
///
/// A test about stalling sets a short `stallSeconds` itself.
enum TestLimits {
    /// The longest time without progress before an upload counts as stalled, in seconds.
    static let stallSeconds = 30
    /// The longest time for a connection and a login, in seconds.
    static let connectSeconds = 30
}
