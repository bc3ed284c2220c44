import FrameFastAPI
import Localization

/// Facts about a camera in a few words.
enum CameraFactLines {
    /// Maker and model, the maker once: cameras often say it in both.
    static func model(_ camera: CameraReply) -> String? {
        guard let model = camera.model else { return camera.maker }
        guard let maker = camera.maker?.split(separator: " ").first.map(String.init),
            !model.lowercased().hasPrefix(maker.lowercased())
        else { return model }
        let name =
            maker == maker.uppercased() && maker.count > 4
            ? maker.prefix(1) + maker.dropFirst().lowercased() : maker
        return "\(name) \(model)"
    }

    /// How much fits on the card.
    static func card(_ camera: CameraReply) -> String? {
        let free = camera.storages.compactMap(\.freeBytes)
        var facts: [String] = []
        if let shots = camera.shotsLeft { facts.append(localized("\(Formatted.shots(shots)) left")) }
        if !free.isEmpty { facts.append(localized("\(Formatted.size(free.reduce(0, +))) free")) }
        return facts.isEmpty ? nil : facts.joined(separator: ", ")
    }

    /// How its buffer stands: room for the burst, and what is only there as yet.
    static func buffer(_ camera: CameraReply) -> String? {
        var facts: [String] = []
        if let room = camera.burstRoom {
            facts.append(localized("room for \(Formatted.shots(room))"))
        }
        if let waiting = camera.inMemory, waiting > 0 {
            facts.append(localized("\(Formatted.photos(waiting)) not saved yet"))
        }
        return facts.isEmpty ? nil : facts.joined(separator: ", ")
    }

    /// The card in one figure.
    static func cardShort(_ camera: CameraReply) -> String? {
        if let shots = camera.shotsLeft { return Formatted.shots(shots) }
        let free = camera.storages.compactMap(\.freeBytes)
        return free.isEmpty ? nil : Formatted.size(free.reduce(0, +))
    }

    /// How far its card has been read; `nil` when it has been.
    static func listing(_ camera: CameraReply) -> String? {
        listingShort(camera).map { localized("reading the card: \($0)") }
    }

    /// The same in figures.
    static func listingShort(_ camera: CameraReply) -> String? {
        guard let listing = camera.listing else { return nil }
        let read = Formatted.count(listing.objects)
        return listing.totalObjects.map { localized("\(read) of \(Formatted.count($0))") } ?? read
    }

    /// Where the camera keeps new photos, in words; `nil` when it does not tell.
    static func keeps(_ camera: CameraReply) -> String? {
        switch camera.captureTarget {
        case "card": localized("new photos on its card")
        case "card+host": localized("new photos on its card, with a copy for this computer")
        case "host": localized("no photos: they are only on this computer")
        case let other: other
        }
    }

    /// `USB`, or the address on the network.
    static func place(_ camera: CameraReply) -> String? {
        guard let port = camera.port else { return nil }
        if port.hasPrefix("usb") { return "USB" }
        guard port.hasPrefix("ptpip:") else { return port }
        return TypedAddress(port).text
    }
}
