/// The version of this build.
enum ProductVersion {
    static let current = "0.1.0"
}
