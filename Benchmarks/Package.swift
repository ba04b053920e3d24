// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Duet", path: "..")],
    targets: [
        .executableTarget(
            name: "Bench",
            dependencies: [
                .product(name: "HTTPEndpoints", package: "Duet"),
                .product(name: "HTTPActor", package: "Duet"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
