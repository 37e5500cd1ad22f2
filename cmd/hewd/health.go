package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// healthCommand asks the server that runs with the same settings. An image that holds nothing but
// hewd has no other program to ask with.
func healthCommand(getenv func(string) string) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Check that the local server accepts requests",
		Long: `Check that the local server accepts requests.

Exits 0 if it does; 1 if it is not running, is starting or stopping, or cannot
reach its database.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return checkReady(cmd.Context(), listen) },
	}
	settings{cmd, getenv}.listen(&listen, "check the server at `ADDRESS`")
	return cmd
}

// checkReady returns nil if the server answers within four seconds that it is ready.
func checkReady(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q is not host:port: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() { // it listens on all addresses
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	url := "http://" + net.JoinHostPort(host, port) + "/-/readiness"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// A transport of its own, so that no proxy of the environment is asked.
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return fmt.Errorf("cannot reach the server: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready: it answers %s", answer.Status)
	}
	return nil
}
