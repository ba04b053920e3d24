// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Duet", path: "..")],
    targets: [
        // The socket behind the servers that both examples carry inside.
        .target(name: "Loopback", path: "Loopback/Sources"),
        .executableTarget(
            name: "Todos",
            dependencies: [
                .product(name: "HTTPEndpoints", package: "Duet"),
                .product(name: "HTTPActor", package: "Duet"), "Loopback",
            ],
            path: "Todos/Sources"
        ),
        .executableTarget(
            name: "Upload",
            dependencies: [.product(name: "HTTPActor", package: "Duet"), "Loopback"],
            path: "Upload/Sources"
        ),
    ],
    swiftLanguageModes: [.v6]
)
