package load

import (
	"context"
	"strings"
	"unicode/utf8"

	"hew/server/transfer/archive"
)

// storeReleases stores releases with their links.
func storeReleases(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	for _, d := range documents {
		if r, ok := d.Value.(*archive.Release); ok {
			for _, m := range r.MilestoneReleases {
				w.milestone(m.Milestone)
			}
		}
	}
	if err := b.find(ctx, w); err != nil {
		return err
	}
	if err := b.reserve(ctx, "releases", len(documents)); err != nil {
		return err
	}
	return each(b, documents, b.addRelease)
}

// addRelease adds the rows of a release. Without an author it has none here.
func (b *batch) addRelease(d Document, r *archive.Release) error {
	if strings.TrimSpace(r.Tag) == "" {
		return invalid("tag: can't be blank")
	}
	created, updated := span(r.CreatedAt, r.UpdatedAt)
	id := b.take("releases")
	b.add("releases", row{
		"id": id, "project_id": b.project.ID, "tag": r.Tag, "name": text(r.Name), "description": quoted(r.Description),
		"author_id": b.user(r.AuthorID), "released_at": timeOr(r.ReleasedAt, created),
		"created_at": created, "updated_at": updated,
	})
	for _, l := range r.Links {
		if l.Name == "" || l.URL == "" || utf8.RuneCountInString(l.Name) > 255 || utf8.RuneCountInString(l.URL) > 2048 ||
			!hasScheme(l.URL) {
			b.failIn("links", d, invalid("the link of a release has no valid name and URL"))
			continue
		}
		created, updated := span(l.CreatedAt, l.UpdatedAt)
		b.add("release_links", row{
			"release_id": id, "name": l.Name, "url": l.URL, "filepath": text(l.Filepath),
			"link_type": oneOf(l.LinkType, "other", "runbook", "image", "package"), "created_at": created,
			"updated_at": updated,
		})
	}
	for _, m := range r.MilestoneReleases {
		if m.Milestone != nil && b.found.milestones[m.Milestone.Title] != 0 {
			b.add("release_milestones", row{
				"release_id": id, "milestone_id": b.found.milestones[m.Milestone.Title],
			})
		}
	}
	return nil
}

// hasScheme reports whether an address has one of the schemes that links of releases have.
func hasScheme(url string) bool {
	for _, scheme := range []string{"http://", "https://", "ftp://"} {
		if strings.HasPrefix(strings.ToLower(url), scheme) {
			return true
		}
	}
	return false
}
