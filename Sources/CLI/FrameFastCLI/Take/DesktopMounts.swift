/// What `gio mount --list --detail` says of cameras that a desktop has.
struct DesktopMounts {
    /// Schemes that gvfs opens cameras with.
    private static let schemes = ["gphoto2://", "mtp://"]

    /// A volume, or a mount without one: what the desktop calls it, and the files that it names.
    private struct Entry {
        var files: Set<String> = []
        var address: String?
    }

    private let entries: [Entry]

    /// - Parameter text: What gio printed.
    init(_ text: String) {
        var entries: [Entry] = []
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("Volume(") || words.hasPrefix("Drive(") || line.hasPrefix("Mount(") {
                entries.append(Entry())
            }
            guard !entries.isEmpty else { continue }
            let last = entries.count - 1
            if words.hasPrefix("unix-device: ") {
                entries[last].files.insert(
                    String(words.dropFirst("unix-device: ".count)).trimming { $0 == "'" || $0 == " " })
            }
            guard let address = Self.address(in: words) else { continue }
            // What a volume is opened by comes before what is mounted of it, and is the same.
            if entries[last].address == nil { entries[last].address = address }
        }
        self.entries = entries.filter { $0.address != nil }
    }

    /// The address of a camera, of `activation_root=` or behind a mount's arrow.
    private static func address(in words: Substring) -> String? {
        let parts = words.split(separator: " ")
        let candidate =
            words.hasPrefix("activation_root=")
            ? words.dropFirst("activation_root=".count)
            : words.hasPrefix("Mount(") && parts.dropLast().last == "->" ? parts.last : nil
        return candidate.flatMap { text in
            schemes.contains { text.hasPrefix($0) } ? String(text) : nil
        }
    }

    /// The address of the camera at a node: by the volume's file, else by the place in the address. A camera that cannot be
    /// told from others is not touched.
    func address(of node: USBNode) -> String? {
        if let entry = entries.first(where: { $0.files.contains(node.path) }) { return entry.address }
        if let entry = entries.first(where: { $0.address?.unescapedPlace.contains(node.place) == true }) {
            return entry.address
        }
        return entries.count == 1 && entries[0].files.isEmpty ? entries[0].address : nil
    }
}

extension String {
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
        String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
    }

    /// The brackets, colon and comma of a place as they are: gvfs writes them with percent signs in addresses.
    fileprivate var unescapedPlace: String {
        ["%5B": "[", "%5D": "]", "%3A": ":", "%2C": ","].reduce(self) {
            $0.replacing($1.key, with: $1.value)
        }
    }
}
