package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
)

// logStart writes the record that tells an operator which hewd has started on which data. It fails
// only if the database does not answer.
func (s *Server) logStart(ctx context.Context) error {
	var applied int
	var newest string
	err := s.pool.QueryRow(ctx, `
		select count(*), coalesce(max(name), '') from schema_migrations`).Scan(&applied, &newest)
	if err != nil {
		return fmt.Errorf("count the migrations: %w", err)
	}
	git := "none"
	if s.git != nil {
		git = s.git.Version()
	}
	s.config.Log.LogAttrs(ctx, slog.LevelInfo, "hewd started",
		slog.String("version", s.config.Build.Version),
		slog.String("commit", s.config.Build.Commit),
		slog.String("url", s.URL()+"/api/v4"),
		slog.String("address", s.listener.Addr().String()),
		slog.String("data_dir", s.config.dataLocation()),
		slog.String("database", databaseURL(s.pool.Config().ConnConfig)),
		slog.String("git", git),
		slog.String("blobs", blob.Describe(s.Store)),
		slog.Int("migrations", applied),
		slog.String("newest_migration", strings.TrimSuffix(newest, ".sql")),
	)
	return nil
}

// dataLocation returns the absolute path of the data directory, or "external" if hewd keeps neither
// a database nor a key file in it.
func (c Config) dataLocation() string {
	if c.DatabaseURL != "" && c.SecretKey != "" {
		return "external"
	}
	if dir, err := filepath.Abs(c.DataDir); err == nil {
		return dir
	}
	return c.DataDir
}

// databaseURL returns the address of a database without the password.
func databaseURL(c *pgx.ConnConfig) string {
	u := url.URL{Scheme: "postgres", User: url.User(c.User), Path: "/" + c.Database}
	port := strconv.Itoa(int(c.Port))
	if strings.HasPrefix(c.Host, "/") { // the directory of a unix socket
		u.RawQuery = "host=" + c.Host
		if port != "5432" {
			u.RawQuery += "&port=" + port
		}
		return u.String()
	}
	u.Host = c.Host
	if strings.Contains(c.Host, ":") {
		u.Host = "[" + c.Host + "]"
	}
	u.Host += ":" + port
	return u.String()
}
