public import Store

/// A folder's history as it is at one moment, for those who copy it.
public struct SealedHistory: Sendable {
    /// Name of the folder that it is in.
    public static let folderName = ManifestHistory.folderName
    /// Name of the chain's file.
    public static let chainName = ManifestHistory.chainName

    /// The manifests that the chain names, in order.
    public let manifests: [LedgerStore.ManifestGeneration]
    /// The chain's bytes.
    public let chain: [UInt8]

    /// Reads the chain of a folder. It blocks.
    public init(folder: String) throws(ManifestFault) {
        let (bytes, chain) = try ManifestHistory(root: folder).chain()
        (manifests, self.chain) = (chain.generations, bytes)
    }
}
