package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hew/server/blob"
	"hew/server/cluster"
	"hew/server/db"
	"hew/server/seal"
	"hew/server/tree"
)

// Migrate brings the database of a configuration up to date and closes it again. It is what `hewd
// migrate` does.
func Migrate(ctx context.Context, c Config) error {
	s := &Server{config: c.withDefaults()}
	return errors.Join(s.openDatabase(ctx), s.Close())
}

// OpenBlobs opens the database of a configuration for `hewd blob`, and where its blobs are. It may
// be one that a hewd serves, also in its private Postgres. The caller calls done at the end.
func OpenBlobs(ctx context.Context, c Config) (h *db.Store, done func() error, err error) {
	s := &Server{config: c.withDefaults(), joins: true}
	if err := s.openDatabase(ctx); err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s.Store, s.Close, nil
}

// openDatabase finds or starts Postgres and brings its schema up to date.
func (s *Server) openDatabase(ctx context.Context) error {
	url, err := s.database(ctx)
	if err != nil {
		return err
	}
	box, err := seal.Load(s.config.SecretKey, s.config.DataDir)
	missing := errors.Is(err, os.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	if s.Store, s.pool, err = db.Open(ctx, db.Config{URL: url, Box: box, Refusals: s.sum.Refusals}); err != nil {
		return err
	}
	if err := blob.Configure(s.Store, s.config.Blobs); err != nil {
		return err
	}
	if err := db.Migrate(ctx, s.pool); err != nil {
		return err
	}
	if missing {
		if s.Store.Seal, err = s.config.createKey(ctx, s.Store); err != nil {
			return err
		}
	}
	if err := CheckKey(ctx, s.Store); err != nil {
		return err
	}
	return tree.IndexRegistrations(ctx, s.Store)
}

func (s *Server) database(ctx context.Context) (url string, err error) {
	if s.config.SecretKey == "" || s.config.DatabaseURL == "" {
		// 0711: Postgres may run as somebody else, who has to get through but has no business
		// listing it.
		if err := os.MkdirAll(s.config.DataDir, 0o711); err != nil {
			return "", fmt.Errorf("make the data directory: %w", err)
		}
	}
	if s.config.DatabaseURL != "" {
		return s.config.DatabaseURL, nil
	}
	dir := filepath.Join(s.config.DataDir, "postgres")
	if s.joins {
		if url, err := cluster.RunningURL(dir, "postgres"); url != "" || err != nil {
			return url, err
		}
	}
	s.cluster, err = cluster.Start(ctx, cluster.Config{Dir: dir, Bin: s.config.PGBin, Dev: s.config.Dev})
	if err != nil {
		return "", err
	}
	if notice := s.cluster.Notice(); notice != "" {
		s.config.Log.Warn(notice)
	}
	return s.cluster.URL("postgres"), nil
}
