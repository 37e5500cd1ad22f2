package servertest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server"
	"hew/server/code"
	"hew/server/db"
)

// recycling creates a function that returns a database to the state of the template: the rows of
// the migrations, and the sequences at their start. It deletes rows, because after a truncation
// every connection would read the schema and plan its statements again, which is most of the cost
// of a new database. It leaves the rows of the job queue to discardJobs, and the numbers of
// processes as they are: the process goes on.
const recycling = `
	create schema servertest;
	do $make$
	declare t name; columns text; filled bool; body text := '';
	begin
		for t, columns in
			select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum)
			from pg_class c join pg_attribute a on a.attrelid = c.oid
			where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
				and c.relname not like 'river%' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
			group by c.relname
		loop
			body := body || format(E'delete from %I;\n', t);
			execute format('select exists (select from %I)', t) into filled;
			if filled then
				execute format('create table servertest.%I as select %s from public.%1$I', t, columns);
				body := body || format(E'insert into %I (%s) overriding system value select %2$s from servertest.%1$I;\n',
					t, columns);
			end if;
		end loop;
		select body || string_agg(format('perform setval(%L, %s, %L);', 'public.' || s.sequencename,
			coalesce(s.last_value, s.start_value), s.last_value is not null), E'\n') into strict body
		from pg_sequences s where s.schemaname = 'public' and s.sequencename !~ '^(river|process_numbers)';
		execute format('create function servertest.recycle() returns void language plpgsql
			set session_replication_role = replica as %L', E'begin\n' || body || E'\nend');
	end $make$`

// recycle is the statement that returns a database to the state of the template.
const recycle = `select servertest.recycle()`

// idle holds the servers and databases that no test uses now.
var idle struct {
	sync.Mutex
	servers []*Server
	bare    []*bare
}

// bare is a database without a server.
type bare struct {
	name string
	pool *pgxpool.Pool
}

func (b *bare) stop() error {
	b.pool.Close()
	return drop(context.Background(), b.name)
}

// stopIdle stops the idle servers and databases at the end of the binary.
func stopIdle() (err error) {
	for _, s := range idle.servers {
		err = errors.Join(err, s.stop())
	}
	for _, b := range idle.bare {
		err = errors.Join(err, b.stop())
	}
	return err
}

// popLast removes the last element of a list and returns it, or nil if the list is empty.
func popLast[T any](list *[]*T) *T {
	idle.Lock()
	defer idle.Unlock()
	last := len(*list) - 1
	if last < 0 {
		return nil
	}
	v := (*list)[last]
	*list = (*list)[:last]
	return v
}

// keepOrStop keeps what a test has used for the next test, or stops it if the test failed, since
// its state may be the cause.
func keepOrStop[T any](t testing.TB, list *[]*T, v *T, stop func() error) {
	if t.Failed() {
		if err := stop(); err != nil {
			t.Error(err)
		}
		return
	}
	idle.Lock()
	defer idle.Unlock()
	*list = append(*list, v)
}

// Fresh returns a server that only this test uses, with an empty database: no rows but root's, and
// the sequences at their start. Earlier tests may have used it.
func Fresh(t testing.TB) *Server {
	t.Helper()
	var err error
	s := popLast(&idle.servers)
	if s == nil {
		s, err = launch(t.Context(), server.Config{})
	} else {
		err = s.recycle(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keepOrStop(t, &idle.servers, s, s.stop) })
	return s
}

// recycle empties the database of a server, notes its key and creates root in it, as at the start.
func (s *Server) recycle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err := errors.Join(s.Auth.Settle(ctx), s.discardJobs(ctx))
	if err == nil {
		err = s.Store.Exec(ctx, recycle, nil)
	}
	if err == nil {
		err = server.CheckKey(ctx, s.Store)
	}
	if err == nil {
		_, err = server.EnsureRoot(ctx, s.Store, RootToken, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		return fmt.Errorf("empty the database of an earlier test: %w", err)
	}
	return errors.Join(code.ForgetAll(s.Store), s.Store.UserChanged(ctx, 0)) // empties the caches
}

// discardJobs removes the waiting jobs and waits for the running ones.
func (s *Server) discardJobs(ctx context.Context) error {
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for {
		if err := s.Store.Exec(ctx, `delete from river_job where state <> 'running'`, nil); err != nil {
			return err
		}
		running, err := db.Value[int](ctx, s.Store, `select count(*) from river_job`, nil)
		if err != nil || running == 0 {
			return err
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return fmt.Errorf("%d jobs still run: %w", running, context.Cause(ctx))
		}
	}
}

// Store returns a store on an empty database that only this test uses, without a server.
func Store(t testing.TB) *db.Store {
	t.Helper()
	b, err := lendBare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keepOrStop(t, &idle.bare, b, b.stop) })
	config, err := storeConfig(b.name)
	if err != nil {
		t.Fatal(err)
	}
	return db.Over(b.pool, config) // without what earlier tests attached
}

func lendBare(ctx context.Context) (*bare, error) {
	if b := popLast(&idle.bare); b != nil {
		_, err := b.pool.Exec(ctx, recycle)
		return b, err
	}
	name, err := clone(ctx)
	if err != nil {
		return nil, err
	}
	_, pool, err := connect(ctx, name)
	return &bare{name, pool}, err
}
