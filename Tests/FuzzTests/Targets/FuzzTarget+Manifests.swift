import FrameFastModel

@testable import Manifests

extension FuzzTarget {
    /// One file, read as a manifest and as a chain.
    static func manifests(_ bytes: [UInt8]) {
        if let manifest = try? ManifestReader.read(bytes) {
            for record in manifest.records {
                let parts = record.path.utf8.split(
                    separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                precondition(
                    !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) },
                    "leaves its folder: \(record.path)")
                precondition(record.xxh128?.utf8.count ?? 32 == 32, "a hash that is none")
            }
        }
        if let chain = try? ManifestChain(bytes) {
            precondition((try? ManifestChain(chain.xml)) == chain, "said again it is another chain")
        }
    }
}
