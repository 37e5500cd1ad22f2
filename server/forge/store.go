package forge

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/transfer/load"
	"hew/server/tree"
)

const (
	// storeBatch is how many documents are made and stored at once at most, each with all of its
	// parts.
	storeBatch = 20
	// storeBytes is how large their texts may be together. A single one that is larger comes alone.
	storeBytes = 16 << 20
)

// storing is the stage that stores the documents of a relation. The checkpoint of the loader says
// where it goes on.
func storing(relation string, next making) stage {
	name := "store_" + relation
	return stage{name: name, do: func(ctx context.Context, r *run) (step, error) {
		l, err := r.loader(ctx)
		if err != nil {
			return step{}, err
		}
		documents, err := next(ctx, r, l.Done(relation))
		if err != nil || len(documents) == 0 {
			return step{}, err
		}
		return step{stage: name}, l.Store(ctx, relation, documents)
	}}
}

// making makes the documents that follow a checkpoint.
type making func(ctx context.Context, r *run, from int) ([]load.Document, error)

// eachPlaced makes documents of a kind that has no numbers. The line of a document is its place. A
// nil document is left out.
func eachPlaced(kind string, of func(r *run, d staged) (any, error)) making {
	return func(ctx context.Context, r *run, from int) (documents []load.Document, err error) {
		for len(documents) == 0 {
			list, err := r.nextPlaced(ctx, kind, from, storeBatch)
			if err != nil || len(list) == 0 {
				return nil, err
			}
			for i, d := range list {
				value, err := of(r, d)
				if err != nil && !isInvalid(err) {
					return nil, err
				}
				if value != nil || err != nil {
					documents = append(documents, load.Document{Line: from + i, Value: value, Err: err})
				}
			}
			from += len(list)
		}
		return documents, nil
	}
}

// eachNumbered makes documents of issues or pull requests with their parts. The line of a document
// is its number.
func eachNumbered(
	kind string, of func(ctx context.Context, r *run, d staged, p parts) (any, error), kinds ...string,
) making {
	return func(ctx context.Context, r *run, from int) ([]load.Document, error) {
		r.git = nil
		fit, err := r.countFitting(ctx, kind, from-1, kinds)
		if err != nil || fit == 0 {
			return nil, err
		}
		list, err := r.nextNumbered(ctx, kind, from-1, fit)
		if err != nil {
			return nil, err
		}
		all, err := r.partsOf(ctx, list, kinds...)
		if err != nil {
			return nil, err
		}
		documents := make([]load.Document, len(list))
		for i, d := range list {
			value, err := of(ctx, r, d, all[d.Number])
			if err != nil && !isInvalid(err) {
				return nil, err
			}
			documents[i] = load.Document{Line: d.Number, Value: value, Err: err}
		}
		return documents, nil
	}
}

// isInvalid reports whether an error is about a document itself, which becomes a failure of the
// import. Any other one, as of the database or of git, is for a later attempt.
func isInvalid(err error) bool { return fault.CodeOf(err) == fault.CodeInvalid }

// loader returns what stores documents, for this attempt.
func (r *run) loader(ctx context.Context) (*load.Loader, error) {
	if r.loads != nil {
		return r.loads, nil
	}
	importer, err := tree.FindUser(ctx, r.st, r.UserID)
	if err != nil {
		return nil, err
	}
	if r.people, err = r.findPeople(ctx, importer); err != nil {
		return nil, err
	}
	level := policy.Owner
	if !importer.Admin {
		found, err := tree.LevelIn(ctx, r.st, db.Container{ProjectID: &r.ProjectID}, importer.ID)
		if err != nil {
			return nil, err
		}
		level = policy.Level(found)
	}
	r.loads, err = load.New(ctx, load.Options{
		DB: r.st, Task: r.task, Importer: importer, Users: known{}, Host: r.source.Kind, Owner: true, MaxLevel: level,
	})
	return r.loads, err
}

// known are the users in documents of package mapping: their ids are those of this host.
type known struct{}

// Local implements load.Users.
func (known) Local(id int64) (int64, bool) { return id, true }

// Name implements load.Users. Texts have the names of others already.
func (known) Name(int64) string { return "" }
