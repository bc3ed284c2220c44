/// The state of reading the card.
struct CardState {
    /// The running listing of a large card, or `nil` if no listing runs.
    var listing: Listing?
    /// The cache of a large card, or `nil` before the listing of a large card.
    var cache: CardCache?
    /// The part of the card that the driver can see.
    var view = DriverView()
    /// The handles of the unreported objects at the last comparison of the camera's handles with the reported
    /// objects, or `nil` before the first comparison.
    var unreported: Set<UInt32>?
}
