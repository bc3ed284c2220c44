import FrameFastModel
import GPhoto2

extension DriverConnection {
    /// Returns the bulb or movie methods that the driver supports for this camera, preferred first.
    mutating func supportedToggles(_ toggles: [CameraProfile.Toggle]?) -> [CameraProfile.Toggle] {
        do throws(CameraError) {
            let names = try settingsTable().known
            let isNetwork = camera.sockets.isNetwork
            let known = (toggles ?? []).filter { toggle in
                !(isNetwork && toggle.onlyUSB == true)
                    && toggle.settings.allSatisfy { names.contains($0.setting) }
            }
            readOfferedValues(for: known.map(\.settings))
            let offered = offered
            return known.filter { offered.contains($0.settings) }
        } catch {
            classify(error, during: "operation")
            return []
        }
    }

    /// Returns the method to release the shutter without autofocus, or `nil` if the profile has none.
    mutating func methodForRelease() -> CameraProfile.Toggle? {
        guard let methods = profile.focus?.releases else { return nil }
        readOfferedValues(for: methods.map(\.settings))
        let offered = offered
        // If the driver offers none of the methods, the first one fails with the driver's reason.
        return methods.first { offered.contains($0.settings) } ?? methods.first
    }

    /// Reads the offered values of the settings that are necessary to choose between methods. A setting that
    /// cannot be read is read again before the next choice.
    private mutating func readOfferedValues(for methods: [[CameraProfile.Setting]]) {
        for name in offered.unread(among: methods) where loss == nil {
            do throws(CameraError) {
                let entry = try camera.config(name)
                offered.record(entry.choices, of: name)
            } catch {
                classify(error, during: "operation")
            }
        }
    }
}
