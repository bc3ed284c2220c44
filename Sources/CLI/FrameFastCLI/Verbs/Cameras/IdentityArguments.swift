public import ArgumentParser
public import FrameFastAPI

// Arguments that are ids or names. The daemon finds a camera by its id or name.

extension CameraReference: ExpressibleByArgument {}
extension CaptureID: ExpressibleByArgument {}
extension ShotID: ExpressibleByArgument {}
extension JobID: ExpressibleByArgument {}
extension DestinationName: ExpressibleByArgument {}
extension PresetName: ExpressibleByArgument {}
extension GroupName: ExpressibleByArgument {}
