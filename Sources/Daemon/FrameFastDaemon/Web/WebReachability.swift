import FrameFastAPI
import FrameFastConfiguration
import SettingKeys

/// The devices that the configuration allows to reach the web page.
struct WebReachability {
    /// The devices that can reach the page, as a text for the doctor and the log.
    let sentence: String
    /// Whether photos cross the network without TLS.
    let isUnencrypted: Bool
    /// Whether the page is on.
    let isOn: Bool

    init(_ web: Settings<WebKeys>) {
        switch web.listen {
        case .off:
            sentence = "The web page is off: no browser can reach it."
            (isOn, isUnencrypted) = (false, false)
        case .loopback(let address):
            sentence = "Only this computer can reach the web page, at http://\(address.text)."
            (isOn, isUnencrypted) = (true, false)
        case .lan(let port):
            isOn = true
            isUnencrypted = web.tls == .off
            let devices =
                web.allowsPublic ? "with a private address" : "in the private networks of this computer"
            let transport =
                isUnencrypted
                ? "without TLS, so others in the network can read photos and take over paired devices"
                : "with TLS, and see photos only after they are paired"
            let addresses =
                web.allowsPublic ? " The page is also served on the public addresses of this computer." : ""
            sentence = "Devices \(devices) can reach the web page at port \(port) \(transport).\(addresses)"
        }
    }

    /// The next step if photos cross the network without TLS.
    static let encryptionStep =
        "Set tls = \"on\" in [web] of the configuration, then restart the service: sudo systemctl restart framefastd"
}

extension Doctor {
    /// Checks which devices can reach the web page. A running service reports a page without TLS as a
    /// condition.
    func webPage() -> Check {
        let reachability = WebReachability(configuration.web)
        return Check(
            id: "web", title: "Web page", verdict: reachability.isUnencrypted ? .info : .ok,
            sentence: reachability.sentence,
            steps: reachability.isUnencrypted ? [WebReachability.encryptionStep] : [])
    }
}
