/// Time limits of destinations in tests that do not test these limits. The limits are long, because test
/// servers share busy processors.
///
/// A test of a stall sets a short `stallSeconds` itself.
enum TestLimits {
    /// The longest time without progress before an upload is stalled, in seconds.
    static let stallSeconds = 30
    /// The time limit for a connection and a login, in seconds.
    static let connectSeconds = 30
}
