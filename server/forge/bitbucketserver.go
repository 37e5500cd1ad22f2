package forge

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"hew/server/forge/bitbucketserver"
	"hew/server/forge/mapping"
)

// bitbucketStages are the stages of an import of the Bitbucket Server kind.
func bitbucketStages() []stage {
	return []stage{
		{name: "pulls", do: readBitbucketPulls},
		{name: "activities", do: readActivities},
		storing("merge_requests", eachNumbered(kindPull, bitbucketDocument, kindActivity)),
	}
}

// readBitbucketPulls reads a page of the pull requests. The cursor is a list page with its start.
func readBitbucketPulls(ctx context.Context, r *run) (s step, err error) {
	at := parseListPage(r.Cursor)
	start, _ := strconv.Atoi(at.address) // "" is the first page
	path := bitbucketserver.RepositoryPath(r.source.Project, r.source.Slug) + "/pull-requests"
	pulls, next, err := bitbucketserver.Page[bitbucketserver.Pull](
		ctx, r.host.(*bitbucketserver.Client), path, "state=ALL&order=OLDEST", start,
	)
	if err != nil {
		return s, err
	}
	for _, p := range pulls {
		s.documents = append(s.documents, document{Kind: kindPull, Key: number(p.ID), Number: p.ID, Value: p})
		s.know(p.Author.User)
		for _, reviewer := range p.Reviewers {
			s.know(reviewer.User)
		}
	}
	if next != bitbucketserver.Last {
		s.follow(r, "pulls", at, strconv.Itoa(next))
	}
	return s, nil
}

// know notes down a user of the host, who is known by their address.
func (s *step) know(u bitbucketserver.User) {
	if u.Email != "" {
		s.users = append(s.users, u.Email)
	}
}

// readActivities reads the history of the next pull request. The cursor is the number of the last
// one.
func readActivities(ctx context.Context, r *run) (s step, err error) {
	after, _ := strconv.Atoi(r.Cursor) // "" is before the first one
	list, err := r.nextNumbered(ctx, kindPull, after, 1)
	if err != nil || len(list) == 0 {
		return s, err
	}
	n := list[0].Number
	path := bitbucketserver.RepositoryPath(r.source.Project, r.source.Slug) +
		fmt.Sprintf("/pull-requests/%d/activities", n)
	activities, err := bitbucketserver.All[bitbucketserver.Activity](
		ctx, r.host.(*bitbucketserver.Client), path, maxParts,
	)
	for _, a := range activities {
		s.documents = append(s.documents, document{Kind: kindActivity, Key: id(a.ID), Number: n, Value: a})
		s.know(a.User)
		s.knowAll(a.Comment)
	}
	s.stage, s.cursor = "activities", strconv.Itoa(n)
	err = s.tolerate(r, "activities", n, err)
	return s, err
}

// knowAll notes down who wrote a comment and its replies.
func (s *step) knowAll(c *bitbucketserver.Comment) {
	if c == nil {
		return
	}
	s.know(c.Author)
	for _, reply := range c.Comments {
		s.knowAll(&reply)
	}
}

func bitbucketDocument(ctx context.Context, r *run, d staged, p parts) (any, error) {
	pull := decode[bitbucketserver.Pull](d)
	of := mapping.BitbucketServer{People: r.people}
	activities := decodeAll[bitbucketserver.Activity](p[kindActivity])
	slices.Reverse(activities) // the newest first, as the host has them
	doc := of.MergeRequest(pull, activities)
	base, err := r.mergeBase(ctx, pull.To.LatestCommit, pull.From.LatestCommit)
	if base != "" {
		doc.MergeRequestDiff.BaseCommitSHA = &base
	}
	return &doc, err
}
