/// One photo with the single badge of its whole way: saving, saved, queued, uploading, checking, delivered.
public struct CaptureRowView: Component, Equatable {
    /// Cells of the longest usual word of a photo's state, `Uploading 100 %`.
    static let wordCells = 15

    private let row: RowView

    /// A photo.
    ///
    /// - Parameters:
    ///   - name: Its file's name.
    ///   - size: Its size, for people.
    ///   - age: How long ago, for people.
    ///   - camera: Where it comes from; `nil` where that is clear.
    public init(
        _ badge: BadgeView, name: String, size: String, age: String, camera: String? = nil,
        isFocused: Bool = false, frame: Int = 0
    ) {
        row = RowView(
            badge, title: name, isFileName: true,
            caption: [age, camera].compactMap { $0 }.joined(separator: ", "),
            figure: size, isFocused: isFocused, wordCells: Self.wordCells, frame: frame)
    }

    /// One line.
    public func lines(_ layout: Layout) -> [Line] { row.lines(layout) }

    /// One line with everything.
    public func plain() -> [String] { row.plain().map { "photo " + $0 } }
}
