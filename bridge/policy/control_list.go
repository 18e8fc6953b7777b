package policy

// kind says whose files an entry of the control list are.
type kind string

const (
	kindVersions kind = "version control and its hooks"
	kindCI       kind = "continuous integration"
	kindAgents   kind = "agents and MCP servers"
	kindEditors  kind = "editors and language servers"
	kindBoxes    kind = "development containers and cloud workspaces"
	kindEnv      kind = "environments that are loaded by entering a folder"
	kindPackages kind = "package managers and build tools, their own settings"
	kindRuntimes kind = "interpreters and debuggers, their start-up files"
	kindShells   kind = "shells, terminals, the desktop and the login"
)

// control is one row of the list: names that one program, or one family of them, knows.
type control struct {
	kind   kind
	source string // which program reads them and what it starts, and the documentation that says so
	names  string // separated by blanks; "a/b" is b directly in a folder a, and each part is a glob
}

// controlList names the files and folders that are run, or that change what is run or what is asked, although the user
// runs nothing of the project: by opening the folder, entering it in a shell, by a git command, by an agent that starts,
// by a push. What is named counts wherever it is, with all that is below it. Build files and source are not in it
// (Makefile, package.json, build.rs, eslint.config.js): they are what the user runs, and what editors ask about with
// their workspace trust. An entry needs its source; docs/security.md has the list from here.
var controlList = []control{
	{kindVersions, "git runs the hooks in it, and the programs that its configuration and attributes name: fsmonitor, filters, diff and merge drivers, aliases (git-scm.com/docs/gitrepository-layout, git-config, gitattributes)", ".git *.git .gitmodules .gitattributes .gitconfig .gitignore_global .config/git"},
	{kindVersions, "by convention what core.hooksPath names, which git then runs (git-scm.com/docs/git-config, core.hooksPath); git does not look for these names itself", ".githooks .git-hooks"},
	{kindVersions, "husky makes it core.hooksPath: git runs the scripts in it (typicode.github.io/husky)", ".husky .huskyrc*"},
	{kindVersions, "lefthook, called by git's hooks, runs the commands and scripts in it (lefthook.dev/configuration)", "lefthook.* lefthook-local.* .lefthook .lefthook.* .lefthook-local .lefthook-local.* .config/lefthook*"},
	{kindVersions, "pre-commit and prek, called by git's hooks, fetch and run what it names (pre-commit.com, github.com/j178/prek)", ".pre-commit-config.y*ml .pre-commit-hooks.y*ml prek.toml"},
	{kindVersions, "overcommit, called by git's hooks, runs the commands and plugins that it names (github.com/sds/overcommit)", ".overcommit.yml .local-overcommit.yml .overcommit"},
	{kindVersions, "simple-git-hooks writes its commands into git's hooks (github.com/toplenboren/simple-git-hooks)", ".simple-git-hooks.* simple-git-hooks.*"},
	{kindVersions, "lint-staged, called by a hook, runs its commands, and a .js file itself (github.com/lint-staged/lint-staged)", ".lintstagedrc* lint-staged.config.*"},
	{kindVersions, "commitlint, called by a hook, loads it as a module, and the plugins that it names (commitlint.js.org/reference/configuration)", ".commitlintrc* commitlint.config.*"},
	{kindVersions, "hk, called by git's hooks, runs its steps (hk.jdx.dev/configuration)", "hk.pkl .hk .hkrc.pkl hk.local.pkl"},
	{kindVersions, "trunk, called by git's hooks and by its extension, fetches and runs the tools in trunk.yaml (docs.trunk.io/code-quality/setup)", ".trunk"},
	{kindVersions, "gitlint, called by a hook, loads Python rules from extra-path (jorisroovers.com/gitlint/configuration)", ".gitlint"},
	{kindVersions, "GrumPHP and CaptainHook, called by git's hooks, run its tasks and actions (github.com/phpro/grumphp, github.com/captainhook-git/captainhook)", "grumphp.y*ml .grumphp.y*ml captainhook.json .captainhook.json"},
	{kindVersions, "rusty-hook, called by git's hooks, runs its commands (github.com/swellaby/rusty-hook)", ".rusty-hook.toml rusty-hook.toml"},
	{kindVersions, "Mercurial runs the hooks and loads the extensions that hgrc names (mercurial-scm.org/help/topics/config); .hgsub names repositories to fetch", ".hg .hgrc .hgsub .config/hg"},
	{kindVersions, "Jujutsu starts the editors, diff and merge tools, signers and fix tools that its configuration names (jj-vcs.github.io/jj/latest/config)", ".jj .jjconfig.toml .config/jj"},
	{kindVersions, "Sapling runs the hooks and extensions that .sl/config names (sapling-scm.com/docs/introduction)", ".sl .sapling"},
	{kindVersions, "Subversion (helpers of .subversion/config: svnbook.red-bean.com), Bazaar (plugins and hooks of its branch), darcs (pre- and posthooks of _darcs/prefs/defaults: darcs.net/manual), Fossil (versioned settings name editors and diff commands: fossil-scm.org)", ".svn .subversion .bzr _darcs .fossil-settings .fslckout _fossil_"},
	{kindVersions, "repo runs its own copy and the project hooks in .repo (gerrit.googlesource.com/git-repo), gclient runs .gclient as Python and the hooks of DEPS (chromium.googlesource.com/chromium/tools/depot_tools)", ".repo .repoconfig .gclient"},
	{kindVersions, "arc loads the PHP libraries of .arcconfig, and runs the linters and test engines of the others (secure.phabricator.com/book/phabricator/article/arcanist_new_project)", ".arcconfig .arclint .arcunit"},
	{kindVersions, "cargo-husky copies .cargo-husky/hooks into git's hooks, which git runs (github.com/rhysd/cargo-husky)", ".cargo-husky"},

	{kindCI, "GitHub runs the workflows and actions with each push; Copilot its hooks, the servers of agents and extensions (measured), and sends the texts (docs.github.com/actions/reference/workflows-and-actions)", ".github .github/workflows .github/actions .github/hooks .github/agents .github/copilot* .github/instructions .github/prompts .github/skills .github/chatmodes .github/extensions .github/plugin*"},
	{kindCI, "GitHub and GitLab ask whom it names to review (docs.github.com/repositories, about code owners); nothing is started", "codeowners"},
	{kindCI, "docs.gitlab.com/ci/yaml", ".gitlab-ci.y*ml *.gitlab-ci.y*ml .gitlab-ci .gitlab/ci .gitlab/agents .gitlab/duo"},
	{kindCI, "circleci.com/docs/configuration-reference", ".circleci circle.y*ml"},
	{kindCI, "buildkite.com/docs/pipelines", ".buildkite buildkite.y*ml buildkite.json"},
	{kindCI, "Travis CI runs its script with each push (docs.travis-ci.com)", ".travis.y*ml"},
	{kindCI, "learn.microsoft.com/azure/devops/pipelines/yaml-schema", "azure-pipelines*.y*ml .azure-pipelines* .azuredevops .pipelines .vsts-ci.y*ml"},
	{kindCI, "support.atlassian.com/bitbucket-cloud/docs/bitbucket-pipelines-configuration-reference", "bitbucket-pipelines.y*ml"},
	{kindCI, "appveyor.com/docs/appveyor-yml", "appveyor.y*ml .appveyor.y*ml .appveyor"},
	{kindCI, "docs.gitea.com/usage/actions, forgejo.org/docs/latest/user/actions", ".gitea .forgejo .gogs"},
	{kindCI, "woodpecker-ci.org/docs/usage/workflow-syntax", ".woodpecker*"},
	{kindCI, "docs.drone.io/pipeline", ".drone.* .drone"},
	{kindCI, "jenkins.io/doc/book/pipeline/jenkinsfile", "jenkinsfile* *.jenkinsfile .jenkins"},
	{kindCI, "cirrus-ci.org/guide/writing-tasks", ".cirrus.*"},
	{kindCI, "man.sr.ht/builds.sr.ht", ".builds .build.y*ml"},
	{kindCI, "docs.semaphoreci.com, jetbrains.com/help/teamcity, docs.screwdriver.cd, developer.harness.io", ".semaphore .teamcity screwdriver.yaml .harness"},
	{kindCI, "devcenter.bitrise.io, docs.codemagic.io, codefresh.io/docs, buddy.works/docs, docs.cloudbees.com/codeship", "bitrise.y*ml .bitrise* codemagic.yaml codefresh.y*ml .codefresh buddy.y*ml .buddy codeship-*.y*ml"},
	{kindCI, "Wercker and Shippable ran them with each push; both services have ended, self-hosted copies may still (devcenter.wercker.com)", "wercker.y*ml shippable.y*ml"},
	{kindCI, "cloud.google.com/build/docs, docs.aws.amazon.com/codebuild, docs.aws.amazon.com/amplify", "cloudbuild.y*ml cloudbuild.json buildspec*.y*ml appspec.y*ml amplify.y*ml"},
	{kindCI, "tekton.dev/docs, zuul-ci.org/docs, packit.dev/docs, docs.taskcluster.net", ".tekton .zuul.y*ml zuul.y*ml .zuul.d zuul.d .packit.y*ml packit.y*ml .taskcluster.y*ml .copr"},
	{kindCI, "docs.readthedocs.io/en/stable/config-file, docs.netlify.com/configure-builds, vercel.com/docs/project-configuration", ".readthedocs.y*ml netlify.toml .netlify vercel.json .vercel"},
	{kindCI, "docs.renovatebot.com/configuration-options, docs.mergify.com", "renovate.json* .renovaterc* .mergify.y*ml .mergify"},
	{kindCI, "docs.prow.k8s.io/docs/inrepoconfig, go-vela.github.io/docs, docs.onedev.io, github.com/tomzo/gocd-yaml-config-plugin", ".prow .prow.y*ml .vela.y*ml .onedev-buildspec.yml *.gocd.y*ml .gocd"},
	{kindCI, "docs.upsun.com, docs.platform.sh, render.com/docs/blueprint-spec, docs.railway.com/reference/config-as-code", ".upsun .platform .platform.app.y*ml render.y*ml railway.json railway.toml"},

	{kindAgents, "Copilot sends the texts to the model, starts the servers of agents and of .copilot/mcp-config.json (docs.github.com/copilot/customizing-copilot)", ".copilot .copilotignore copilot-instructions.md *.instructions.md *.prompt.md *.chatmode.md *.agent.md .config/github-copilot"},
	{kindAgents, "Copilot, Codex, Cursor and others send it to the model with each session (agents.md); Copilot 1.0.102 with the first prompt (measured)", "agents.md agents.*.md agent.md .agents .agent"},
	{kindAgents, "agentskills.io/specification", "skill.md"},
	{kindAgents, "MCP clients start the servers that it names (modelcontextprotocol.io/docs); Copilot those of .mcp.json in folders that it trusts (measured)", ".mcp .mcp.json mcp.json .mcp.*.json *.mcp.json mcp-config.json mcp_config.json mcp_settings.json *_mcp_settings.json claude_desktop_config.json"},
	{kindAgents, "Claude Code runs the hooks and helpers of its settings and starts its servers; Copilot starts those of .claude/agents (measured) (docs.claude.com/en/docs/claude-code/settings)", ".claude .claude.json .claude-plugin claude.md claude.*.md"},
	{kindAgents, "cursor.com/docs/context/rules", ".cursor .cursorrules .cursorignore .cursorindexingignore"},
	{kindAgents, "docs.windsurf.com/windsurf/cascade/memories", ".windsurf* .codeium .codeiumignore"},
	{kindAgents, "github.com/openai/codex/blob/main/docs/config.md", ".codex"},
	{kindAgents, "geminicli.com/docs/reference/configuration", ".gemini gemini.md .geminiignore .aiexclude .idx"},
	{kindAgents, "docs.continue.dev/reference", ".continue .continuerc.json .continuerules .continueignore"},
	{kindAgents, "docs.cline.bot/customization/cline-rules", ".cline .clinerules* .clineignore"},
	{kindAgents, "docs.roocode.com/features/custom-instructions", ".roo .roorules* .roomodes .rooignore"},
	{kindAgents, "kilocode.ai/docs", ".kilocode* .kilo .kilo.json* kilo.json*"},
	{kindAgents, "docs.augmentcode.com/setup-augment", ".augment*"},
	{kindAgents, "qwenlm.github.io/qwen-code-docs", ".qwen .qwenignore qwen.md"},
	{kindAgents, "kiro.dev/docs/steering, docs.aws.amazon.com/amazonq", ".kiro .amazonq"},
	{kindAgents, "opencode.ai/docs/config", ".opencode opencode.json* .config/opencode"},
	{kindAgents, "ampcode.com/manual", ".amp .config/amp"},
	{kindAgents, "docs.factory.ai/cli/configuration", ".factory .droid"},
	{kindAgents, "junie.jetbrains.com/docs", ".junie .aiignore"},
	{kindAgents, "docs.trae.ai/ide/rules", ".trae .marscode"},
	{kindAgents, "aider.chat/docs/config", ".aider*"},
	{kindAgents, "block.github.io/goose/docs/guides/config-files", ".goosehints .goose .gooseignore .config/goose"},
	{kindAgents, "github.com/charmbracelet/crush", ".crush crush.json .crush.json crush.md .crushignore .config/crush"},
	{kindAgents, "docs.openhands.dev/usage/prompting", ".openhands*"},
	{kindAgents, "docs.warp.dev, zed.dev/docs/ai/rules", "warp.md .warp .rules"},
	{kindAgents, "docs.tabnine.com, sourcegraph.com/docs/cody, docs.zencoder.ai, docs.firebender.com", ".tabnine* .cody .sourcegraph .zencoder .firebender firebender.json"},
	{kindAgents, "codebuddy.ai/docs, docs.qoder.com, help.aliyun.com/lingma, iflow.cn", ".codebuddy codebuddy.md .qoder .lingma .comate .iflow iflow.md"},
	{kindAgents, "github.com/mistralai/mistral-vibe, docs.devin.ai, github.com/plandex-ai/plandex, forgecode.dev/docs, developer.atlassian.com/rovo", ".vibe .devin .plandex* .forge forge.yaml .rovodev .pi .cagent"},
	{kindAgents, "docs/security.md (the bridge's own)", ".copilot-bridge .config/copilot-bridge state/copilot-bridge"},
	{kindAgents, "docs.coderabbit.ai, qodo-merge-docs.qodo.ai (they review what is pushed)", ".coderabbit.y*ml .pr_agent.toml"},
	{kindAgents, "jetbrains.com/help/ai-assistant (rules), eca.dev/config, codebuff.com/docs (startupProcesses), gptme.org/docs (context_cmd)", ".aiassistant .eca codebuff.json gptme.toml"},
	{kindAgents, "ravitemer.github.io/mcphub.nvim, github.com/yetone/avante.nvim, github.com/superagent-ai/grok-cli", ".mcphub *.avanterules .grok"},

	{kindEditors, "VS Code and its kin run the tasks of folderOpen and the programs that settings name, once the folder is trusted (code.visualstudio.com/docs/configure/settings, /docs/debugtest/tasks)", ".vscode .vscode-* .vscodium .code-oss .positron .theia *.code-workspace *.code-profile"},
	{kindEditors, "JetBrains IDEs run start-up tasks, file watchers and external tools of the project, once it is trusted (jetbrains.com/help/idea/settings-tools-startup-tasks.html)", ".idea *.iml *.ipr *.iws .fleet"},
	{kindEditors, "Visual Studio runs the tasks and launches that they define (learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio)", ".vs *.suo launch.vs.json tasks.vs.json vsworkspacesettings.json"},
	{kindEditors, "Zed and Helix start the language servers and tasks that they name (zed.dev/docs/configuring-zed, docs.helix-editor.com/languages.html)", ".zed .config/zed .helix .config/helix"},
	{kindEditors, "Vim and Neovim run them at the start, those of a project with 'exrc' (neovim.io/doc/user/options.html, vimhelp.org/starting.txt.html)", ".exrc .vim .nvim .nvim.lua .nvimrc .vimrc _vimrc .gvimrc .vimrc.* .viminfo .config/nvim .config/vim"},
	{kindEditors, "github.com/embear/vim-localvimrc, lazy.folke.io (.lazy.lua), github.com/folke/neoconf.nvim, github.com/puremourning/vimspector", ".lvimrc .lnvimrc .lnvim.lua .local.vimrc .localrc.lua .lazy.lua .neoconf.json .nlsp-settings .vimspector.json .projections.json coc-settings.json"},
	{kindEditors, "Emacs evaluates forms of directory variables, after a question, and runs its start-up files (gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html)", ".dir-locals*.el .emacs .emacs.* .emacs.d .doom.d .spacemacs* .config/emacs .config/doom"},
	{kindEditors, "Projectile takes from it what belongs to a project; nothing is started (docs.projectile.mx/projectile/projects.html)", ".projectile"},
	{kindEditors, "Sublime Text runs its build systems, and LSP the servers that its settings name (sublimetext.com/docs/projects.html)", "*.sublime-project *.sublime-workspace"},
	{kindEditors, "kakoune.org, docs.nova.app, lite-xl.com, orbitalquark.github.io/textadept, micro-editor.github.io, pulsar-edit.dev", ".kak .kakrc* .config/kak .nova .lite_project.lua .lite-xl .config/lite-xl .textadept .config/micro .atom .pulsar"},
	{kindEditors, "help.eclipse.org (project builders), netbeans.apache.org", ".project .externaltoolbuilders .eclipse nbproject"},
	{kindEditors, "editors start the build server whose argv stands in .bsp (build-server-protocol.github.io/docs/overview/server-discovery); Metals and Bloop do with theirs (scalameta.org/metals)", ".bsp .metals .bloop"},
	{kindEditors, "clangd and ccls take compilers and flags from them, plugins among these (clangd.llvm.org/config, github.com/MaskRay/ccls/wiki)", ".clangd .ccls .config/clangd"},
	{kindEditors, "lua-language-server runs the plugin that it names (luals.github.io/wiki/configuration)", ".luarc.*"},
	{kindEditors, "rust-analyzer runs the check, format and proc-macro programs that it names (rust-analyzer.github.io/book/configuration.html)", "rust-analyzer.toml .rust-analyzer.toml"},
	{kindEditors, "shopify.github.io/ruby-lsp, solargraph.org/guides/configuration", ".ruby-lsp .solargraph.y*ml"},
	{kindEditors, "jetbrains.com/help/idea/run-debug-configuration.html (shared run configurations)", ".run *.run.xml"},
	{kindEditors, "github.com/ycm-core/YouCompleteMe, vimhelp.org/starting.txt.html (views-sessions), ternjs.net/doc/manual.html", ".ycm_extra_conf.py session.vim .tern-project"},
	{kindEditors, "haskell-language-server.readthedocs.io (cradles run programs), clojure-lsp.io/settings (classpath-cmd), phpactor.readthedocs.io, github.com/ocaml/merlin/wiki", "hie.yaml .lsp .phpactor.* .merlin"},
	{kindEditors, "github.com/swiftlang/sourcekit-lsp (Configuration File), github.com/BetterThanTomorrow/joyride, gnu.org/software/global/manual (gtags.conf)", ".sourcekit-lsp .joyride gtags.conf"},

	{kindBoxes, "editors and Codespaces run initializeCommand on the host, the other commands in the container (containers.dev/implementors/json_reference)", ".devcontainer .devcontainer.json"},
	{kindBoxes, "gitpod.io/docs, devfile.io/docs, docs.replit.com, stackblitz.com/docs, codesandbox.io/docs", ".gitpod* .devfile.y*ml devfile.y*ml .replit replit.nix replit.md .stackblitzrc .codesandbox .ona .coder"},
	{kindBoxes, "repo2docker.readthedocs.io, docs.ddev.com, docs.lando.dev", ".binder .ddev .lando*"},

	{kindEnv, "direnv runs it with bash on entering the folder, once it is allowed (direnv.net)", ".envrc .direnv .direnvrc .config/direnv"},
	{kindEnv, "autoenv runs .env and .autoenv on entering the folder (github.com/hyperupcall/autoenv); dotenv libraries take the environment of programs from it (github.com/motdotla/dotenv)", ".env* .autoenv*"},
	{kindEnv, "mise runs templates, hooks and tasks, and sets the path, on entering the folder, once it is trusted (mise.jdx.dev/configuration.html)", "mise.toml mise.*.toml mise.lock .mise .mise.* mise/config*.toml .config/mise* mise-tasks .mise-tasks .rtx*"},
	{kindEnv, "asdf chooses by it which program a shim starts, also one by its path (asdf-vm.com/manage/configuration.html)", ".tool-versions .asdfrc .asdf"},
	{kindEnv, "the shims of pyenv (CVE-2022-35861: github.com/pyenv/pyenv), rbenv (github.com/rbenv/rbenv), nodenv (github.com/nodenv/nodenv), nvm (github.com/nvm-sh/nvm), SDKMAN (sdkman.io/usage) and jenv (jenv.be) choose by it which program starts", ".python-version .ruby-version .node-version .nvmrc .java-version .sdkmanrc .go-version"},
	{kindEnv, "rustup starts the toolchain that it names, also one by its path (rust-lang.github.io/rustup/overrides.html)", "rust-toolchain rust-toolchain.toml"},
	{kindEnv, "devenv.sh/automatic-shell-activation, jetify.com/devbox/docs, flox.dev/docs", "devenv.nix devenv.y*ml devenv.local.* .devenv* devbox.json .devbox .flox"},
	{kindEnv, "cashapp.github.io/hermit, moonrepo.dev/docs/proto, vfox.dev, docs.pkgx.sh, shopify.github.io/shadowenv", "hermit.hcl .hermit .prototools .proto .moon .vfox.toml .vfox .pkgx.y*ml pkgx.y*ml .shadowenv.d"},
	{kindEnv, "editors find these interpreters in the folder and run them (code.visualstudio.com/docs/python/environments)", ".venv/bin .venv/scripts .conda/bin venv/bin venv/scripts .pdm-python"},

	{kindPackages, "npm takes its shell, registry and git from .npmrc (docs.npmjs.com/cli/configuring-npm/npmrc), pnpm runs pnpmfiles (pnpm.io/pnpmfile), Yarn the release and plugins that .yarnrc names (yarnpkg.com/configuration/yarnrc), Bun preloads (bun.com/docs/runtime/bunfig)", ".npmrc .pnpmfile.* pnpmfile.* .yarnrc* .yarn/releases .yarn/plugins .yarn/sdks bunfig.toml .bunfig.toml .corepack.env"},
	{kindPackages, "Cargo starts the rustc, wrapper, linker, runner and credential provider that it names (doc.rust-lang.org/cargo/reference/config.html)", ".cargo/config .cargo/config.toml .cargo/bin"},
	{kindPackages, "pip.pypa.io/en/stable/topics/configuration, docs.astral.sh/uv/reference/settings, docs.conda.io", "pip.conf pip.ini .pip .config/pip .pypirc uv.toml .config/uv .condarc .mambarc .pixi/config.toml"},
	{kindPackages, "bundler.io/man/bundle-config.1.html, guides.rubygems.org", ".bundle .gemrc"},
	{kindPackages, "maven.apache.org/configure.html, docs.gradle.org/current/userguide/gradle_wrapper.html, scala-sbt.org", ".mvn .m2 .mavenrc .gradle gradle/wrapper .sbtopts .sbt .jvmopts"},
	{kindPackages, "Bazel takes options of each command from .bazelrc (bazel.build/run/bazelrc), Bazelisk starts tools/bazel and the version that is named (github.com/bazelbuild/bazelisk), Buck2 its tools from .buckconfig (buck2.build/docs)", ".bazelrc .bazelrc.* *.bazelrc .bazeliskrc .bazelversion tools/bazel .buckconfig*"},
	{kindPackages, "learn.microsoft.com/nuget/reference/nuget-config-file, learn.microsoft.com/dotnet/core/tools/local-tools", "nuget.config .nuget .config/dotnet-tools.json"},
	{kindPackages, "pkg.go.dev/cmd/go (GOENV), developer.hashicorp.com/terraform/cli/config, swift.org, nix.dev/manual", ".config/go .terraformrc terraform.rc .swiftpm .config/nix"},
	{kindPackages, "pnpm.io/settings, yarnpkg.com/features/pnp, bower.io/docs/config (scripts)", "pnpm-workspace.yaml .pnp.* .bowerrc"},
	{kindPackages, "python-poetry.org/docs/configuration, pantsbuild.org (.pants.bootstrap), mill-build.org, luarocks.org", "poetry.toml .pants.* .mill-* .luarocks"},

	{kindRuntimes, "Python imports sitecustomize and usercustomize and runs the import lines of .pth files at each start; pyvenv.cfg says whose (docs.python.org/3/library/site.html)", "sitecustomize.py usercustomize.py pyvenv.cfg *.pth"},
	{kindRuntimes, "docs.python.org/3/library/pdb.html, ipython.readthedocs.io, docs.jupyter.org", ".pdbrc .pdbrc.* .pythonrc* .pythonstartup ipython_config.py .ipython .jupyter"},
	{kindRuntimes, "gdb runs .gdbinit and the scripts beside a program it loads (sourceware.org/gdb/current/onlinedocs/gdb.html), lldb .lldbinit (lldb.llvm.org/man/lldb.html), radare2 its own (book.rada.re)", ".gdbinit .gdbearlyinit *-gdb.py *-gdb.gdb *-gdb.scm .lldbinit* .config/gdb .radare2rc"},
	{kindRuntimes, "docs.ruby-lang.org (irb), github.com/pry/pry, github.com/deivid-rodriguez/byebug", ".irbrc .pryrc .byebugrc .rdbgrc"},
	{kindRuntimes, "stat.ethz.ch/R-manual (Startup), docs.octave.org, php.net/manual/configuration.file.per-user", ".rprofile .renviron .octaverc .user.ini .perldb .sqliterc .psqlrc .ghci"},
	{kindRuntimes, "hexdocs.pm/iex (.iex.exs), erlang.org/doc, ocaml.org/manual (toplevel), mathworks.com/help/matlab (startup.m), ctan.org/pkg/latexmk", ".iex.exs .erlang .ocamlinit startup.m latexmkrc .latexmkrc"},

	{kindShells, "gnu.org/software/bash/manual, zsh.sourceforge.io/Doc", ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile .zlogin .zlogout .zsh .oh-my-zsh .config/zsh .config/bash .inputrc"},
	{kindShells, "man.openbsd.org/ksh, tcsh.org, fishshell.com/docs, nushell.sh/book, elv.sh, xon.sh", ".kshrc .mkshrc .shrc .cshrc .tcshrc .login .logout .config/fish .config/nushell .config/elvish .config/xonsh .xonshrc"},
	{kindShells, "PowerShell runs profiles at each start (learn.microsoft.com/powershell, about_Profiles)", "profile.ps1 *_profile.ps1 .config/powershell"},
	{kindShells, "man.openbsd.org/ssh_config, gnupg.org/documentation, curl.se/docs/manpage.html", ".ssh authorized_keys .gnupg .netrc _netrc .curlrc .wgetrc"},
	{kindShells, "docs.aws.amazon.com/cli (credential_process), kubernetes.io/docs (exec plugins), docs.docker.com (helpers), cli.github.com/manual (aliases)", ".aws .kube .docker/config.json .docker/cli-plugins .azure .config/gcloud .config/gh .config/containers"},
	{kindShells, "man.openbsd.org/tmux, gnu.org/software/screen/manual, wezterm.org, sw.kovidgoyal.net/kitty", ".tmux.conf .tmux .tmuxinator* .tmuxp* .screenrc .wezterm.lua .config/tmux .config/wezterm .config/kitty .config/alacritty .config/ghostty .config/zellij"},
	{kindShells, "specifications.freedesktop.org/autostart-spec, systemd.io, developer.apple.com (launchd)", ".config/autostart .config/systemd .config/environment.d .config/user-tmpfiles.d systemd/user .xprofile .xinitrc .xsession* .xsessionrc .pam_environment .local/bin launchagents launchdaemons"},
	{kindShells, "learn.microsoft.com/windows/win32/shell (Desktop.ini, Autorun.inf, startup folder)", "desktop.ini autorun.inf programs/startup"},
}

// proseIn are folders of the list in which prose and pictures are ordinary files, unless another entry names them.
var proseIn = []string{".github"}

// prose are names of such files. An SVG is none: it can hold a script.
var prose = []string{"*.md", "*.markdown", "*.txt", "*.rst", "*.adoc", "*.png", "*.jpg", "*.jpeg", "*.gif", "*.webp", "*.ico", "license*", "licence*"}
