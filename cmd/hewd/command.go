package main

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/server"
)

// root is the command line. Every flag of serve and migrate has an environment variable; the flag wins.
func root(getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hewd",
		Short: "A hosting service's REST API, served from Postgres",
		Long: `hewd serves the REST API of a software hosting service (version 4) from Postgres.

Without further ado, "hewd serve" starts a private Postgres in ./.hewd, makes the
user root with a token that it prints once, and listens on 127.0.0.1:8080.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       ownVersion(),
	}
	cmd.SetVersionTemplate("hewd {{.Version}}\n") // as the command says it
	cmd.AddCommand(serve(getenv), migrate(getenv), health(getenv), manCommand(), versionCommand())
	return cmd
}

// doubled gives the long flags of cmd and its commands that were typed with one dash, as hew's are, the two that cobra
// reads; it would take -help for -h -e -l -p. Anything else is left as it is, for it may be the value of a flag.
func doubled(cmd *cobra.Command, args []string) []string {
	known := map[string]bool{"help": true, "version": true}
	for _, sub := range cmd.Commands() {
		sub.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	args = slices.Clone(args)
	for i, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && known[name] {
			args[i] = "-" + arg
		}
	}
	return args
}

// notifySocket is the variable by which a service manager says where it wants to be told that the server is ready.
const notifySocket = "NOTIFY_SOCKET"

func serve(getenv func(string) string) *cobra.Command {
	var c server.Config
	var format string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API until interrupted",
		Long: `Serve the API until interrupted.

One line on standard output says when it is ready; logs go to standard error.
SIGTERM or Ctrl-C stops it in order: running requests and jobs are finished first.
Several processes may serve one database, given the same HEWD_SECRET_KEY.

  /-/health      the process lives
  /-/readiness   requests are welcome: the database answers, and we are not stopping
  /-/metrics     for Prometheus`,
		Example: `  hewd serve
  hewd serve --listen :8080 --external-url https://hew.example.com
  HEWD_DATABASE_URL=postgres://hew@db/hew HEWD_SECRET_KEY=… hewd serve`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := logger(format, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			c.Out, c.Log, c.NotifySocket = cmd.OutOrStdout(), log, getenv(notifySocket)
			return server.Run(cmd.Context(), c)
		},
	}
	env := environment{cmd, getenv}
	env.text(&c.Listen, "listen", "HEWD_LISTEN", "127.0.0.1:8080", "`address` to listen on; port 0 takes a free one")
	env.text(&c.ExternalURL, "external-url", "HEWD_EXTERNAL_URL", "", "`address` that clients use (default: http:// and the one listened on)")
	env.text(&c.RootToken, "root-token", "HEWD_ROOT_TOKEN", "", "`token` of the administrator root (default: made at the first start, printed once)")
	env.database(&c)
	env.directory(&c)
	env.text(&format, "log-format", "HEWD_LOG_FORMAT", "text", "`form` of the log: text or json")
	cmd.Flags().DurationVar(&c.Drain, "drain", 30*time.Second, "how long a stop waits for running requests and jobs")
	return cmd
}

func migrate(getenv func(string) string) *cobra.Command {
	var c server.Config
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the schema of the database up to date, and stop",
		Long: `Bring the schema of the database up to date, and stop.

serve does this by itself. It is a command of its own for deployments that migrate
before they start any server.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.Migrate(cmd.Context(), c); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "the schema is up to date")
			return err
		},
	}
	environment{cmd, getenv}.database(&c)
	return cmd
}

// environment declares flags whose default comes from the environment.
type environment struct {
	cmd    *cobra.Command
	getenv func(string) string
}

// fromEnvironment annotates a flag with the variable that its default comes from.
const fromEnvironment = "environment"

// text declares a flag. What the environment says is not shown as its default: it may be a secret.
func (e environment) text(field *string, flag, variable, standard, help string) {
	e.cmd.Flags().StringVar(field, flag, standard, help+" ["+variable+"]")
	_ = e.cmd.Flags().SetAnnotation(flag, fromEnvironment, []string{variable}) // it was declared just now
	if value := e.getenv(variable); value != "" {
		*field = value
	}
}

// database declares the flags that say where the data is.
func (e environment) database(c *server.Config) {
	e.text(&c.DatabaseURL, "database-url", "HEWD_DATABASE_URL", "", "`URL` of a Postgres to use (default: a private one in the data directory)")
	e.text(&c.DataDir, "data-dir", "HEWD_DATA_DIR", ".hewd", "`directory` of the private Postgres and the key file")
	e.text(&c.SecretKey, "secret-key", "HEWD_SECRET_KEY", "", "`key` that seals stored secrets (default: a key file in the data directory)")
	e.text(&c.PGBin, "pg-bin", "HEWD_PG_BIN", "", "`directory` of the Postgres server binaries (default: PATH, then the usual places)")
	e.cmd.Flags().BoolVar(&c.Dev, "dev", false, "private Postgres without durability: faster, and a crash may lose data")
}

// directory declares the flags that say where an LDAP server is.
func (e environment) directory(c *server.Config) {
	e.text(&c.LDAP.URL, "ldap-url", "HEWD_LDAP_URL", "", "`URL` of an LDAP server that groups can be linked to: ldap://, ldaps:// or ldap+starttls://HOST[:PORT]")
	e.text(&c.LDAP.Provider, "ldap-provider", "HEWD_LDAP_PROVIDER", "ldapmain", "`name` that links and identities call it by")
	e.text(&c.LDAP.Base, "ldap-base", "HEWD_LDAP_BASE", "", "`entry` below which everything in it is, such as dc=example,dc=com")
	e.text(&c.LDAP.BindDN, "ldap-bind-dn", "HEWD_LDAP_BIND_DN", "", "`entry` of who asks it (default: nobody in particular)")
	e.text(&c.LDAP.Password, "ldap-password", "HEWD_LDAP_PASSWORD", "", "`password` of who asks it")
	e.text(&c.LDAP.UID, "ldap-uid", "HEWD_LDAP_UID", "uid", "`attribute` that holds user names")
	e.text(&c.LDAP.CAFile, "ldap-ca-file", "HEWD_LDAP_CA_FILE", "", "PEM `file` of the authorities that it is trusted by (default: the system's)")
}

func logger(format string, out io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(out, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out, nil)), nil
	}
	return nil, fmt.Errorf("--log-format %q: use text or json", format)
}
