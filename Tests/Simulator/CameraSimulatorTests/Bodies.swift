@testable import CameraSimulator

/// The body of a camera, for tests of one maker.
extension Camera {
    var generic: GenericBody { (body as? GenericBody) ?? GenericBody() }
    var nikon: NikonBody { (body as? NikonBody) ?? NikonBody() }
    var fuji: FujifilmBody { (body as? FujifilmBody) ?? FujifilmBody() }

    var canon: CanonBody {
        get { (body as? CanonBody) ?? CanonBody() }
        set { body = newValue }
    }

    var sony: SonyBody {
        get { (body as? SonyBody) ?? SonyBody() }
        set { body = newValue }
    }
}
