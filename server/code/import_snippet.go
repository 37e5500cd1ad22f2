package code

import (
	"context"

	"hew/server/event"
	"hew/server/git/pkt"
)

// snippetRefs returns what of a bundle becomes the files of a snippet: the branch that snippets
// have or, since other hosts call it otherwise, the one of HEAD by that name.
func snippetRefs(push pkt.Push, heads []string) pkt.Push {
	all := push.Commands
	push.Commands = nil
	for _, branch := range append([]string{SnippetHead}, heads...) {
		for _, c := range all {
			if c.Ref == Heads+branch {
				c.Ref = Heads + SnippetHead
				push.Commands = []pkt.Command{c}
				return push
			}
		}
	}
	return push
}

// announce has the snippet checked like one that was pushed, and the names of its files noted.
func (g *Git) announce(ctx context.Context, c change) error {
	pushed := SnippetPushed{Git: g}
	for _, u := range c.Updates {
		pushed.Changes = append(pushed.Changes, Change{Ref: u.Ref, Before: u.Old, After: u.New, Target: u.New})
	}
	return event.Emit(ctx, g.st, pushed)
}
