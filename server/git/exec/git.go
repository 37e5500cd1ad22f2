// Package exec runs the git binary, for what git does better than we do: packing, merging,
// patches, blame and archives.
//
// A git process gets nothing of hewd's environment and reads no configuration but that of the
// repository and the settings below. No shell is involved, and names that come from users stand
// after "--" or "--end-of-options" in the arguments, or in the standard input. A process that is no
// longer wanted is killed together with its children.
package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// minMajor and minMinor are the first version of git that has everything that is used, such as
// merge-tree --write-tree.
const minMajor, minMinor = 2, 39

// Git is an installation of git. It can be used by several goroutines at once.
type Git struct {
	path, version string
	env           []string
	heavy         chan struct{} // has room for the heavy processes that may run at once
	grace         time.Duration
}

// Path returns the absolute path of the program.
func (g *Git) Path() string { return g.path }

// Version returns the version, such as "2.39.5".
func (g *Git) Version() string { return g.version }

// Find returns the git at a path, or, if path is empty, the one in PATH or the one that `make demo`
// put into the cache. It fails if there is none, or one older than 2.39.
func Find(path string) (*Git, error) { return findWithin(path, 10*time.Second) }

// findWithin is Find with the time that the program has to say its version.
func findWithin(path string, timeout time.Duration) (*Git, error) {
	path, err := locateGit(path)
	if err != nil {
		return nil, err
	}
	g := &Git{path: path, heavy: make(chan struct{}, 2*runtime.GOMAXPROCS(0)), grace: defaultGrace}
	g.env = newEnvironment(filepath.Dir(path), findPrograms(path))
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.WaitDelay = g.grace
	cmd.Env = g.env
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = fmt.Errorf("it has not ended after %v: is it git?", timeout)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s version: %w", path, err)
	}
	g.version, err = checkVersion(string(out))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

func locateGit(path string) (string, error) {
	if path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("find git: %w: name an existing program with --git or HEWD_GIT, "+
				"or omit both to use the one in PATH", err)
		}
		return filepath.Abs(path)
	}
	if path, err := exec.LookPath("git"); err == nil {
		return filepath.Abs(path)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		path := filepath.Join(cache, "hew", "git", "usr", "bin", "git")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("find git: it is not in PATH: install version %d.%d or later (apt-get install git)",
		minMajor, minMinor)
}

// findPrograms returns where git's own programs are if they moved together with the binary, as in
// an unpacked package; git itself looks where it was installed.
func findPrograms(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	root := filepath.Dir(filepath.Dir(path))
	for _, dir := range []string{"lib/git-core", "libexec/git-core"} {
		dir = filepath.Join(root, filepath.FromSlash(dir))
		if _, err := os.Stat(filepath.Join(dir, "git")); err == nil {
			return dir
		}
	}
	return ""
}

// checkVersion reads "git version 2.39.5 (Apple Git-154)".
func checkVersion(line string) (string, error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), "git version ")
	if !ok {
		return "", fmt.Errorf("it is not git: \"version\" printed %.100q", line)
	}
	version, _, _ := strings.Cut(text, " ")
	numbers := strings.SplitN(version, ".", 3)
	if len(numbers) < 2 {
		return "", fmt.Errorf("its version is %.100q: want a number such as %d.%d.0", text, minMajor, minMinor)
	}
	major, err1 := strconv.Atoi(numbers[0])
	minor, err2 := strconv.Atoi(numbers[1])
	if err := errors.Join(err1, err2); err != nil {
		return "", fmt.Errorf("its version is %.100q: want a number such as %d.%d.0", text, minMajor, minMinor)
	}
	if major < minMajor || major == minMajor && minor < minMinor {
		return "", fmt.Errorf("git %s is too old: install version %d.%d or later", version, minMajor, minMinor)
	}
	return version, nil
}

// settings are git's settings that every process has, by name and value.
var settings = [][2]string{
	{"safe.directory", "*"},        // the cache may belong to another user than the one that runs hewd
	{"core.hooksPath", os.DevNull}, // no hooks
	{"core.logAllRefUpdates", "false"},
	{"gc.auto", "0"}, // jobs do this
	{"maintenance.auto", "false"},
	{"pack.threads", "1"},           // several processes share the cores
	{"core.packedGitLimit", "256m"}, // address space for packs, per process
	{"protocol.version", "2"},
}

// newEnvironment returns the variables of every process. The directory is that of the binary;
// programs may be empty.
func newEnvironment(directory, programs string) []string {
	env := []string{
		"PATH=" + directory,
		"HOME=/nonexistent",
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TEMPLATE_DIR=",
		"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings)),
	}
	if programs != "" {
		env = append(env, "GIT_EXEC_PATH="+programs)
	}
	for i, setting := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+setting[0], "GIT_CONFIG_VALUE_"+n+"="+setting[1])
	}
	return env
}
