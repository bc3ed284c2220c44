import Store
import TextForms

/// The chain of a history: each generation's manifest with its C4 id.
struct ManifestChain: Hashable, Sendable {
    /// The namespace of chain files.
    static let namespace = "urn:ASC:MHL:DIRECTORY:v2.0"
    /// Bytes of a chain file, at most: a hundred thousand generations.
    static let bytesMax: UInt64 = 64 << 20

    /// The highest number of a generation: one each minute for a thousand years.
    private static let numberMax = 999_999_999

    var generations: [LedgerStore.ManifestGeneration]

    /// Number of the newest generation; 0 for none.
    var last: Int { generations.last?.number ?? 0 }

    init(_ generations: [LedgerStore.ManifestGeneration] = []) { self.generations = generations }

    /// Reads a chain file.
    init(_ bytes: [UInt8]) throws(ManifestFault) {
        var generations: [LedgerStore.ManifestGeneration] = []
        var current = LedgerStore.ManifestGeneration(number: 0, name: "", c4: "")
        try XMLReader.read(bytes) { element throws(ManifestFault) in
            if element.path.count == 1, element.name != "ascmhldirectory" {
                throw .notAllowed("it is no chain file")
            }
            if element.path.count == 2, element.name == "hashlist" {
                current = .init(
                    number: element.attributes["sequencenr"].flatMap { Int($0) } ?? generations.count + 1,
                    name: "",
                    c4: "")
            }
        } end: { element throws(ManifestFault) in
            switch (element.parent, element.name) {
            case ("hashlist", "path"):
                current.name = try ManifestReader.path(element.text)
                guard !current.name.utf8.contains(UInt8(ascii: "/")) else {
                    throw .notAllowed("a manifest lies in another folder")
                }
            case ("hashlist", "c4"): current.c4 = element.text
            case ("ascmhldirectory", "hashlist"):
                guard !current.name.isEmpty, !current.c4.isEmpty,
                    current.number > generations.last?.number ?? 0, current.number <= Self.numberMax
                else { throw .notAllowed("a generation of the chain is not whole") }
                generations.append(current)
            default: break
            }
        }
        self.generations = generations
    }

    /// Its text.
    var xml: [UInt8] {
        var xml = XMLWriter()
        xml.open("ascmhldirectory", [("xmlns", Self.namespace)])
        for generation in generations {
            xml.open("hashlist", [("sequencenr", String(generation.number))])
            xml.element("path", generation.name)
            xml.element("c4", generation.c4)
            xml.close("hashlist")
        }
        xml.close("ascmhldirectory")
        return xml.bytes
    }
}
