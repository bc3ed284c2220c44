/// The state of reading the card.
struct CardState {
    /// The running listing of a large card, or `nil`.
    var listing: Listing?
    /// The cache of a large card, or `nil`.
    var cache: CardCache?
    /// The part of the card that the driver can see.
    var view = DriverView()
    /// The number of objects that were not reported at the last comparison of the handles, and its time.
    var unreported: (count: Int, at: Instant) = (0, .start)
}
