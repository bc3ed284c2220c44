/// Reads manifests, of this program and of others.
enum ManifestReader {
    /// Bytes of a manifest, at most: a million photos.
    static let bytesMax: UInt64 = 256 << 20

    /// What a manifest records, in its order, and which program made it. Folders are left out.
    static func read(_ bytes: [UInt8]) throws(ManifestFault) -> (tool: String, records: [Manifest.Record]) {
        var tool = ""
        var records: [Manifest.Record] = []
        var current: Manifest.Record?
        try XMLReader.read(bytes) { element throws(ManifestFault) in
            if element.path.count == 1 {
                guard element.name == "hashlist", element.attributes["version"] == Manifest.version else {
                    throw .notAllowed("it is no ASC MHL manifest of version \(Manifest.version)")
                }
            }
            if element.name == "hash", element.parent == "hashes" { current = Manifest.Record(path: "") }
        } end: { element throws(ManifestFault) in
            switch (element.parent, element.name) {
            case ("creatorinfo", "tool"): tool = element.text
            case ("hash", "path"):
                current?.path = try path(element.text)
                current?.size = element.attributes["size"].flatMap { UInt64($0) }
            case ("hash", let name):
                guard let kind = ManifestHash.Kind(rawValue: name) else { break }
                guard let hash = ManifestHash(reading: kind, element.text) else {
                    throw .notAllowed("a hash is none")
                }
                current?.take(hash, element.attributes["action"].flatMap(Manifest.Action.init))
            case ("hashes", "hash"):
                guard let record = current, !record.path.isEmpty else {
                    throw .notAllowed("a file has no path")
                }
                records.append(record)
                current = nil
            default: break
            }
        }
        return (tool, records)
    }

    /// A path that stays below its folder.
    static func path(_ text: String) throws(ManifestFault) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !text.isEmpty, text.utf8.count <= 4096, !text.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8) })
        else { throw .notAllowed("a path leaves the folder") }
        return text
    }
}

extension Manifest.Record {
    /// Takes a hash where it is a better one than those before.
    fileprivate mutating func take(_ hash: ManifestHash, _ action: Manifest.Action?) {
        func rank(_ kind: ManifestHash.Kind) -> Int {
            ManifestHash.Kind.allCases.firstIndex(of: kind) ?? .max
        }
        if let known = self.hash, rank(known.kind) <= rank(hash.kind) { return }
        if hash.kind == .xxh128 { xxh128 = hash.text } else { other = hash }
        self.action = action
    }
}
