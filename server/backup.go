package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/backup"
	"hew/server/cluster"
	"hew/server/db"
	"hew/server/seal"
)

// Backup writes the database of a configuration to w. It may be one that a hewd serves.
func Backup(ctx context.Context, c Config, w io.Writer, progress backup.Progress) (made backup.Summary, err error) {
	s := &Server{config: c.withDefaults(), joins: true}
	if dir := filepath.Join(s.config.DataDir, "postgres"); c.DatabaseURL == "" {
		exists, err := cluster.Exists(dir)
		if err == nil && !exists {
			err = fmt.Errorf("there is no database in %s; set --data-dir or HEWD_DATABASE_URL", s.config.DataDir)
		}
		if err != nil {
			return made, err
		}
	}
	pool, err := s.openBare(ctx)
	if err == nil {
		made, err = backup.Write(ctx, w, pool, c.Build.Version, progress)
	}
	return made, errors.Join(err, s.Close())
}

// Restore loads a backup into the empty database of a configuration. If the configuration has a
// sealing key, it must be that of the backup.
func Restore(ctx context.Context, c Config, r io.Reader, progress backup.Progress) (made backup.Summary, err error) {
	s := &Server{config: c.withDefaults()}
	to := backup.Target{}
	box, err := seal.Load(c.SecretKey, s.config.DataDir)
	if err == nil {
		to.KeyDigest = box.KeyDigest()
	} else if !errors.Is(err, os.ErrNotExist) {
		return made, err
	}
	to.Pool, err = s.openBare(ctx)
	if err == nil {
		made, err = backup.Restore(ctx, r, to, progress)
	}
	return made, errors.Join(err, s.Close())
}

// openBare finds or starts Postgres, whatever its schema.
func (s *Server) openBare(ctx context.Context) (*pgxpool.Pool, error) {
	url, err := s.database(ctx)
	if err != nil {
		return nil, err
	}
	if s.Store, s.pool, err = db.Open(ctx, db.Config{URL: url}); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return s.pool, nil
}
