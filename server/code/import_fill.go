package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"hew/server/db"
	"hew/server/git/remote"
	"hew/server/jobs"
	"hew/server/protect"
	"hew/server/setting"
	"hew/server/tree"
)

// importing is an import whose objects have come.
type importing struct {
	heads []string // of the other repository: branches for the default one, the best first
	end   func(context.Context, *db.Store) error
}

// apply stores the refs and commits, and ends the import. It is not a push: there are no rules that
// the history of another host has to keep to, and no events.
func (i importing) apply(ctx context.Context, g *Git, c change) ([]string, error) {
	for commits, err := range g.readNew(ctx, c.Commits) {
		if err == nil {
			err = g.index(ctx, commits)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := g.checkTips(ctx, c); err != nil {
		return nil, err
	}
	if err := g.checkSize(ctx); err != nil {
		return nil, err
	}
	results, err := g.swapAll(ctx, c)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, u := range c.Updates {
		names = append(names, u.Ref)
	}
	if g.Kind == Snippet {
		err = g.announce(ctx, c)
	} else {
		err = i.begin(ctx, g, c.Project, names)
	}
	if err != nil {
		return nil, err
	}
	if err := jobs.Enqueue(ctx, g.st, Housekeeping{RepositoryID: g.ID}); err != nil {
		return nil, err
	}
	return results, i.end(ctx, g.st)
}

// begin chooses the default branch of the repository.
func (i importing) begin(ctx context.Context, g *Git, p tree.Project, refs []string) error {
	if g.Kind == Wiki {
		head := chooseBranch(refs, append(i.heads, g.Head)...)
		if head == "" {
			return nil
		}
		return g.chooseHead(ctx, head)
	}
	wanted := i.heads
	if p.DefaultBranch != nil {
		wanted = append([]string{*p.DefaultBranch}, wanted...)
	}
	return beginWith(ctx, g.st, p, refs, wanted...)
}

// checkTips returns badPack if a branch is not one of commits.
func (g *Git) checkTips(ctx context.Context, c change) error {
	isNew := map[string]bool{}
	for _, f := range c.Commits {
		isNew[f.ID.String()] = true
	}
	h, err := g.History(ctx)
	if err != nil {
		return err
	}
	for _, u := range c.Updates {
		kind, name := kindOf(u.Ref)
		if kind == protect.Branch && !isNew[u.New.String()] && !h.Has(u.New) {
			return badPack(fmt.Sprintf("the branch %q points to %s, which is not a commit", name, u.New))
		}
	}
	return nil
}

// sizedPack reads the pack of an import up to a limit.
type sizedPack struct {
	from io.Reader
	left int64
	text string // of the error of a larger one
}

// newSizedPack limits a pack by the settings that limit pushes, repositories and imports, so that a
// host cannot fill the disk.
func newSizedPack(from io.Reader, s setting.Settings) *sizedPack {
	p := &sizedPack{from: from, left: math.MaxInt64}
	for _, limit := range []struct {
		bytes int64
		name  string
	}{
		{int64(s.ReceiveMaxInputSize) << 20, "receive_max_input_size"},
		{int64(s.MaxRemoteImport) << 20, "max_import_remote_file_size"},
		{s.RepositorySizeLimit, "repository_size_limit"},
	} {
		if limit.bytes > 0 && limit.bytes < p.left {
			p.left = limit.bytes
			p.text = fmt.Sprintf("the repository is larger than %d bytes, the limit of the setting %s",
				limit.bytes, limit.name)
		}
	}
	return p
}

// Read implements io.Reader.
func (p *sizedPack) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	if p.left -= int64(n); p.left < 0 {
		return 0, badPack(p.text)
	}
	return n, err
}

// ImportText returns why an import or a pull failed, for the maintainers of its project, and
// whether that is an error of this server, which may be over in a moment.
func ImportText(err error) (text string, internal bool) {
	var said remote.Error
	var pack badPack
	var moved notAtomic
	var refused Refused
	switch {
	case errors.As(err, &said):
		return said.Error(), false
	case errors.As(err, &moved):
		return "the repository was pushed to while it was imported: " + moved.Error(), false
	case errors.As(err, &pack):
		return "the repository cannot be stored: " + pack.Error(), false
	case errors.As(err, &refused):
		return strings.Replace(refused.Text, "Your push to this repository", "The import", 1), false
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("the import took longer than %v", importTime), false
	}
	return "an internal error ended the import; an administrator finds it in the server's log", true
}
