--- The release whose program `:CopilotBridge install` downloads. In the sources there is none: the plugin's own repository has
--- a version, an address and checksums in the place of this file.
return { version = nil, url = nil, sha256 = {} }
