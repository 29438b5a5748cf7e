# Files and texts to hand over.

config folder string {
  default = "site"
}

resource file "probe:Thing" {
  asset = fileAsset("index.html")
}

resource text "probe:Thing" {
  asset = stringAsset("<p>${file.out}</p>")
}

resource remote "probe:Thing" {
  asset = remoteAsset("https://example.com/logo.png")
}

resource packed "probe:Thing" {
  any = assetArchive({
    "index.html" = stringAsset("<p>hello</p>")
    "pages"      = fileArchive("./${folder}")
    "more"       = remoteArchive("https://example.com/more.zip")
  })
}
