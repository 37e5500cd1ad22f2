package code

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Action is a change of one file (spec 1 §4.4).
type Action struct {
	Do           string // create, update, move, delete, chmod
	Path         string
	PreviousPath string  // of a move
	Content      *string // nil: a move keeps the content
	Encoding     string  // of the content: text, base64
	LastCommit   string  // the commit that changed the file last, as far as the caller knows; "" for no check
	Executable   *bool   // of chmod
}

// NewCommit is a commit to be made.
type NewCommit struct {
	Project     tree.Project
	By          Author
	Branch      string
	Message     string
	AuthorName  string // "": that of By
	AuthorEmail string
	Actions     []Action

	StartIn     *tree.Project // of the fork network, which has StartBranch or StartCommit; nil: Project
	StartBranch string        // the branch to begin at; "" for Branch, or for StartCommit
	StartCommit string        // the revision to begin at
	Force       bool          // replaces Branch
}

// CreateCommit makes a commit on a branch. It creates the branch if the request says where to
// begin, or if the repository is empty. It returns 400 if an action does not fit the files or a
// push rule forbids the commit, and 403 if the author may not push to the branch.
func CreateCommit(ctx context.Context, st *db.Store, n NewCommit) (made Commit, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, n.Project)
		if err != nil {
			return err
		}
		branch, err := g.holdRef(ctx, st, Heads+n.Branch)
		if err != nil {
			return err
		}
		if err := g.admitPush(ctx, n.Project, n.By, n.Branch); err != nil {
			return err
		}
		base, err := g.baseOf(ctx, n, branch)
		if err != nil {
			return err
		}
		made, err = g.commitActions(ctx, n, branch, base)
		return err
	})
	return made, err
}

// commitActions makes the commit on a branch, after base.
func (g *Git) commitActions(ctx context.Context, n NewCommit, branch Ref, base Commit) (Commit, error) {
	root, err := g.apply(ctx, base, n.Actions)
	if err != nil {
		return Commit{}, err
	}
	c := &object.Commit{
		Tree: root, Message: n.Message,
		Author: n.author(time.Now()), Committer: signatureOf(n.By.User, time.Now()),
	}
	if !base.ID.IsZero() {
		c.Parents = []object.ID{base.ID}
	}
	return g.commit(ctx, n.Project, n.By, branch, c)
}

// commit stores a commit object, with the objects that were made for it, and moves a branch to it.
func (g *Git) commit(
	ctx context.Context, p tree.Project, by Author, branch Ref, c *object.Commit,
) (Commit, error) {
	if strings.ContainsRune(c.Message, 0) {
		return Commit{}, refuse("the commit message contains a NUL")
	}
	id := g.keep(object.Object{Kind: object.KindCommit, Data: c.Encode()})
	if err := g.storeMade(ctx); err != nil {
		return Commit{}, err
	}
	updates := []Update{{Ref: branch.Name, Old: branch.ID, New: id, commit: id}}
	fresh := []freshCommit{{id, c.Parents}}
	if g.brought {
		var err error
		if fresh, err = g.fresh(ctx, updates); err != nil {
			return Commit{}, err
		}
	}
	results, err := g.push(ctx, change{Project: p, By: by, Updates: updates, Commits: fresh})
	if err != nil {
		var refused Refused
		if errors.As(err, &refused) && refused.Protected {
			return Commit{}, fault.Forbidden("You are not allowed to push into this branch")
		}
		return Commit{}, asFault(err, refuse)
	}
	if results[0] != "" {
		return Commit{}, refuse(results[0])
	}
	return g.FindCommit(ctx, "Commit", id)
}

// keep makes an object of the repository, to be stored with the commit.
func (g *Git) keep(o object.Object) object.ID {
	id := object.Hash(o.Kind, o.Data)
	if g.made == nil {
		g.made = map[object.ID]object.Object{}
	}
	g.made[id] = o
	return id
}

// author returns the signature of the author.
func (n NewCommit) author(now time.Time) object.Signature {
	s := signatureOf(n.By.User, now)
	if n.AuthorName != "" {
		s.Name = n.AuthorName
	}
	if n.AuthorEmail != "" {
		s.Email = n.AuthorEmail
	}
	return s
}

// signatureOf returns how a user signs a commit of the API.
func signatureOf(u tree.User, now time.Time) object.Signature {
	email := u.Email
	if u.CommitEmail != nil && *u.CommitEmail != "" {
		email = *u.CommitEmail
	}
	return object.Signature{Name: u.Name, Email: email, When: now.UTC().Truncate(time.Second)}
}

// baseOf returns the commit that the new one follows: the zero value in an empty repository.
func (g *Git) baseOf(ctx context.Context, n NewCommit, branch Ref) (Commit, error) {
	exists := !branch.ID.IsZero()
	if exists && (n.StartBranch != "" && n.StartBranch != n.Branch || n.StartCommit != "") && !n.Force {
		return Commit{}, fault.BadRequest(fmt.Sprintf("A branch called '%s' already exists. "+
			"Switch to that branch in order to make changes", n.Branch)).In(fault.Text)
	}
	switch {
	case n.StartCommit != "":
		return g.startAt(ctx, n, n.StartCommit)
	case n.StartBranch != "":
		return g.startAt(ctx, n, Heads+n.StartBranch)
	case exists:
		return g.FindCommit(ctx, "Commit", branch.ID)
	}
	empty, err := g.Empty(ctx)
	if err == nil && !empty {
		err = fault.BadRequest("You can only create or edit files when you are on a branch").In(fault.Text)
	}
	return Commit{}, err
}

func (g *Git) startAt(ctx context.Context, n NewCommit, revision string) (c Commit, err error) {
	source := g
	if n.StartIn != nil {
		if source, err = open(ctx, g.st, *n.StartIn); err != nil {
			return c, err
		}
	}
	id, err := source.Resolve(ctx, "Commit", revision)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Commit{}, fault.BadRequest("Invalid reference name: " + ShortName(revision)).In(fault.Text)
	}
	if err != nil {
		return Commit{}, err
	}
	if source != g {
		if err := g.bring(ctx, source, id); err != nil {
			return Commit{}, err
		}
	}
	return source.FindCommit(ctx, "Commit", id)
}
