extension Camera {
    /// Queues an event for the client if a session is open. The maker determines how the client receives the
    /// event.
    ///
    /// Clients poll Canon EOS and Nikon bodies. Faults of the channel itself occur on the event connection.
    mutating func emit(_ event: PTPEvent) {
        guard session != nil else { return }
        switch (event, identity.maker) {
        case (.event, .canon):
            if session?.isEventModeOn == true { session?.polled.append(event) }
        case (.event, .nikon): session?.polled.append(event)
        // A Sony announces only photos in memory, and announces them before they can be read. For settings, a
        // Sony uses its own event code. A Fujifilm sends no events.
        case (.event(0xC201, _), .sony): outbox.append(event)
        case (.event(0x4006, let parameters), .sony):
            outbox.append(.event(code: 0xC203, parameters: parameters))
        case (.event, .sony): break
        case (.event, .fuji): break
        default: outbox.append(event)
        }
    }

    /// The settings that change with each shot. The camera announces them after the shot.
    var settingsAfterShot: [UInt16] {
        switch identity.maker {
        case .canon: [CanonProperty.availableShots, CanonProperty.shutterCounter]
        case .nikon: [NikonProperty.exposuresRemaining]
        case .sony: [SonyProperty.focusFound, SonyProperty.objectInMemory]
        case .generic, .fuji: []
        }
    }
}
