package servertest

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"hew/server/cluster"
	"hew/server/db"
)

// seedFormat is part of a seed's name. Raise it when what a seed holds changes with neither the
// migrations nor numbering nor Postgres.
const seedFormat = 1

// seedAge is how long the seeds of other schemas are kept.
const seedAge = 24 * time.Hour

// seedPath returns where the seed of this schema, Postgres and user is cached.
func seedPath() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	bin, err := cluster.FindBin("")
	if err != nil {
		return "", err
	}
	postgres, err := os.Stat(filepath.Join(bin, "postgres"))
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(
		sum, seedFormat, db.SchemaHash(), numbering, recycling, os.Getuid(), bin, postgres.Size(),
		postgres.ModTime().UTC(),
	)
	return filepath.Join(cache, "hew", "servertest", fmt.Sprintf("%x.tar", sum.Sum(nil)[:12])), nil
}

// plant makes the data directory dir from the seed and reports whether there was one. A seed that
// cannot be read is removed.
func plant(seed, dir string) (bool, error) {
	file, err := os.Open(seed)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	if err := unpack(file, dir); err != nil {
		_ = os.Remove(seed) // another test binary may have done so
		return false, os.RemoveAll(dir)
	}
	return true, nil
}

// pack archives the directory dir itself, for its mode and owner, and everything below it.
func pack(to io.Writer, dir string) error {
	archive := tar.NewWriter(to)
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	header, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return err
	}
	header.Name = "./"
	return errors.Join(archive.WriteHeader(header), archive.AddFS(os.DirFS(dir)), archive.Close())
}

// unpack makes the directory dir from an archive, with the modes of all files and, for root, their
// owners.
func unpack(from io.Reader, dir string) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			_, err := os.Stat(filepath.Join(dir, "PG_VERSION")) // an empty file is not a seed
			return err
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, header.Name)
		if err := unpackEntry(archive, header, path); err != nil {
			return err
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, header.Uid, header.Gid); err != nil {
				return err
			}
		}
	}
}

func unpackEntry(archive *tar.Reader, header *tar.Header, path string) error {
	mode := header.FileInfo().Mode().Perm()
	if header.Typeflag == tar.TypeDir {
		return os.Mkdir(path, mode)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, archive)
	return errors.Join(err, file.Close())
}

// saveSeed caches the data directory of a stopped cluster as the seed, and removes the old seeds of
// other schemas. The seed appears whole: test binaries that make it at once replace each other's.
func saveSeed(seed, dir string) error {
	if err := os.MkdirAll(filepath.Dir(seed), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(seed), "unfinished-*.tar")
	if err != nil {
		return err
	}
	err = errors.Join(pack(file, dir), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), seed)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return pruneSeeds(filepath.Dir(seed))
}

func pruneSeeds(cache string) error {
	entries, err := os.ReadDir(cache)
	for _, entry := range entries {
		info, statErr := entry.Info()
		if statErr == nil && time.Since(info.ModTime()) > seedAge {
			statErr = os.Remove(filepath.Join(cache, entry.Name()))
		}
		if !errors.Is(statErr, fs.ErrNotExist) { // another test binary was faster
			err = errors.Join(err, statErr)
		}
	}
	return err
}

// startSeeded starts a cluster in dir that has the template database: from the seed if it is
// cached, or else it makes the template and caches the seed.
func startSeeded(ctx context.Context, dir string) (*cluster.Cluster, error) {
	config := cluster.Config{Dir: dir, Dev: true}
	if isBenchmark() { // which ask how long statements were planned
		config.Set = []string{"shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_planning=on"}
	}
	seed, cacheErr := seedPath()
	if cacheErr == nil {
		planted, err := plant(seed, dir)
		if err != nil {
			return nil, err
		}
		if planted {
			return cluster.Start(ctx, config)
		}
	}
	c, err := cluster.Start(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := makeTemplate(ctx, c); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	if cacheErr != nil { // no home directory: every test binary makes its own
		return c, nil
	}
	if err := c.Stop(); err != nil {
		return nil, err
	}
	_ = saveSeed(seed, dir) // a cache that cannot be written costs the next test binary two seconds
	return cluster.Start(ctx, config)
}
