// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import Testing

struct MIMETypeTests {
    @Test(arguments: [
        ("a.jpg", "image/jpeg"), ("a.JPEG", "image/jpeg"), ("a.png", "image/png"),
        ("a.gif", "image/gif"), ("a.heic", "image/heic"), ("a.webp", "image/webp"),
        ("a.avif", "image/avif"), ("a.svg", "image/svg+xml"), ("a.tiff", "image/tiff"),
        ("a.mp3", "audio/mpeg"), ("a.m4a", "audio/mp4"), ("a.wav", "audio/wav"),
        ("a.wma", "audio/x-ms-wma"),
        ("a.mp4", "video/mp4"), ("a.mov", "video/quicktime"), ("a.webm", "video/webm"),
        ("a.pdf", "application/pdf"), ("a.doc", "application/msword"),
        ("a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("a.xlsm", "application/vnd.ms-excel.sheet.macroEnabled.12"),
        ("a.docm", "application/vnd.ms-word.document.macroEnabled.12"),
        ("a.kmz", "application/vnd.google-earth.kmz"),
        ("a.odt", "application/vnd.oasis.opendocument.text"), ("a.zip", "application/zip"),
        ("a.tar.gz", "application/gzip"), ("a.7z", "application/x-7z-compressed"),
        ("a.txt", "text/plain"), ("a.csv", "text/csv"), ("a.html", "text/html"),
        ("a.json", "application/json"), ("a.xml", "application/xml"), ("a.md", "text/markdown"),
        ("a.woff2", "font/woff2"), ("a.glb", "model/gltf-binary"),
        ("a", "application/octet-stream"), ("", "application/octet-stream"),
        ("a.", "application/octet-stream"), ("a.nope", "application/octet-stream"),
        (".png", "application/octet-stream"), ("a.png/b", "application/octet-stream"),
        ("dir.d/a.png", "image/png"), ("файл.png", "image/png"),
    ])
    func theExtensionTellsTheType(filename: String, type: String) throws {
        var form = MultipartForm()
        form.file("f", data: Data(), filename: filename)
        #expect(try form.onlyPart()?.head.contentType == type)
    }

    // As the `type` of a browser's File is "" when it is not known.
    @Test func anEmptyTypeCountsAsNone() throws {
        var form = MultipartForm()
        form.file("f", data: Data(), filename: "a.png", mime: "")
        #expect(try form.onlyPart()?.head.contentType == "image/png")
    }
}
