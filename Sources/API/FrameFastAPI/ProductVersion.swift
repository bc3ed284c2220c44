/// The version of FrameFast for Linux. All programs of a build have the same version.
public enum ProductVersion {
    /// The version, in semantic versioning.
    public static let current = "0.1.0"
}
