package server_test

import (
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

// TestStartRecord: one record says what was started on what, and no password is in it.
func TestStartRecord(t *testing.T) {
	t.Parallel()
	var log lines
	r, _ := run(t, server.Config{
		DatabaseURL: servertest.URL(t) + " password=hush", SecretKey: key, RootToken: "t-start",
		Build: server.Build{Version: "v1.2.3", Commit: "0123abc"},
		Log:   slog.New(slog.NewJSONHandler(&log, nil)),
	})
	require.NoError(t, r.stop())
	require.NotContains(t, log.String(), "hush")
	first, _, _ := strings.Cut(log.String(), "\n")
	var record struct {
		Msg, Version, Commit, URL, Address, Database, Blobs string
		DataDir                                             string `json:"data_dir"`
		Migrations                                          int
		NewestMigration                                     string `json:"newest_migration"`
	}
	require.NoError(t, json.Unmarshal([]byte(first), &record))
	require.Equal(t, "hewd started", record.Msg)
	require.Equal(t, "v1.2.3", record.Version)
	require.Equal(t, "0123abc", record.Commit)
	require.Equal(t, r.url, record.URL)
	require.Equal(t, r.url, "http://"+record.Address+"/api/v4")
	require.Equal(t, "external", record.DataDir)
	require.Equal(t, "postgres", record.Blobs)
	require.Greater(t, record.Migrations, 20)
	require.Regexp(t, `^\d{4}_\w+$`, record.NewestMigration)
	database, err := url.Parse(record.Database)
	require.NoError(t, err)
	require.Equal(t, "postgres", database.Scheme)
	require.NotEqual(t, "/", database.Path)
	require.NotEmpty(t, database.Query().Get("host"), "a unix socket")
}
