package cli

import (
	"io"
	"os/exec"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// atTerminal is the scripts' command `terminal FILE PROGRAM ARGS`: the program runs at a terminal,
// at which somebody types the file and then has no more to say. What is seen there is standard
// output. testscript's own terminal closes before all of that was read.
func atTerminal(ts *testscript.TestScript, fails bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: terminal FILE PROGRAM [ARG...]")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), []string{"TERM=xterm"}
	for _, name := range []string{"PATH", "HOME", "HEW_URL", "NO_COLOR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	seat, err := pty.Start(cmd)
	ts.Check(err)
	defer seat.Close()
	_, err = io.WriteString(seat, ts.ReadFile(args[0])+"\x04")
	ts.Check(err)
	seen, _ := io.ReadAll(seat) // it ends with an error on Linux, always
	_, err = ts.Stdout().Write(seen)
	ts.Check(err)
	if err := cmd.Wait(); (err != nil) != fails {
		ts.Fatalf("%q: %v", args[1:], err)
	}
}
