package policy

import "strings"

// subcommands are those of otherwise plain programs that run what is in a file.
var subcommands = map[string][]string{
	"go":      {"run", "generate", "tool", "get", "install", "env", "telemetry", "mod", "work"},
	"cargo":   {"run", "install", "script", "xtask", "bench"},
	"dotnet":  {"run", "script", "tool", "exec"},
	"flutter": {"run", "pub"}, "dart": {"run", "pub"}, "mix": {"run", "eval", "do"}, "code": {"tunnel"},
}

// launchers are programs that run others, are told what to do by a file, or put a file in another's place. The list is a
// courtesy, not a protection. Numbers at the end of a name are left out, as in [programName].
var launchers = strings.Fields(`
	sh bash rbash zsh dash ash ksh mksh fish csh tcsh elvish nu busybox toybox cmd powershell pwsh
	. source eval exec command builtin coproc trap alias unalias export declare typeset local readonly set unset shopt
	enable hash bind complete function if then else elif fi for while until do done case esac select time
	env xargs nohup nice ionice chrt taskset timeout stdbuf setsid setpriv setarch unshare nsenter chroot sudo doas su runuser
	pkexec gosu ssh sshpass scp sftp rsync watch entr find fd fdfind locate parallel script expect screen tmux at batch crontab
	strace ltrace gdb lldb valgrind perf ld ld-linux ld-linux-x86-64.so ldd rlwrap socat nc ncat netcat telnet openssl
	python pypy ipython perl ruby irb node nodejs deno bun ts-node tsx php lua luajit awk gawk mawk nawk sed ed ex vi vim view
	vimdiff nvim emacs emacsclient nano pico less more most man info pg tclsh wish expect guile scheme racket sbcl clisp ghc
	runghc ocaml erl elixir iex julia r rscript octave scala groovy jshell java kotlin swift osascript wsl jq yq m bc dc
	make gmake bmake cmake ninja meson ant mvn mvnw gradle gradlew bazel buck just task rake invoke tox nox hatch poetry pipenv
	pip pipx uv uvx conda npm npx yarn pnpm pnpx bunx corepack lerna nx turbo gulp grunt gem bundle bundler composer cargo-run
	git hg svn gh glab docker podman nerdctl kubectl helm oc terraform tofu ansible ansible-playbook vagrant packer systemctl
	systemd-run launchctl curl wget aria2c http tar bsdtar cpio zip unzip 7z 7za ar rpm dpkg apt apt-get yum dnf brew snap flatpak
	dd tee install cp mv ln rm chmod chown truncate shred split csplit sort ctags ack ag mysql psql sqlite sqlite3 mongosh redis-cli
	start wmic rundll mshta cscript wscript regsvr certutil bitsadmin msbuild forfiles schtasks reg
	flock chronic ifne sponge pee vipe vidir hyperfine unbuffer linux x86_ ip run run-parts su-exec sg newgrp login
	fakeroot fakechroot firejail bwrap proot cgexec cset numactl prlimit cpulimit torsocks proxychains faketime eatmydata xvfb-run
	dbus-run-session dbus-launch start-stop-daemon logsave tini dumb-init catatonit dtach abduco zellij uftrace rr bpftrace
	watchexec nodemon chokidar air reflex modd foreman honcho overmind pm forever supervisorctl direnv mise asdf rtx nix devbox act
	dagger earthly xterm kitty alacritty wezterm konsole gnome-terminal x-terminal-emulator xdg-open open see run-mailcap explorer
	wslview gio code codium cursor zed subl idea wine mono jrunscript jjs
	yash oksh loksh posh xonsh osh ysh ion murex es rc scsh sash
	rvim gvim mvim nvi elvis kak hx micro joe jed mg zile red editor sensible-editor pager sensible-pager w3m lynx elinks links lv
	jj tig lazygit gitk hub lab mosh autossh lxc lxc-attach docker-compose buildah skopeo runc crun machinectl
	gcc g++ cc c++ clang clang++ tcc as rustc javac scalac kotlinc ghci zig nim crystal v dub swiftc
	stack cabal sbt lein clj clojure bb boot scons waf xmake premake please
	coverage py pyw pythonw pdb ipdb bpython ptpython pdm rye pixi mamba micromamba jupyter django-admin fab celery
	pre-commit lint-staged lefthook babel-node esno zx erb thor raku
	pdftex pdflatex xelatex lualatex luatex latex tex latexmk pandoc gnuplot gs convert magick identify ffmpeg blender gimp inkscape
	libreoffice soffice pulumi cdk sam skaffold tilt helmfile serverless aws gcloud az fly flyctl heroku duckdb
	patch unlink rename mkfifo mknod xxd uudecode gpg gpg2 pass op vault secret-tool security`)

// interpreters are launchers that stand behind one that is not known here: whatever comes before them, they run what comes
// after.
var interpreters = strings.Fields(`sh bash zsh dash ash ksh fish csh tcsh cmd powershell pwsh python perl ruby node php lua eval exec`)

// launcherPrefixes begin the names of whole families of them.
var launcherPrefixes = []string{"git-", "ssh", "systemd-", "nix-", "busybox", "bash-", "ld-", "ld.so", "python", "qemu-", "docker-", "vim."}
