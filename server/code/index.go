package code

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// freshCommit is a commit that the repository does not have.
type freshCommit struct {
	ID      object.ID
	Parents []object.ID
}

// newCommit is a fresh commit with what it changes.
type newCommit struct {
	Commit
	Signed  bool
	Changes []gittree.Difference // against each parent
}

// own returns a function that reports whether the commit itself changes a path. A merge does not
// change a path that equals the path in one of its parents.
func (c *newCommit) own() func(path string) bool {
	if len(c.Parents) < 2 {
		return func(string) bool { return true }
	}
	all := uint16(1)<<min(len(c.Parents), gittree.MaxParents) - 1
	changed := map[string]bool{}
	for _, d := range c.Changes {
		if d.Bits == all {
			changed[d.Path] = true
		}
	}
	return func(path string) bool { return changed[path] }
}

const (
	// indexBatch is how many commits are read and written at once, fewer if they change so many
	// paths.
	indexBatch, indexPaths = 500, 200_000
	// maxChanges limits the paths, directories included, that a commit may change. A dozen trees
	// can stand for any number.
	maxChanges = 1_000_000
)

// readNew reads fresh commits in batches.
func (g *Git) readNew(ctx context.Context, fresh []freshCommit) iter.Seq2[[]newCommit, error] {
	return func(yield func([]newCommit, error) bool) {
		var batch []newCommit
		paths := 0
		for i, f := range fresh {
			c, err := g.readFresh(ctx, f.ID)
			if err != nil {
				yield(nil, err)
				return
			}
			batch, paths = append(batch, c), paths+len(c.Changes)
			if len(batch) < indexBatch && paths < indexPaths && i < len(fresh)-1 {
				continue
			}
			if !yield(batch, nil) {
				return
			}
			batch, paths = nil, 0
		}
	}
}

func (g *Git) readFresh(ctx context.Context, id object.ID) (newCommit, error) {
	c, err := object.ReadCommit(ctx, g, id)
	if err != nil {
		return newCommit{}, err
	}
	n := newCommit{Commit: rowOf(id, c), Signed: c.Signature != ""}
	parents := make([]object.ID, 0, len(c.Parents))
	for _, p := range c.Parents[:min(len(c.Parents), gittree.MaxParents)] {
		root, err := g.treeOf(ctx, p)
		if err != nil {
			return n, err
		}
		parents = append(parents, root)
	}
	for d, err := range gittree.Diffs(ctx, g, c.Tree, parents) {
		switch {
		case errors.Is(err, gittree.ErrTooDeep):
			return n, Refused{Text: fmt.Sprintf("Commit %s cannot be stored: %v.", id, err)}
		case err != nil:
			return n, err
		case len(n.Changes) == maxChanges:
			return n, Refused{Text: fmt.Sprintf("Commit %s changes more than %d paths.", id, maxChanges)}
		}
		n.Changes = append(n.Changes, d)
	}
	return n, nil
}

// treeBefore returns the tree of the first of a commit's parents, the empty one if it has none.
func (g *Git) treeBefore(ctx context.Context, parents []object.ID) (object.ID, error) {
	if len(parents) == 0 {
		return object.EmptyTree, nil
	}
	return g.treeOf(ctx, parents[0])
}

// treeOf returns the tree of a commit.
func (g *Git) treeOf(ctx context.Context, id object.ID) (object.ID, error) {
	c, err := object.ReadCommit(ctx, g, id)
	if err != nil {
		return object.ID{}, err
	}
	return c.Tree, nil
}

// index writes the rows of new commits. Another push may have written them meanwhile.
func (g *Git) index(ctx context.Context, commits []newCommit) error {
	var rows struct {
		ids, trees, parents                                         [][]byte
		authors, authorEmails, committers, committerEmails, message []string
		authored, committed                                         []time.Time
		authoredZones, committedZones                               []int16
	}
	var paths struct {
		paths   [][16]byte
		commits [][]byte
		differs []int32
	}
	for i := range commits {
		c := &commits[i]
		parents, _ := c.Parents.BytesValue()
		rows.ids, rows.trees, rows.parents = append(rows.ids, c.ID[:]), append(rows.trees, c.Tree[:]),
			append(rows.parents, parents)
		rows.authors, rows.authorEmails = append(rows.authors, c.AuthorName), append(rows.authorEmails, c.AuthorEmail)
		rows.committers = append(rows.committers, c.CommitterName)
		rows.committerEmails = append(rows.committerEmails, c.CommitterEmail)
		rows.authored, rows.committed = append(rows.authored, c.AuthoredAt), append(rows.committed, c.CommittedAt)
		rows.authoredZones = append(rows.authoredZones, c.AuthoredZone)
		rows.committedZones = append(rows.committedZones, c.CommittedZone)
		rows.message = append(rows.message, c.Message)
		for _, d := range c.Changes {
			paths.paths = append(paths.paths, pathKey(d.Path))
			paths.commits = append(paths.commits, c.ID[:])
			paths.differs = append(paths.differs, int32(d.Bits))
		}
	}
	return g.st.Exec(ctx, `
		with written as (
			insert into commits (repository_id, oid, tree, parents, author_name, author_email, authored_at, authored_zone,
			    committer_name, committer_email, committed_at, committed_zone, message)
			select @repository, * from unnest(@ids::bytea[], @trees::bytea[], @parents::bytea[], @authors::text[],
			    @author_emails::text[], @authored::timestamptz[], @authored_zones::smallint[], @committers::text[],
			    @committer_emails::text[], @committed::timestamptz[], @committed_zones::smallint[], @messages::text[])
			on conflict do nothing
			returning id, oid)
		insert into commit_paths (repository_id, path, commit_id, differs)
		select @repository, p.path, w.id, p.differs
		from unnest(@paths::uuid[], @path_commits::bytea[], @differs::int[]) p (path, oid, differs)
		     join written w on w.oid = p.oid`,
		pgx.NamedArgs{
			"repository": g.ID, "ids": rows.ids, "trees": rows.trees, "parents": rows.parents,
			"authors": rows.authors, "author_emails": rows.authorEmails, "authored": rows.authored,
			"authored_zones": rows.authoredZones, "committers": rows.committers,
			"committer_emails": rows.committerEmails, "committed": rows.committed,
			"committed_zones": rows.committedZones, "messages": rows.message,
			"paths": paths.paths, "path_commits": paths.commits, "differs": paths.differs,
		})
}

// pathKey returns the column that stands for a path in commit_paths. Paths can be longer than an
// index entry.
func pathKey(path string) (key [16]byte) {
	sum := sha256.Sum256([]byte(path))
	copy(key[:], sum[:])
	return key
}
