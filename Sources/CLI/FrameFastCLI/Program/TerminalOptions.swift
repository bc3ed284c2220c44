public import ArgumentParser
public import TerminalUI

extension ColourWish: ExpressibleByArgument {}
extension Contrast: ExpressibleByArgument {}

/// Which colours a person wants.
enum ThemeWish: String, CaseIterable, ExpressibleByArgument {
    /// As the terminal's background needs them.
    case auto
    case dark, light
    /// The 16 colours of the terminal's own theme.
    case terminal

    /// `nil` to find out.
    var palette: Palette? {
        switch self {
        case .auto: nil
        case .dark: .dark
        case .light: .light
        case .terminal: .terminal
        }
    }
}
