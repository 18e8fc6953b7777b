{
  description = "GitHub Copilot CLI that sees your unsaved text and asks before it acts";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      version = "<< .Version >>";
      archives = {
        x86_64-linux = {
          url = "<< .URL "linux" "amd64" >>";
          hash = "<< .SRI "linux" "amd64" >>";
        };
        aarch64-linux = {
          url = "<< .URL "linux" "arm64" >>";
          hash = "<< .SRI "linux" "arm64" >>";
        };
        x86_64-darwin = {
          url = "<< .URL "darwin" "amd64" >>";
          hash = "<< .SRI "darwin" "amd64" >>";
        };
        aarch64-darwin = {
          url = "<< .URL "darwin" "arm64" >>";
          hash = "<< .SRI "darwin" "arm64" >>";
        };
      };
      package =
        system: archive:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        pkgs.stdenvNoCC.mkDerivation {
          pname = "copilot-bridge";
          inherit version;
          src = pkgs.fetchurl archive;
          sourceRoot = ".";
          nativeBuildInputs = [ pkgs.installShellFiles ];
          dontConfigure = true;
          dontBuild = true;
          installPhase = ''
            runHook preInstall
            install -Dm755 copilot-bridge $out/bin/copilot-bridge
            install -Dm644 -t $out/share/doc/copilot-bridge LICENSE THIRD_PARTY_NOTICES.txt
            installManPage man/copilot-bridge.1
            installShellCompletion --bash --name copilot-bridge completions/copilot-bridge.bash
            installShellCompletion --zsh completions/_copilot-bridge
            installShellCompletion --fish completions/copilot-bridge.fish
            runHook postInstall
          '';
          meta = {
            description = "GitHub Copilot CLI that sees your unsaved text and asks before it acts";
            homepage = "https://github.com/copilot-bridge/copilot-bridge";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "copilot-bridge";
            platforms = builtins.attrNames archives;
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: archive: { default = package system archive; }) archives;
    };
}
