@testable import CameraSimulator

/// The camera's body as the type of one maker. If the body has another type, the getter returns a new body.
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
