// SPDX-License-Identifier: MIT

/// The MIME types of the files that people upload, by file name extension.
enum MIMEType {
    static let unknown = "application/octet-stream"

    /// Returns the type that was given, else the one for the extension of the file name.
    ///
    /// An empty type counts as none, as it does for a browser's `File`.
    static func of(_ filename: String, given mime: String?) -> String {
        if let mime, !mime.isEmpty { return mime }
        let name = filename.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return unknown }
        return byExtension[name[dot...].dropFirst().lowercased()] ?? unknown
    }

    private static let byExtension: [String: String] = {
        var types: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for word in words.dropFirst() {
                let pair = word.split(separator: "=")
                for name in pair[pair.count - 1].split(separator: ",") {
                    types[String(name)] = "\(words[0])/\(pair[0])"
                }
            }
        }
        return types
    }()

    /// Types with their extensions, or alone where the extension is the subtype.
    ///
    /// IANA's names where they are in use.
    private static let table = """
        image jpeg=jpg,jpeg,jpe,jfif png apng gif webp avif heic heif jxl svg+xml=svg,svgz bmp
        image tiff=tif,tiff vnd.microsoft.icon=ico vnd.adobe.photoshop=psd x-adobe-dng=dng
        audio mpeg=mp3 mp4=m4a,m4b aac wav ogg=ogg,oga,opus flac webm=weba midi=mid,midi
        audio aiff=aif,aiff amr x-caf=caf x-ms-wma=wma
        video mp4=mp4,m4v quicktime=mov,qt webm matroska=mkv x-msvideo=avi mpeg=mpg,mpeg 3gpp=3gp
        video 3gpp2=3g2 ogg=ogv x-ms-wmv=wmv x-flv=flv mp2t=ts,m2ts,mts
        application vnd.apple.mpegurl=m3u8 pdf rtf msword=doc,dot
        application vnd.openxmlformats-officedocument.wordprocessingml.document=docx
        application vnd.ms-excel=xls vnd.openxmlformats-officedocument.spreadsheetml.sheet=xlsx
        application vnd.ms-powerpoint=ppt,pps vnd.ms-word.document.macroEnabled.12=docm
        application vnd.openxmlformats-officedocument.presentationml.presentation=pptx
        application vnd.oasis.opendocument.text=odt vnd.oasis.opendocument.spreadsheet=ods
        application vnd.oasis.opendocument.presentation=odp vnd.oasis.opendocument.graphics=odg
        application vnd.apple.pages=pages vnd.apple.numbers=numbers vnd.apple.keynote=key
        application vnd.visio=vsd vnd.ms-outlook=msg epub+zip=epub x-mobipocket-ebook=mobi
        application postscript=ps,eps,ai zip gzip=gz,tgz x-tar=tar x-bzip2=bz2 x-xz=xz zstd=zst
        application x-7z-compressed=7z vnd.rar=rar java-archive=jar
        application vnd.android.package-archive=apk x-apple-diskimage=dmg x-iso9660-image=iso
        application x-subrip=srt json geo+json=geojson x-ndjson=ndjson,jsonl ld+json=jsonld xml
        application xhtml+xml=xhtml yaml=yaml,yml toml sql wasm vnd.sqlite3=sqlite,sqlite3,db
        application pkcs12=p12,pfx x-pem-file=pem pkix-cert=cer vnd.google-earth.kml+xml=kml
        application gpx+xml=gpx vnd.google-earth.kmz=kmz vnd.ms-excel.sheet.macroEnabled.12=xlsm
        message rfc822=eml
        text plain=txt,text,log,conf,ini csv tab-separated-values=tsv markdown=md,markdown
        text html=html,htm css javascript=js,mjs calendar=ics vcard=vcf vtt
        font ttf otf woff woff2
        model gltf-binary=glb gltf+json=gltf stl obj vnd.usdz+zip=usdz
        """
}
