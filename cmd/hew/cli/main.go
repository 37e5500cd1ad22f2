// Package cli is the command line of hew, one file a command. A command parses its flags, lets the
// engine do the work, and hands the result to a view. Main is the whole program, so a build with
// kinds of its own is a main package of a few lines.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	_ "hew/cmd/hew/heap" // before other packages allocate
	"hew/cmd/hew/session"
	"hew/cmd/hew/view"
	"hew/cmd/hew/workdir"
	"hew/provider"
)

// Main runs hew with the arguments, the environment and the streams of this process, and returns
// its exit code. Version is the version of the build; kinds can be declared in addition to hew's
// own.
func Main(version string, kinds ...provider.Kind) int {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(os.Stderr, "\nInterrupted. No new requests are sent, and those in flight are waited for. "+
			"Interrupt again to quit at once.")
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "\nQuit. Run hew again: it finds out what was done and finishes the rest.")
		workdir.RemoveTemporary()
		os.Exit(1)
	}()
	return Run(ctx, version, Process{
		Args: os.Args[1:], Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}, kinds...)
}

// Process is what a run of hew knows of the process that it runs in.
type Process struct {
	Args     []string // without the name of the program
	Environ  []string // as NAME=value
	In       io.Reader
	Out, Err io.Writer // terminals are recognized
}

// Run is Main for programs that run hew inside their own process. It may be called several times at
// once, each time with a -chdir of its own. A context that ends interrupts the run: requests in
// flight are waited for and no new ones are sent.
func Run(ctx context.Context, version string, p Process, kinds ...provider.Kind) int {
	offline, err := provider.New(nil, kinds...)
	if err != nil {
		fmt.Fprintf(p.Err, "Error: %v\n", err)
		return 1
	}
	a := &app{
		Env: session.Env{Environ: environment(p.Environ), Version: version, Offline: offline},
		in:  p.In, out: p.Out, err: p.Err,
		now: time.Now, tty: view.IsTerminal, open: connect,
	}
	return a.run(ctx, p.Args)
}
