/// The keys of a configuration table, each as a property. Keys that several tables share are declared in a
/// separate type, which is called a part.
public protocol KeyTable: Sendable {
    /// The table's name. A part has the name of its containing table.
    static var section: String { get }
    /// The declared keys.
    static var keys: Self { get }
}
