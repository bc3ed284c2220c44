/// The duty that lists a large card in portions.
struct ListingDuty: Duty {
    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.operationHoldsCard ? nil : connection.card.listing?.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.readPortion() }
}
