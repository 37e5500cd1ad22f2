package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/wiki"
)

// specimen gives a group or project a wiki of n pages.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	w := wiki.Writer{By: code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}}
	switch {
	case at.ProjectID != nil:
		w.At = code.WikiOfProject(at.Project)
	case at.NamespaceID != nil:
		w.At, w.Group = code.WikiOfGroup(at.Group), &at.Group
	default:
		return part.Values{}, nil
	}
	slug := ""
	for i := range n {
		slug = fmt.Sprint("page-", i)
		title, content := slug, fmt.Sprintf("# Page %d\n", i)
		if _, err := w.Create(ctx, h, wiki.Draft{Title: &title, Content: &content}); err != nil {
			return nil, err
		}
	}
	return part.Values{"slug": slug}, nil
}
