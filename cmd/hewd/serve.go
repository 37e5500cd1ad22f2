package main

import (
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"hew/server"
)

// notifySocket is the variable in which a service manager such as systemd names the socket to
// notify.
const notifySocket = "NOTIFY_SOCKET"

func serveCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	var format, level string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API until stopped",
		Long: `Serve the API until stopped.

When it is ready, hewd prints one line on standard output, "hewd ready on URL".
It logs to standard error; the first record names the version, the address, the
data directory, the database and the migrations.

SIGTERM or Ctrl-C stops it: new requests are refused, and running requests and
jobs may finish within --drain. A second signal stops it at once. Several
processes can serve one database; they need the same HEWD_SECRET_KEY.

Besides the API, hewd serves these paths without a token:

  /              health, version and API address, for browsers
  /-/health      200 while the process runs
  /-/readiness   200 while requests are served, else 503
  /-/metrics     metrics for Prometheus

TLS: hewd speaks HTTP only. For HTTPS, run a proxy that terminates TLS in front
of it, let only the proxy reach --listen, and set --external-url to the address
that clients use. The proxy must pass the path on unchanged: %2F has to stay
%2F.

Metrics: anyone who can reach --listen can read /-/metrics, which shows routes,
request counts and versions, but no names and no secrets. Block /-/metrics in
the proxy, and let Prometheus scrape --listen directly.

Mail: with --smtp-url, hewd mails mentions and assignments, invitations, access
tokens that expire within a week, and what the integrations emails-on-push and
pipelines-email send.
Without it, no mail is sent: invitations wait until somebody with the address
has an account, and the two integrations record that they cannot send.

Exits 0 if it was stopped and all running requests finished; 1 if it could not
start, lost its private Postgres, or had to abort requests after --drain.`,
		Example: `  hewd serve
  hewd serve --listen :8080 --external-url https://hew.example.com
  HEWD_DATABASE_URL=postgres://hew@db/hew HEWD_SECRET_KEY=… hewd serve`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := newLogger(format, level, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := checkExternalURL(c.ExternalURL); err != nil {
				return err
			}
			if err := c.Blobs.Check(); err != nil {
				return err
			}
			c.Build = currentBuild()
			c.Out, c.Log, c.NotifySocket = cmd.OutOrStdout(), log, getenv(notifySocket)
			return server.Run(cmd.Context(), c)
		},
	}
	s := settings{cmd, getenv}
	s.listen(&c.Listen, "listen on `ADDRESS`; port 0 picks a free port")
	s.text(&c.ExternalURL, "external-url", "HEWD_EXTERNAL_URL", "",
		"use `URL` as the address of hewd in responses (default http:// and the listen address)")
	s.text(&c.RootToken, "root-token", "HEWD_ROOT_TOKEN", "",
		"give the administrator root `TOKEN` (default a new one, printed once at the first start)")
	s.database(&c)
	s.blobs(&c.Blobs)
	s.text(&c.ImportS3, "import-s3-endpoint", "HEWD_IMPORT_S3_ENDPOINT", "",
		"import archives of projects from buckets of the S3 server at `URL` (default https://s3.amazonaws.com)")
	s.text(&c.Blobs.Backend, "blob-backend", "HEWD_BLOB_BACKEND", "",
		"store new large content on `BACKEND`: postgres or s3 (default s3 if there is a URL, else postgres)")
	s.directory(&c)
	s.proxies(&c)
	s.mail(&c)
	s.text(&format, "log-format", "HEWD_LOG_FORMAT", "text", "log in `FORMAT`: text or json")
	s.text(&level, "log-level", "HEWD_LOG_LEVEL", "info",
		"log records of `LEVEL` and above: debug (adds the job queue), info, warn or error")
	cmd.Flags().DurationVar(&c.Drain, "drain", 30*time.Second,
		"wait at most `DURATION` for running requests and jobs when stopped")
	return cmd
}

// checkExternalURL refuses an address that links in responses cannot begin with.
func checkExternalURL(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return fmt.Errorf("invalid external URL %q: set --external-url or HEWD_EXTERNAL_URL to an absolute http or "+
			"https URL without credentials and query, such as https://hew.example.com", address)
	}
	return nil
}
