/// Version of FrameFast for Linux: all programs of a build carry the same.
public enum ProductVersion {
    /// The version, as semantic versioning writes it.
    public static let current = "0.1.0"
}
