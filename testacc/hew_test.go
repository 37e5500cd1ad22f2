package testacc

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// hew runs hew to a good end.
func (s *story) hew(ts *testscript.TestScript, args []string) { s.ends(ts, 0, args) }

// exits runs hew to the end that is stated.
func (s *story) exits(ts *testscript.TestScript, args []string) {
	if len(args) < 2 || args[1] != "hew" {
		ts.Fatalf("exits CODE hew ...")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	s.ends(ts, code, args[2:])
}

func (s *story) ends(ts *testscript.TestScript, code int, args []string) {
	s.proxy.reset(nil)
	run := s.runInside
	if !runsInside(args) {
		run = s.runProcess
	}
	if got := run(ts, args); got != code {
		ts.Fatalf("hew %s ends with %d, not %d", strings.Join(args, " "), got, code)
	}
	if len(args) == 0 || args[0] != "plan" && args[0] != "drift" {
		return
	}
	told := "" // what hew may write, beside what it applies
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-issue="):
			told = "/issues"
		case a == "-comment":
			told = "/notes"
		}
	}
	for _, r := range s.proxy.requests() {
		if r.writes() && (told == "" || !strings.Contains(r.Path, told)) {
			ts.Fatalf("hew %s sent %s %s", args[0], r.Method, r.Path)
		}
	}
}

// seconds are how long a run took, at the end of its last line.
var seconds = regexp.MustCompile(`(\d+ requests?), \d+\.\d s\.`)

// moments are the times that hew tells of what the host has.
var moments = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`)

// hosts are the hosts that plans name, whose ports differ from run to run.
var hosts = regexp.MustCompile(`((?:Plan for|Drift on|Host) ` + "`?)" + `http://127\.0\.0\.1:\d+`)

// withoutFleeting is an answer without what differs from run to run.
func withoutFleeting(said string) string {
	return hosts.ReplaceAllString(moments.ReplaceAllString(seconds.ReplaceAllString(said, "$1"), "TIME"), "${1}HOST")
}

// run runs a program and keeps what it prints. It returns the exit code, -1 for one that was
// killed.
func (s *story) run(ts *testscript.TestScript, program string, args ...string) int {
	err := ts.Exec(program, args...)
	s.print(ts, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	ts.Check(err)
	return 0
}

// runProcess runs hew as a process of its own.
func (s *story) runProcess(ts *testscript.TestScript, args []string) int {
	return s.run(ts, "hew", args...)
}

// print keeps what was printed, and hands it to the script, so that it can be compared with what is
// recorded.
func (s *story) print(ts *testscript.TestScript, stdout, stderr string) {
	s.said.WriteString(stdout + stderr)
	_, _ = io.WriteString(ts.Stdout(), withoutFleeting(stdout))
	_, _ = io.WriteString(ts.Stderr(), stderr)
}

// kill9 runs hew and kills it at one of its writes. The shell leaves the number of the process that
// hew then becomes.
func (s *story) kill9(ts *testscript.TestScript, args []string) {
	if len(args) < 4 || args[2] != "hew" || args[0] != "before" && args[0] != "after" {
		ts.Fatalf("kill9 before|after N hew ...")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	pid := ts.MkAbs(".pid")
	killed := make(chan error, 1)
	s.proxy.reset(&kill{n: n, after: args[0] == "after", signal: sync.OnceFunc(func() { killed <- killProcess(pid) })})
	defer s.proxy.reset(nil)
	code := s.run(ts, "sh", append([]string{"-c", `echo $$ >"$0" && exec hew "$@"`, pid}, args[3:]...)...)
	ts.Check(os.Remove(pid))
	if code != -1 {
		ts.Fatalf("hew ended with %d before its write %d", code, n)
	}
	ts.Check(<-killed)
}

// killProcess kills the process whose number is in a file.
func killProcess(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

// nosecret looks for values that hew must not have told, and for plain hashes of them.
func (s *story) nosecret(ts *testscript.TestScript, values []string) {
	for _, value := range values {
		sum := sha256.Sum256([]byte(value))
		for _, form := range []string{value, hex.EncodeToString(sum[:]), base64.RawStdEncoding.EncodeToString(sum[:]),
			base64.RawURLEncoding.EncodeToString(sum[:])} {
			if strings.Contains(s.said.String(), form) {
				ts.Fatalf("hew printed %s", form)
			}
			ts.Check(absent(s.dir, form))
		}
	}
}

// absent is an error if a file below a directory has the text.
func absent(dir, text string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil && bytes.Contains(content, []byte(text)) {
			err = fmt.Errorf("%s has %s", path, text)
		}
		return err
	})
}
