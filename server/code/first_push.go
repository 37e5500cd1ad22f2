package code

import (
	"context"
	"fmt"
	"slices"

	"hew/server/protect"
	"hew/server/tree"
)

// firstPush is what the first branch of a repository brings with it: it becomes the default branch
// if that does not exist, and is protected.
type firstPush struct {
	g          *Git
	protection protect.DefaultProtection // but of wikis, which are not protected
}

// firstPush returns nil unless a change brings the first branch. It returns Refused if the pusher
// may not begin.
func (g *Git) firstPush(ctx context.Context, c change) (*firstPush, error) {
	creates := slices.ContainsFunc(c.Updates, func(u Update) bool {
		kind, _ := kindOf(u.Ref)
		return kind == protect.Branch && u.verb() == protect.CreateRef
	})
	if !creates {
		return nil, nil
	}
	empty, err := g.Empty(ctx)
	if err != nil || !empty {
		return nil, err
	}
	switch g.Kind {
	case Wiki:
		return &firstPush{g: g}, nil
	case Snippet:
		return nil, nil
	}
	protection, err := protect.ReadDefaultProtection(ctx, g.st, c.Project)
	if err == nil && !protection.MayBegin(c.By.Pusher) {
		err = Refused{Protected: true, Text: fmt.Sprintf("A default branch (e.g. %s) does not yet exist for %s\n"+
			"Ask a project Owner or Maintainer to create a default branch.", g.Head, c.Project.FullPath)}
	}
	return &firstPush{g, protection}, err
}

// finish chooses and protects the default branch after the branches were made, and notes in them
// that it is protected.
func (f *firstPush) finish(ctx context.Context, p *tree.Project, by protect.Pusher, made []Change) error {
	head := ""
	for _, c := range made {
		kind, name := kindOf(c.Ref)
		if kind == protect.Branch && (head == "" || name == f.g.Head) {
			head = name
		}
	}
	if head == "" {
		return nil
	}
	if f.g.Kind == Wiki {
		return f.g.chooseHead(ctx, head)
	}
	if head != f.g.Head {
		if err := tree.SetDefaultBranch(ctx, f.g.st, p.ID, head); err != nil {
			return err
		}
		p.Head, f.g.Head = head, head
	}
	if err := f.protection.Apply(ctx, f.g.st, *p, head); err != nil {
		return err
	}
	protection, err := protect.ReadProtection(ctx, f.g.st, p.ID, by)
	if err != nil {
		return err
	}
	for i, c := range made {
		kind, name := kindOf(c.Ref)
		made[i].Protected = protection.Protects(kind, name)
	}
	return nil
}
