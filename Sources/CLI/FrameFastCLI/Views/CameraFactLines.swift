import FrameFastAPI

/// Short texts about a camera.
enum CameraFactLines {
    /// Returns the maker and the model. Omits the maker if the model starts with the maker's name.
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

    /// Returns the space left on the card, for example `512 shots left, 31.0 GB free`.
    static func card(_ camera: CameraReply) -> String? {
        let free = camera.storages.compactMap(\.freeBytes)
        var facts: [String] = []
        if let shots = camera.shotsLeft { facts.append("\(Formatted.count(shots)) shots left") }
        if !free.isEmpty { facts.append("\(Formatted.size(free.reduce(0, +))) free") }
        return facts.isEmpty ? nil : facts.joined(separator: ", ")
    }

    /// Returns the free space in the camera's buffer and the number of photos that exist only in the buffer.
    /// Returns `nil` if neither is known.
    static func buffer(_ camera: CameraReply) -> String? {
        var facts: [String] = []
        if let shots = camera.burstShotsLeft {
            facts.append("space for \(Formatted.count(shots)) \(shots == 1 ? "shot" : "shots")")
        }
        if let waiting = camera.inMemory, waiting > 0 {
            facts.append("\(Formatted.photos(waiting)) not saved yet")
        }
        return facts.isEmpty ? nil : facts.joined(separator: ", ")
    }

    /// Returns the space left on the card as one number, for example `512 shots`.
    static func cardShort(_ camera: CameraReply) -> String? {
        if let shots = camera.shotsLeft { return "\(Formatted.count(shots)) shots" }
        let free = camera.storages.compactMap(\.freeBytes)
        return free.isEmpty ? nil : Formatted.size(free.reduce(0, +))
    }

    /// Returns how much of the card has been listed, or `nil` if no listing is running.
    static func listing(_ camera: CameraReply) -> String? {
        listingShort(camera).map { "reading the card: \($0)" }
    }

    /// Returns how much of the card has been listed, as numbers: `1,200 of 5,003`.
    static func listingShort(_ camera: CameraReply) -> String? {
        guard let listing = camera.listing else { return nil }
        let read = Formatted.count(listing.objects)
        return listing.totalObjects.map { "\(read) of \(Formatted.count($0))" } ?? read
    }

    /// Returns where the camera stores new photos, or `nil` if the camera does not report the location.
    static func captureTarget(_ camera: CameraReply) -> String? {
        switch camera.captureTarget {
        case "card": "new photos on the card"
        case "card+host": "new photos on the card, with a copy for this computer"
        case "host": "no new photos on the card: photos are only on this computer"
        case let other: other
        }
    }

    /// Returns the connection: `USB`, the network address, or the name of another port. Returns `nil` for a
    /// camera without a port.
    static func place(_ camera: CameraReply) -> String? {
        guard let port = camera.port else { return nil }
        if port.hasPrefix("usb") { return "USB" }
        guard port.hasPrefix("ptpip:") else { return port }
        return TypedAddress(port).text
    }
}
