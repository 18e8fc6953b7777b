# What a person needs. `make test` works with Go alone; the rest says what it wants.

GOLANGCI   := 2.15.0
COPILOT    := 1.0.102
OPENCODE   := 1.18.33
QWEN       := 0.15.10
CLAUDE     := 0.100.0
CODEX      := 2.6.0
ACP_SDK    := 2.4.0
GORELEASER := 2.16.0
GOVULN     := 1.9.0
ACTIONLINT := 1.7.12
OVSX       := 1.3.0
# The versions of docs/dev/copilot-versions.md. Of 1.0.77 npm has no package for Linux.
VERSIONS   ?= 0.0.399 1.0.75 1.0.78 1.0.80 1.0.81 1.0.82 1.0.83-2 1.0.83 1.0.85 1.0.89 1.0.92 1.0.102
CACHE      := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/copilot-bridge
# The race detector needs a C compiler.
RACE       := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && [ "$$(go env CGO_ENABLED)" = 1 ] && echo -race)
PLATFORMS  := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# How long the tests of one package may take. A test that stands still is named and ended after 30 s (internal/await); this
# ends what runs in circles. The slowest package takes two minutes with the race detector on two processors of its own, and
# five times as long where it shares them with eight busy programs.
TESTTIME   ?= 15m
# The same for a package in Wine, which is ended there by nothing else: its slowest takes one minute.
WINDOWSTIME ?= 3m
FUZZTIME   ?= 20s
BENCHTIME  ?= 1s

# A release has this number, in the program and in every package: docs/dev/release.md.
export RELEASE_VERSION := $(shell cat packaging/VERSION)
# The commit that it is made from, and when that was made.
export RELEASE_COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
export RELEASE_DATE := $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null)
# The program of a release. .goreleaser.yaml says the same; a test holds the two together.
GORELEASE  := go build -trimpath -buildvcs=false -ldflags='-s -w -X main.stamped=$(RELEASE_VERSION) -X main.stampedCommit=$(RELEASE_COMMIT) -X main.stampedDate=$(RELEASE_DATE)'

.PHONY: demo test test-windows e2e copilot-matrix pictures bench fuzz lint generate build vsix copilot where-copilot opencode qwen claude codex sdk \
  release release-snapshot release-files release-check release-version lint-workflows vulncheck packages-mirror neovim-mirror publish-github publish-npm publish-vsix

demo: ## a whole turn with the built-in agent
	go run ./cmd/copilot-bridge demo

test: ## vet and all tests that need nothing but Go
	go vet ./...
	go test $(RACE) -timeout $(TESTTIME) ./...
	cd bench && go vet ./... && go test -timeout $(TESTTIME) ./...
	cd packaging && go vet ./... && go test -timeout $(TESTTIME) ./...

# What is skipped and why, and what still fails, is in the file that the results are held against.
test-windows: ## all packages' tests as Windows programs, in Wine (Linux with apt-get; root, or a kernel with user namespaces)
	GOOS=windows CGO_ENABLED=0 go vet ./...
	.ci/wine with bash -c 'GOOS=windows CGO_ENABLED=0 go test -vet=off -json -timeout $(WINDOWSTIME) -exec "$$PWD/.ci/wine run" ./... | go run ./internal/onwindows docs/dev/windows.md'

e2e: copilot opencode qwen claude codex sdk ## the real Copilot CLI and other real agents, offline (npm)
	OPENCODE=$(CACHE)/opencode-$(OPENCODE)/node_modules/.bin/opencode QWEN=$(CACHE)/qwen-$(QWEN)/node_modules/.bin/qwen \
	CLAUDE_AGENT=$(CACHE)/claude-agent-acp-$(CLAUDE)/node_modules/.bin/claude-agent-acp CODEX_AGENT=$(CACHE)/codex-acp-$(CODEX)/node_modules/.bin/codex-acp \
	COPILOT=$$(make -s where-copilot) go test -tags e2e -count=1 -timeout 30m -run E2E \
	  $$(grep -rl --include='*_test.go' '^func TestE2E' . | xargs -n1 dirname | sort -u)

# A version takes about a minute; a first start, which unpacks 235 MB, some more.
copilot-matrix: ## docs/dev/copilot-versions.md: each of VERSIONS (npm, 190 MB each), does it ask, does it work with the bridge
	VERSIONS='$(VERSIONS)' go test -tags 'e2e versions' -count=1 -timeout 60m -v -run '^TestMatrix$$' ./e2e

pictures: ## every picture of the docs, from the real programs (npm, Debian, Chromium)
	.ci/pictures

bench: ## benchmarks with their contenders (npm for the TypeScript SDK)
	go test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...
	cd bench && CACHE=$(CACHE) go test -run '^$$' -bench . -benchtime 1x -timeout 20m

fuzz: ## every fuzz target for FUZZTIME
	@set -e; for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; done

lint: $(CACHE)/bin/golangci-lint-$(GOLANGCI) ## golangci-lint, built from the module proxy
	$(CACHE)/bin/golangci-lint-$(GOLANGCI) run ./...

generate: ## the ACP types, from the pinned npm package, and the clients' types, from the Go ones
	ACP_SDK_VERSION=$(ACP_SDK) go generate ./acp/...
	go generate ./bridge/lspfront

build: ## all platforms, static
	@set -e; for p in $(PLATFORMS); do \
	  echo "build $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} go build -trimpath -ldflags='-s -w' -o dist/copilot-bridge-$${p%/*}-$${p#*/} ./cmd/copilot-bridge; \
	done

# VS Code's name of a platform, for Go's.
VSCODE     := linux/amd64=linux-x64 linux/arm64=linux-arm64 darwin/amd64=darwin-x64 darwin/arm64=darwin-arm64 windows/amd64=win32-x64 windows/arm64=win32-arm64

vsix: ## the VS Code extension, one VSIX a platform with the program in it and one without (npm)
	umask 022; cd editors/vscode && npm ci && rm -rf *.vsix bin && npx --no-install vsce package --no-dependencies
	@set -e; umask 022; for p in $(VSCODE); do \
	  go=$${p%=*}; target=$${p#*=}; exe=; case $$target in win32-*) exe=.exe;; esac; \
	  rm -rf editors/vscode/bin; \
	  CGO_ENABLED=0 GOOS=$${go%/*} GOARCH=$${go#*/} $(GORELEASE) -o editors/vscode/bin/copilot-bridge$$exe ./cmd/copilot-bridge; \
	  cp build/release/THIRD_PARTY_NOTICES.txt editors/vscode/bin/; \
	  (cd editors/vscode && npx --no-install vsce package --no-dependencies --target $$target); \
	done; rm -rf editors/vscode/bin

vsix: build/release/THIRD_PARTY_NOTICES.txt

copilot: $(CACHE)/copilot-$(COPILOT)/node_modules/.bin/copilot

# The program itself, without the script that npm puts before it and that is a process of Node's.
where-copilot: copilot
	@ls $(CACHE)/copilot-$(COPILOT)/node_modules/@github/copilot-*/copilot 2>/dev/null || echo $(CACHE)/copilot-$(COPILOT)/node_modules/.bin/copilot

$(CACHE)/copilot-$(COPILOT)/node_modules/.bin/copilot:
	mkdir -p $(CACHE)/copilot-$(COPILOT)
	npm install --prefix $(CACHE)/copilot-$(COPILOT) --no-save --no-audit --no-fund @github/copilot@$(COPILOT)

opencode: $(CACHE)/opencode-$(OPENCODE)/node_modules/.bin/opencode

$(CACHE)/opencode-$(OPENCODE)/node_modules/.bin/opencode:
	mkdir -p $(CACHE)/opencode-$(OPENCODE)
	npm install --prefix $(CACHE)/opencode-$(OPENCODE) --no-save --no-audit --no-fund opencode-ai@$(OPENCODE)

qwen: $(CACHE)/qwen-$(QWEN)/node_modules/.bin/qwen

$(CACHE)/qwen-$(QWEN)/node_modules/.bin/qwen:
	mkdir -p $(CACHE)/qwen-$(QWEN)
	npm install --prefix $(CACHE)/qwen-$(QWEN) --no-save --no-audit --no-fund @qwen-code/qwen-code@$(QWEN)

claude: $(CACHE)/claude-agent-acp-$(CLAUDE)/node_modules/.bin/claude-agent-acp

$(CACHE)/claude-agent-acp-$(CLAUDE)/node_modules/.bin/claude-agent-acp:
	mkdir -p $(CACHE)/claude-agent-acp-$(CLAUDE)
	npm install --prefix $(CACHE)/claude-agent-acp-$(CLAUDE) --no-save --no-audit --no-fund @agentclientprotocol/claude-agent-acp@$(CLAUDE)

codex: $(CACHE)/codex-acp-$(CODEX)/node_modules/.bin/codex-acp

$(CACHE)/codex-acp-$(CODEX)/node_modules/.bin/codex-acp:
	mkdir -p $(CACHE)/codex-acp-$(CODEX)
	npm install --prefix $(CACHE)/codex-acp-$(CODEX) --no-save --no-audit --no-fund @agentclientprotocol/codex-acp@$(CODEX)

sdk: $(CACHE)/acp-sdk-$(ACP_SDK)/node_modules/@agentclientprotocol/sdk/package.json

$(CACHE)/acp-sdk-$(ACP_SDK)/node_modules/@agentclientprotocol/sdk/package.json:
	mkdir -p $(CACHE)/acp-sdk-$(ACP_SDK)
	npm install --prefix $(CACHE)/acp-sdk-$(ACP_SDK) --no-save --no-audit --no-fund @agentclientprotocol/sdk@$(ACP_SDK)

$(CACHE)/bin/golangci-lint-$(GOLANGCI):
	mkdir -p $(CACHE)/bin
	GOBIN=$(CACHE)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI)
	mv $(CACHE)/bin/golangci-lint $@

# ---- releases: docs/dev/release.md ----

# The time of everything that is packed is the commit's: GoReleaser, vsce and nfpm take it from here. A zip has
# local times.
release release-snapshot release-packages vsix: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release release-snapshot release-packages vsix: export TZ = UTC

# All of a release but its publication, in dist: archives, packages, SBOMs, checksums, manifests, npm packages, VSIX.
release-snapshot: $(CACHE)/bin/goreleaser-$(GORELEASER) ## a release as it would be published, in dist (npm)
	$(CACHE)/bin/goreleaser-$(GORELEASER) release --snapshot --clean --parallelism 2
	$(MAKE) -s release-packages

release: release-version $(CACHE)/bin/goreleaser-$(GORELEASER) ## publishes the tag that is checked out, as a draft (GITHUB_TOKEN)
	$(CACHE)/bin/goreleaser-$(GORELEASER) release --clean
	$(MAKE) -s release-packages

.PHONY: release-packages
release-packages: build/packaging
	build/packaging manifests . dist
	build/packaging npm . dist
	$(MAKE) -s vsix
	mkdir -p dist/vsix && mv editors/vscode/*.vsix dist/vsix/

# What the archives have beside the program; GoReleaser calls it first.
release-files: build/release/THIRD_PARTY_NOTICES.txt
	rm -rf build/release/man build/release/completions && mkdir -p build/release/man build/release/completions
	go build -trimpath -ldflags='-X main.stamped=$(RELEASE_VERSION)' -o build/copilot-bridge ./cmd/copilot-bridge
	build/copilot-bridge man > build/release/man/copilot-bridge.1
	gzip -9nk build/release/man/copilot-bridge.1
	build/copilot-bridge completion bash > build/release/completions/copilot-bridge.bash
	build/copilot-bridge completion zsh > build/release/completions/_copilot-bridge
	build/copilot-bridge completion fish > build/release/completions/copilot-bridge.fish
	build/copilot-bridge completion powershell > build/release/completions/copilot-bridge.ps1
	build/packaging copyright . build/release/copyright

build/packaging: $(wildcard packaging/*.go packaging/go.* packaging/*.rockspec) $(shell find packaging/templates packaging/npm -type f)
	cd packaging && CGO_ENABLED=0 go build -trimpath -buildvcs=false -o ../build/packaging .

build/release/THIRD_PARTY_NOTICES.txt: build/packaging go.mod go.sum
	build/packaging notices . $@

release-check: ## what is in dist: reproducible, whole, and it runs on a machine without Go (npm, Debian)
	.ci/release

release-version: ## the tag that is checked out is the version of the sources
	@test "$$(git describe --tags --exact-match)" = v$(RELEASE_VERSION) || { echo "the tag is not v$(RELEASE_VERSION), which is in packaging/VERSION"; exit 1; }

packages-mirror: ## the manifests of package managers into the repository PACKAGES_MIRROR
	packaging/mirror packages "$(PACKAGES_MIRROR)"

neovim-mirror: ## the Neovim plugin, with the checksums of the release, into the repository NEOVIM_MIRROR
	packaging/mirror neovim "$(NEOVIM_MIRROR)"

publish-github: ## the draft that make release made, with the VSIX of dist (GH_TOKEN)
	gh release upload v$(RELEASE_VERSION) dist/vsix/*.vsix --clobber
	gh release edit v$(RELEASE_VERSION) --draft=false

publish-npm: ## the packages in dist/npm, those of the platforms first (NODE_AUTH_TOKEN)
	@set -e; for p in dist/npm/copilot-bridge-*-*-*.tgz dist/npm/copilot-bridge-$(RELEASE_VERSION).tgz; do npm publish --access public --//$$(npm config get registry | cut -d/ -f3)/:_authToken=$$NODE_AUTH_TOKEN $$p; done

publish-vsix: ## the VSIX in dist/vsix to both galleries (VSCE_PAT, OVSX_PAT)
	@set -e; cd editors/vscode; npm ci; for v in ../../dist/vsix/*.vsix; do \
	  npx --no-install vsce publish --no-dependencies --packagePath $$v; npx --yes ovsx@$(OVSX) publish --packagePath $$v; done

lint-workflows: $(CACHE)/bin/actionlint-$(ACTIONLINT) ## the workflows of .github
	$(CACHE)/bin/actionlint-$(ACTIONLINT)

# Its database is on the network. Where that cannot be reached there is nothing to compare with, and it says so; everything else
# that goes wrong fails.
vulncheck: $(CACHE)/bin/govulncheck-$(GOVULN) ## known vulnerabilities in what the program calls
	@mkdir -p build; $(CACHE)/bin/govulncheck-$(GOVULN) ./... > build/vulncheck.log 2>&1 && cat build/vulncheck.log || { cat build/vulncheck.log; \
	  test -z "$(VULNCHECK_OFFLINE)" || ! grep -qE 'no such host|i/o timeout|connection refused|network is unreachable' build/vulncheck.log || \
	  { echo "vulncheck: the database cannot be reached from here: nothing was checked"; exit 0; }; exit 1; }

$(CACHE)/bin/goreleaser-$(GORELEASER):
	mkdir -p $(CACHE)/bin
	GOBIN=$(CACHE)/bin CGO_ENABLED=0 go install -trimpath -ldflags='-s -w' github.com/goreleaser/goreleaser/v2@v$(GORELEASER)
	mv $(CACHE)/bin/goreleaser $@

$(CACHE)/bin/actionlint-$(ACTIONLINT):
	mkdir -p $(CACHE)/bin
	GOBIN=$(CACHE)/bin go install github.com/rhysd/actionlint/cmd/actionlint@v$(ACTIONLINT)
	mv $(CACHE)/bin/actionlint $@

$(CACHE)/bin/govulncheck-$(GOVULN):
	mkdir -p $(CACHE)/bin
	GOBIN=$(CACHE)/bin go install golang.org/x/vuln/cmd/govulncheck@v$(GOVULN)
	mv $(CACHE)/bin/govulncheck $@
