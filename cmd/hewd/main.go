// Command hewd serves a GitLab-compatible REST API from Postgres.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	cmd := newRoot(os.Getenv)
	cmd.SetArgs(doubleDashes(cmd, os.Args[1:]))
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hewd:", err)
		os.Exit(1)
	}
}
