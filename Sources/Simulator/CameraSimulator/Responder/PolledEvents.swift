extension Camera {
    /// Queues an event for the client, if there is one, where this camera's driver looks for it.
    ///
    /// Canon EOS, Nikon, Sony and Fujifilm bodies are polled; what is wrong with the channel itself shows on the event connection.
    mutating func emit(_ event: PTPEvent) {
        guard session != nil else { return }
        switch (event, identity.maker) {
        case (.event, .canon):
            if session?.isEventModeOn == true { session?.polled.append(event) }
        case (.event, .nikon): session?.polled.append(event)
        // A Sony speaks of photos in memory only, before they can be read, and has a number of its own for settings; a
        // Fujifilm says nothing.
        case (.event(0xC201, _), .sony): outbox.append(event)
        case (.event(0x4006, let parameters), .sony):
            outbox.append(.event(code: 0xC203, parameters: parameters))
        case (.event, .sony): break
        case (.event, .fuji): break
        default: outbox.append(event)
        }
    }

    /// Settings that another shot changes: cameras tell of them each time.
    var settingsAfterShot: [UInt16] {
        switch identity.maker {
        case .canon: [CanonProperty.availableShots, CanonProperty.shutterCounter]
        case .nikon: [NikonProperty.exposuresRemaining]
        case .sony: [SonyProperty.focusFound, SonyProperty.objectInMemory]
        case .generic, .fuji: []
        }
    }
}
