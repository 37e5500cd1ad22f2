package testacc

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"hew/cmd/hew/cli"
)

// runInside runs hew in a directory, inside the process of the tests: to start a process takes more
// CPU time than most runs. Nothing can be read from standard input. It returns the exit code and
// what hew printed.
func runInside(ctx context.Context, dir string, environ []string, args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = cli.Run(ctx, "test", cli.Process{
		Args: slices.Concat([]string{"-chdir=" + dir}, args), Environ: environ,
		In: strings.NewReader(""), Out: &out, Err: &err,
	})
	return code, out.String(), err.String()
}

// runsInside reports whether a story can run hew inside the process of the tests. It cannot if hew
// reads standard input, has a -chdir already, or prints the command to run next, which would name
// the one that it has here.
func runsInside(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		return arg == "console" || strings.HasPrefix(arg, "-chdir") || strings.HasPrefix(arg, "-out")
	})
}

// assignments are the environment variables that a script sets.
var assignments = regexp.MustCompile(`(?m)^env (\w+)=`)

// namesSet returns the names of the environment variables that a story has when it begins and of
// those that its script sets.
func namesSet(environ []string, script string) (names []string) {
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	for _, found := range assignments.FindAllStringSubmatch(script, -1) {
		names = append(names, found[1])
	}
	return names
}

// runInside runs hew as runInside does, with the directory and the environment of the script. An
// empty variable is left out: hew takes it as one that is not set.
func (s *story) runInside(ts *testscript.TestScript, args []string) int {
	var environ []string
	for _, name := range s.variables {
		if value := ts.Getenv(name); value != "" {
			environ = append(environ, name+"="+value)
		}
	}
	code, stdout, stderr := runInside(s.t.Context(), filepath.Clean(ts.MkAbs(".")), environ, args...)
	s.print(ts, stdout, stderr)
	return code
}
