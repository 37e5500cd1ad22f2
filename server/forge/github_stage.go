package forge

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"

	"hew/server/forge/github"
	"hew/server/forge/hostapi"
)

// gitHubStages are the stages that read a repository of the GitHub kind.
func gitHubStages(o Options) []stage {
	notes := []stage{readList("notes", "/issues/comments", "", noteOf)}
	diffNotes := readList("diff_notes", "/pulls/comments", "", diffNoteOf)
	if o.SingleNotes {
		notes = []stage{readEach("notes", kindIssue, readNotes), readEach("pull_notes", kindPull, readNotes)}
		diffNotes = readEach("diff_notes", kindPull, readDiffNotes)
	}
	const inOrder = "state=all&sort=created&direction=asc"
	return slices.Concat([]stage{
		readList("labels", "/labels", "", func(l github.Label) (document, []*github.User) {
			return document{Kind: kindLabel, Key: l.Name, Value: l}, nil
		}),
		readList("milestones", "/milestones", "state=all", func(m github.Milestone) (document, []*github.User) {
			return document{Kind: kindMilestone, Key: number(m.Number), Number: m.Number, Value: m}, nil
		}),
		readList("releases", "/releases", "", func(r github.Release) (document, []*github.User) {
			return document{Kind: kindRelease, Key: id(r.ID), Value: r}, []*github.User{r.Author}
		}),
		readList("pulls", "/pulls", inOrder, pullOf),
		optional(o.Collaborators, readList("collaborators", "/collaborators", "affiliation=direct",
			func(c github.Collaborator) (document, []*github.User) {
				return document{Kind: kindCollaborator, Key: c.Login, Value: c}, []*github.User{{Login: c.Login}}
			})),
		readEach("merged_by", kindPull, readMergedBy),
		readEach("reviewers", kindPull, readReviewers),
		readEach("reviews", kindPull, readReviews),
		readList("issues", "/issues", inOrder, issueOf),
		diffNotes,
		optional(o.SingleEvents, readEach("events", kindIssue, readEvents)),
		optional(o.SingleEvents, readEach("pull_events", kindPull, readEvents)),
	}, notes, []stage{
		readList("branches", "/branches", "protected=true", func(b github.Branch) (document, []*github.User) {
			if !b.Protected {
				return document{}, nil
			}
			return document{Kind: kindBranch, Key: b.Name, Value: b}, nil
		}),
		optional(o.Attachments, stage{name: "attachments", do: bringAttachments, lenient: true}),
		{name: "protected_branches", do: readProtection},
		{name: "users", do: readUsers},
	})
}

// optional returns a stage that is skipped unless it was chosen.
func optional(chosen bool, s stage) stage {
	s.skips = func(*run) bool { return !chosen }
	return s
}

func pullOf(p github.Pull) (document, []*github.User) {
	return document{Kind: kindPull, Key: number(p.Number), Number: p.Number, Value: p},
		[]*github.User{p.User, p.Assignee}
}

func issueOf(i github.Issue) (document, []*github.User) {
	users := []*github.User{i.User}
	for _, u := range i.Assignees {
		users = append(users, &u)
	}
	kind := kindIssue
	if i.PullRequest != nil {
		kind = kindPullIssue
	}
	return document{Kind: kind, Key: number(i.Number), Number: i.Number, Value: i}, users
}

func noteOf(c github.Comment) (document, []*github.User) {
	return document{Kind: kindNote, Key: id(c.ID), Number: c.Number(), Value: c}, []*github.User{c.User}
}

func diffNoteOf(c github.ReviewComment) (document, []*github.User) {
	return document{Kind: kindDiffNote, Key: id(c.ID), Number: c.Number(), Value: c}, []*github.User{c.User}
}

func readNotes(ctx context.Context, c *github.Client, path string, d staged) (step, error) {
	return allOf(ctx, c, pathOf(path, "/issues/%d/comments", d.Number), ofNumber(d.Number, noteOf))
}

func readDiffNotes(ctx context.Context, c *github.Client, path string, d staged) (step, error) {
	return allOf(ctx, c, pathOf(path, "/pulls/%d/comments", d.Number), ofNumber(d.Number, diffNoteOf))
}

// ofNumber returns of for entries of one issue or pull request.
func ofNumber[T any](n int, of func(T) (document, []*github.User)) func(T) (document, []*github.User) {
	return func(entry T) (document, []*github.User) {
		d, users := of(entry)
		d.Number = n
		return d, users
	}
}

// readMergedBy asks who has merged a pull request, which lists do not say.
func readMergedBy(ctx context.Context, c *github.Client, path string, d staged) (s step, err error) {
	var p github.Pull
	if err := json.Unmarshal(d.Document, &p); err != nil || p.MergedAt == nil {
		return s, err
	}
	if p, err = github.Get[github.Pull](ctx, c, pathOf(path, "/pulls/%d", d.Number)); err != nil || p.MergedBy == nil {
		return s, err
	}
	s.add(document{Kind: kindMergedBy, Key: d.Key, Number: d.Number, Value: p.MergedBy}, []*github.User{p.MergedBy})
	return s, nil
}

// readReviewers asks who is to review an open pull request.
func readReviewers(ctx context.Context, c *github.Client, path string, d staged) (s step, err error) {
	var p github.Pull
	if err := json.Unmarshal(d.Document, &p); err != nil || p.State != "open" {
		return s, err
	}
	asked, err := github.Get[github.Reviewers](ctx, c, pathOf(path, "/pulls/%d/requested_reviewers", d.Number))
	if err != nil || len(asked.Users) == 0 {
		return s, err
	}
	var users []*github.User
	for _, u := range asked.Users {
		users = append(users, &u)
	}
	s.add(document{Kind: kindReviewers, Key: d.Key, Number: d.Number, Value: asked}, users)
	return s, nil
}

func readReviews(ctx context.Context, c *github.Client, path string, d staged) (step, error) {
	return allOf(ctx, c, pathOf(path, "/pulls/%d/reviews", d.Number), func(v github.Review) (document, []*github.User) {
		return document{Kind: kindReview, Key: id(v.ID), Number: d.Number, Value: v}, []*github.User{v.User}
	})
}

// readEvents reads the timeline of an issue or a pull request. Entries of some kinds have no id.
func readEvents(ctx context.Context, c *github.Client, path string, d staged) (step, error) {
	n := 0
	return allOf(ctx, c, pathOf(path, "/issues/%d/timeline", d.Number), func(e github.Event) (document, []*github.User) {
		n++
		switch e.Event {
		case "closed", "reopened", "labeled", "unlabeled", "renamed", "milestoned", "demilestoned", "assigned",
			"unassigned", "cross-referenced", "merged", "review_requested":
		default:
			return document{}, nil
		}
		key := d.Key + "-" + number(n)
		return document{Kind: kindEvent, Key: key, Number: d.Number, Value: e},
			[]*github.User{e.Actor, e.Assignee, e.RequestedReviewer}
	})
}

// readProtection reads how the next protected branch is protected.
func readProtection(ctx context.Context, r *run) (step, error) {
	return r.eachKey(ctx, "protected_branches", kindBranch, func(g gitHub, d staged, s *step) error {
		return g.ask(func(c *github.Client) error {
			p, err := github.Get[github.Protection](ctx, c, g.path+"/branches/"+url.PathEscape(d.Key)+"/protection")
			if err == nil {
				s.add(document{Kind: kindProtection, Key: d.Key, Value: p}, nil)
			}
			return err
		})
	})
}

// readUsers reads what the host shows of the next user.
func readUsers(ctx context.Context, r *run) (step, error) {
	return r.eachKey(ctx, "users", kindUser, func(g gitHub, d staged, s *step) error {
		return g.ask(func(c *github.Client) error {
			u, err := c.User(ctx, d.Key)
			var refused *hostapi.StatusError
			if errors.As(err, &refused) && refused.Status == 404 { // the account was removed since
				return nil
			}
			if err == nil {
				s.add(document{Kind: kindUser, Key: d.Key, Value: u}, nil)
			}
			return err
		})
	})
}

// eachKey makes a step about the next document of a kind. The cursor is the key of the last one.
func (r *run) eachKey(
	ctx context.Context, name, kind string, read func(g gitHub, d staged, s *step) error,
) (s step, err error) {
	list, err := r.nextOf(ctx, kind, r.Cursor, 1)
	if err != nil || len(list) == 0 {
		return step{}, err
	}
	err = read(r.host.(gitHub), list[0], &s)
	s.stage, s.cursor = name, list[0].Key
	err = s.tolerate(r, name, 0, err)
	return s, err
}
