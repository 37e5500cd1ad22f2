// Package servertest gives tests a running hewd: one Postgres per test binary, a database per
// server.
//
// Every test binary starts its own Postgres, which ends with the binary however that ends, and
// deletes its data directory. It does not run initdb and the migrations for it: a stopped cluster
// with the template database is kept as a tar file, the seed, in hew/servertest below the user's
// cache directory, and unpacked. The name of the seed is a hash of what it is made from: the
// schema, the Postgres program and the user. The first binary that finds none makes it (about two
// seconds) and renames it into place, so that binaries and runs need no lock. Seeds that are a day
// old are removed when another one is made. Without a cache directory each binary makes its own
// cluster. Removing hew/servertest is always safe.
//
// Each server gets a copy of the template database. When its test has passed, the server and its
// database are emptied for the next one: a new connection has to read the schema and plan every
// statement, which costs more than most tests.
package servertest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server"
	"hew/server/cluster"
	"hew/server/db"
	"hew/server/part"
	"hew/server/seal"
	"hew/server/view"
)

// SecretKey is the key of every test server.
const SecretKey = "a secret key for tests only, long enough"

// postgres is the cluster of this test binary. It is started by the first test that needs it and
// stopped by Main.
var postgres struct {
	sync.Mutex
	dir      string
	cluster  *cluster.Cluster
	admin    *db.Store     // bound to the database "postgres"
	pool     *pgxpool.Pool // of admin
	strategy string        // of copying the template
	clones   int
	err      error
}

// Main runs the tests of a binary and leaves neither process nor file behind. Every package that
// uses servertest calls it from its TestMain, with its *testing.M or what stands around that.
func Main(m interface{ Run() int }) {
	code := m.Run()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "servertest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func stop() (err error) {
	if shared.server != nil {
		err = shared.server.stop()
	}
	err = errors.Join(err, stopIdle())
	postgres.Lock()
	defer postgres.Unlock()
	if postgres.pool != nil {
		postgres.pool.Close()
	}
	if postgres.cluster != nil {
		err = errors.Join(err, postgres.cluster.Stop())
	}
	if postgres.dir != "" {
		err = errors.Join(err, os.RemoveAll(postgres.dir))
	}
	return err
}

// boot starts the cluster.
func boot(ctx context.Context) error {
	if postgres.admin != nil || postgres.err != nil {
		return postgres.err
	}
	postgres.err = func() (err error) {
		// Not t.TempDir: its parents are private, and root's Postgres runs as somebody else.
		if postgres.dir, err = os.MkdirTemp(clusterParent(), "hewd-test-"); err != nil {
			return err
		}
		if err := os.Chmod(postgres.dir, 0o711); err != nil {
			return err
		}
		if postgres.cluster, err = startSeeded(ctx, filepath.Join(postgres.dir, "postgres")); err != nil {
			return err
		}
		if postgres.admin, postgres.pool, err = connect(ctx, "postgres"); err != nil {
			return err
		}
		// To copy files takes half the time of logging every block of them, which is the habit
		// since version 15.
		rows, _ := postgres.admin.DB().Query(ctx, // its error is that of the rows
			`select case when current_setting('server_version_num')::int >= 150000 then ' strategy file_copy'
				else '' end`)
		if postgres.strategy, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[string]); err != nil {
			return err
		}
		return nil
	}()
	return postgres.err
}

// template is the database with the schema and no rows that the tests' databases are copies of.
const template = "template_hewd"

// numbering has the ids of different kinds start far apart, so that a number in a transcript has
// one meaning.
const numbering = `
	do $$
	declare t text; n int := 0;
	begin
	    perform setval(pg_get_serial_sequence('users', 'id'), 100);
	    foreach t in array array['personal_access_tokens', 'namespaces', 'projects', 'members', 'hooks', 'hook_logs', 'runners',
	                                'alert_integrations', 'error_tracking_keys', 'ssh_keys', 'gpg_keys'] loop
	        n := n + 1000;
	        perform setval(pg_get_serial_sequence(t, 'id'), n);
	    end loop;
	end $$`

// makeTemplate makes the template database.
func makeTemplate(ctx context.Context, c *cluster.Cluster) error {
	admin, pool, err := db.Open(ctx, db.Config{URL: c.URL("postgres")})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := admin.Exec(ctx, "create database "+template, nil); err != nil {
		return err
	}
	st, pool, err := db.Open(ctx, db.Config{URL: c.URL(template)})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := db.Migrate(ctx, pool); err != nil {
		return err
	}
	return errors.Join(st.Exec(ctx, numbering, nil), st.Exec(ctx, recycling, nil))
}

// poolURL returns how servers of tests connect to a database. Tests have small ones: every
// connection is a process that has to read the schema and plan its statements first.
func poolURL(name string) string {
	url := postgres.cluster.URL(name)
	if !isBenchmark() {
		url += " pool_max_conns=5"
	}
	return url
}

func isBenchmark() bool {
	bench := flag.Lookup("test.bench")
	return bench != nil && bench.Value.String() != ""
}

// storeConfig returns how tests open the database of that name.
func storeConfig(name string) (db.Config, error) {
	box, err := seal.New([]byte(SecretKey))
	return db.Config{
		URL: poolURL(name), Box: box,
		Refusals: server.Sum(server.Parts(part.Host{Site: &view.Site{}})).Refusals,
	}, err
}

func connect(ctx context.Context, database string) (*db.Store, *pgxpool.Pool, error) {
	config, err := storeConfig(database)
	if err != nil {
		return nil, nil, err
	}
	return db.Open(ctx, config)
}

// clone makes a database from the template and returns its name.
func clone(ctx context.Context) (name string, err error) {
	postgres.Lock()
	defer postgres.Unlock()
	if err := boot(ctx); err != nil {
		return "", err
	}
	postgres.clones++
	name = fmt.Sprintf("test_%d", postgres.clones)
	_, err = postgres.admin.DB().Exec(ctx, "create database "+name+" template "+template+postgres.strategy)
	return name, err
}

func drop(ctx context.Context, name string) error {
	_, err := postgres.admin.DB().Exec(ctx, "drop database "+name+" with (force)")
	return err
}

// URL is the connection string of an empty database of its own, for tests that open it themselves.
func URL(t testing.TB) string {
	t.Helper()
	name, err := clone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return postgres.cluster.URL(name)
}
