/// What goes to destinations of a folder's history: a chain as it is at one moment, and the manifests that it names.
public struct ManifestFiles: Hashable, Sendable {
    /// A manifest.
    public struct Manifest: Hashable, Sendable {
        /// Its generation.
        public var generation: Int
        /// Name of its file.
        public var name: String

        /// Creates one.
        public init(generation: Int, name: String) {
            self.generation = generation
            self.name = name
        }
    }

    /// Name of the folder in which all of them are, here and there.
    public var folderName: String
    /// The manifests that the chain names, in order.
    public var manifests: [Manifest]
    /// Name of the chain's file.
    public var chainName: String
    /// The chain's bytes.
    public var chain: [UInt8]

    /// Creates them; without arguments there is no history.
    public init(
        folderName: String = "", manifests: [Manifest] = [], chainName: String = "", chain: [UInt8] = []
    ) {
        self.folderName = folderName
        self.manifests = manifests
        self.chainName = chainName
        self.chain = chain
    }
}
