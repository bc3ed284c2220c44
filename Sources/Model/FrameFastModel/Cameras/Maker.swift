/// A maker for which FrameFast has guidance. Includes makers of phones that appear as cameras.
///
/// `Maker` has no case for unknown makers. Guidance for the wrong maker would name the wrong menus.
public enum Maker: String, Codable, CaseIterable, Hashable, Sendable {
    case canon, nikon, sony, fujifilm, panasonic, olympus, leica, pentax, ricoh, sigma, gopro
    case hasselblad
    case phaseOne = "phaseone"
    case kodak, samsung, dji
    /// iPhone and iPad. The service ignores phones unless a person adds them.
    case apple

    /// The name on the camera, for people.
    public var name: String {
        switch self {
        case .canon: "Canon"
        case .nikon: "Nikon"
        case .sony: "Sony"
        case .fujifilm: "Fujifilm"
        case .panasonic: "Panasonic Lumix"
        case .olympus: "OM System / Olympus"
        case .leica: "Leica"
        case .pentax: "Pentax"
        case .ricoh: "Ricoh"
        case .sigma: "Sigma"
        case .gopro: "GoPro"
        case .hasselblad: "Hasselblad"
        case .phaseOne: "Phase One"
        case .kodak: "Kodak"
        case .samsung: "Samsung NX"
        case .dji: "DJI"
        case .apple: "iPhone / iPad"
        }
    }
}
