public import ArgumentParser
public import TerminalUI

extension ColorChoice: ExpressibleByArgument {}
extension Contrast: ExpressibleByArgument {}

/// The colors that a person chose.
enum ThemeChoice: String, CaseIterable, ExpressibleByArgument {
    /// The colors that suit the terminal's background.
    case auto
    case dark, light
    /// The 16 colors of the terminal's own theme.
    case terminal

    /// The palette, or `nil` to detect the terminal's background.
    var palette: Palette? {
        switch self {
        case .auto: nil
        case .dark: .dark
        case .light: .light
        case .terminal: .terminal
        }
    }
}
