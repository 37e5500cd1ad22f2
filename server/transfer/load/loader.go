package load

import (
	"context"
	"errors"
	"iter"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/tree"
)

const (
	batchDocuments = 100     // that a transaction stores
	batchBytes     = 1 << 20 // of JSON, after which it stores fewer
)

// Document is a document of a relation.
type Document struct {
	Line  int   // its number among the documents of the relation, from 0 and growing
	Value any   // a pointer to its type in package archive, such as *archive.Issue
	Size  int   // of its JSON, in bytes; 0: small
	Err   error // why it could not be read: it is a failure; nil: Value is there
}

// Options are what a Loader needs.
type Options struct {
	DB       *db.Store // bound to the pool
	Task     project.Import
	Importer tree.User  // to whom what nobody else is known for belongs
	Space    tree.Group // the namespace of the project
	Users    Users      // nil: nobody of the source is known here
	// Host names the source in the line that notes of unknown people get (GitLab).
	Host string
	// MaxLevel is the highest level that members get; 0: Maintainer, as for archives.
	MaxLevel policy.Level
	// Owner reports whether the importer owns the top group, or is an administrator: levels of
	// protected refs are then stored as they are.
	Owner bool
}

// Loader stores documents as rows of a project. It is for one goroutine.
type Loader struct {
	Options
	project tree.Project
	done    map[string]int     // documents of each relation that are stored or failed
	ids     map[string][]int64 // taken ahead, by table
}

// New returns a loader for the project of an import. It knows what earlier attempts have stored.
func New(ctx context.Context, o Options) (*Loader, error) {
	if o.Host == "" {
		o.Host = "GitLab"
	}
	if o.MaxLevel == 0 {
		o.MaxLevel = policy.Maintainer
	}
	if o.Users == nil {
		o.Users = nobody{}
	}
	l := &Loader{Options: o, done: map[string]int{}, ids: map[string][]int64{}}
	var err error
	if l.project, err = tree.FindProject(ctx, o.DB, o.Task.ProjectID); err != nil {
		return nil, err
	}
	rows, err := db.Many[struct {
		Relation  string `db:"relation"`
		Documents int    `db:"documents"`
	}](ctx, o.DB, `select relation, documents from import_checkpoints where project_id = @project`,
		pgx.NamedArgs{"project": o.Task.ProjectID})
	for _, r := range rows {
		l.done[r.Relation] = r.Documents
	}
	return l, err
}

// Project returns the project as it was last read.
func (l *Loader) Project() tree.Project { return l.project }

// Refresh reads the project again, as it is after its repository is there.
func (l *Loader) Refresh(ctx context.Context) (err error) {
	l.project, err = tree.FindProject(ctx, l.DB, l.project.ID)
	return err
}

// Done returns the checkpoint of a relation: how many documents are stored or have failed. It is
// also kept for names that are not those of relations, see Step.
func (l *Loader) Done(relation string) int { return l.done[relation] }

// Supports reports whether documents of a relation are stored.
func Supports(relation string) bool { return stores[relation] != nil }

// StoreAll stores the documents of a relation behind its checkpoint, in batches. Documents before
// it are left out.
func (l *Loader) StoreAll(ctx context.Context, relation string, documents iter.Seq2[Document, error]) error {
	var batch []Document
	bytes := 0
	for d, err := range documents {
		if err != nil {
			return err
		}
		if d.Line < l.done[relation] {
			continue
		}
		batch = append(batch, d)
		bytes += d.Size
		if len(batch) >= batchDocuments || bytes >= batchBytes {
			if err := l.Store(ctx, relation, batch); err != nil {
				return err
			}
			batch, bytes = nil, 0
		}
	}
	return l.Store(ctx, relation, batch)
}

// Store stores documents of a relation, a hundred at most, in the order of their lines, and moves
// the checkpoint behind the last one. Documents that cannot be stored become failures; any
// other error is one of this server, or not found if another process has the import.
func (l *Loader) Store(ctx context.Context, relation string, documents []Document) error {
	if len(documents) == 0 {
		return nil
	}
	next := documents[len(documents)-1].Line + 1
	var lacking map[string]bool
	err := l.transact(ctx, relation, next, func(st *db.Store) error {
		b := newBatch(l, st, relation)
		lacking = b.lacking
		if err := b.store(ctx, documents); err != nil {
			return err
		}
		return b.finish(ctx)
	})
	switch {
	case err == nil:
		for part := range lacking {
			l.done[failureName(part)] = 1
		}
		return nil
	case ctx.Err() != nil || !isOfDocument(err):
		return err
	case len(documents) == 1:
		return l.Fail(ctx, relation, documents[0].Line, err)
	}
	half := len(documents) / 2
	if err := l.Store(ctx, relation, documents[:half]); err != nil {
		return err
	}
	return l.Store(ctx, relation, documents[half:])
}

// Step does something once, however often the import is begun again: the checkpoint of its name is
// 1 afterwards. Do gets the transaction that stores it.
func (l *Loader) Step(ctx context.Context, name string, do func(*db.Store) error) error {
	if l.done[name] > 0 {
		return nil
	}
	return l.transact(ctx, name, 1, do)
}

// Fail makes a document a failure, and moves the checkpoint behind it. What else is to be done in
// the same transaction is done before.
func (l *Loader) Fail(
	ctx context.Context, relation string, line int, why error, also ...func(*db.Store) error,
) error {
	return l.transact(ctx, relation, line+1, func(st *db.Store) error {
		for _, do := range also {
			if err := do(st); err != nil {
				return err
			}
		}
		return project.AddImportFailure(ctx, st, failureOf(l.Task.ProjectID, relation, line, why))
	})
}

// transact runs do in a transaction that holds the row of the import, and moves a checkpoint. What
// loses against another transaction is run again.
func (l *Loader) transact(ctx context.Context, name string, next int, do func(*db.Store) error) (err error) {
	for range 3 {
		if err = l.try(ctx, name, next, do); !isDeadlock(err) {
			break
		}
	}
	if err == nil {
		l.done[name] = max(l.done[name], next)
	}
	return err
}

func (l *Loader) try(ctx context.Context, name string, next int, do func(*db.Store) error) error {
	return l.DB.Tx(ctx, func(st *db.Store) error {
		if err := l.Mark(ctx, st, name, next); err != nil {
			return err
		}
		return do(st)
	})
}

// Mark moves the checkpoint of a name in an open transaction, for work that has a transaction of
// its own. It returns not found if another process has the import.
func (l *Loader) Mark(ctx context.Context, st *db.Store, name string, next int) error {
	if err := project.MoveImport(ctx, st, l.Task); err != nil {
		return lost{err}
	}
	return st.Exec(ctx, `
		insert into import_checkpoints (project_id, relation, documents) values (@project, @relation, @documents)
		on conflict (project_id, relation) do update
		set documents = greatest(import_checkpoints.documents, excluded.documents)`,
		pgx.NamedArgs{"project": l.Task.ProjectID, "relation": name, "documents": next})
}

// lost is the error of an import that another process has.
type lost struct{ error }

// Unwrap returns the not-found fault.
func (l lost) Unwrap() error { return l.error }

// IsLost reports whether an error says that another process has taken the import, or that it has
// ended or its project was removed.
func IsLost(err error) bool {
	var l lost
	return errors.As(err, &l)
}

// FailOnce notes down what cannot be imported of a name that is no relation here, however often the
// import is begun again.
func (l *Loader) FailOnce(ctx context.Context, name string, why error) error {
	return l.Step(ctx, failureName(name), func(st *db.Store) error {
		return project.AddImportFailure(ctx, st, failureOf(l.Task.ProjectID, name, 0, why))
	})
}
