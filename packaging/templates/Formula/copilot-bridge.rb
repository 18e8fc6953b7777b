class CopilotBridge < Formula
  desc "GitHub Copilot CLI that sees your unsaved text and asks before it acts"
  homepage "https://github.com/copilot-bridge/copilot-bridge"
  version "<< .Version >>"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "<< .URL "darwin" "arm64" >>"
      sha256 "<< .Sum "darwin" "arm64" >>"
    end
    on_intel do
      url "<< .URL "darwin" "amd64" >>"
      sha256 "<< .Sum "darwin" "amd64" >>"
    end
  end

  on_linux do
    on_arm do
      url "<< .URL "linux" "arm64" >>"
      sha256 "<< .Sum "linux" "arm64" >>"
    end
    on_intel do
      url "<< .URL "linux" "amd64" >>"
      sha256 "<< .Sum "linux" "amd64" >>"
    end
  end

  def install
    bin.install "copilot-bridge"
    man1.install "man/copilot-bridge.1"
    bash_completion.install "completions/copilot-bridge.bash" => "copilot-bridge"
    zsh_completion.install "completions/_copilot-bridge"
    fish_completion.install "completions/copilot-bridge.fish"
    doc.install "THIRD_PARTY_NOTICES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/copilot-bridge version")
    assert_match "That was a whole turn", shell_output("#{bin}/copilot-bridge demo")
  end
end
