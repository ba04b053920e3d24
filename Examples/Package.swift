// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Duet", path: "..")],
    targets: [
        .executableTarget(
            name: "Todos",
            dependencies: [
                .product(name: "HTTPEndpoints", package: "Duet"),
                .product(name: "HTTPActor", package: "Duet"),
            ],
            path: "Todos/Sources"
        ),
        .executableTarget(
            name: "Upload",
            dependencies: [.product(name: "HTTPActor", package: "Duet")],
            path: "Upload/Sources"
        ),
    ],
    swiftLanguageModes: [.v6]
)
