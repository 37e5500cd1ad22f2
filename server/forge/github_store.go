package forge

import (
	"context"
	"encoding/json"
	"time"

	"hew/server/code"
	"hew/server/forge/github"
	"hew/server/forge/mapping"
	"hew/server/git/object"
)

// gitHubStores are the stages that store what has come from a host of the GitHub kind.
func gitHubStores() []stage {
	return []stage{
		storing("labels", eachPlaced(kindLabel, func(r *run, d staged) (any, error) {
			return new(r.gitHub().Label(decode[github.Label](d))), nil
		})),
		storing("milestones", eachNumbered(kindMilestone, milestoneDocument)),
		storing("issues", eachNumbered(kindIssue, issueDocument, kindNote, kindEvent)),
		storing("merge_requests", eachNumbered(kindPull, pullDocument, kindMergedBy, kindPullIssue, kindReviewers,
			kindReview, kindNote, kindDiffNote, kindEvent)),
		storing("releases", eachPlaced(kindRelease, func(r *run, d staged) (any, error) {
			doc, ok := r.gitHub().Release(decode[github.Release](d), time.Now().UTC())
			if !ok { // it has no tag
				return nil, nil
			}
			return &doc, nil
		})),
		storing("project_members", eachPlaced(kindCollaborator, memberDocument)),
		storing("protected_branches", protectedBranches),
		defaultBranchRules,
	}
}

func (r *run) gitHub() mapping.GitHub {
	return mapping.GitHub{People: r.people, FullName: r.source.FullName}
}

// decode decodes a document of this package, which encoded it.
func decode[T any](d staged) (value T) {
	_ = json.Unmarshal(d.Document, &value)
	return value
}

func milestoneDocument(_ context.Context, r *run, d staged, _ parts) (any, error) {
	return new(r.gitHub().Milestone(decode[github.Milestone](d))), nil
}

func issueDocument(_ context.Context, r *run, d staged, p parts) (any, error) {
	return new(r.gitHub().Issue(decode[github.Issue](d), decodeAll[github.Comment](p[kindNote]),
		decodeAll[github.Event](p[kindEvent]))), nil
}

func pullDocument(ctx context.Context, r *run, d staged, p parts) (any, error) {
	of := mapping.PullParts{
		Pull: decode[github.Pull](d), Reviews: decodeAll[github.Review](p[kindReview]),
		Comments: decodeAll[github.Comment](p[kindNote]), Events: decodeAll[github.Event](p[kindEvent]),
		ReviewComments: decodeAll[github.ReviewComment](p[kindDiffNote]),
	}
	for _, u := range decodeAll[github.User](p[kindMergedBy]) {
		of.MergedBy = &u
	}
	for _, i := range decodeAll[github.Issue](p[kindPullIssue]) {
		of.Labels = i.Labels
	}
	for _, asked := range decodeAll[github.Reviewers](p[kindReviewers]) {
		of.Requested = asked.Users
	}
	var err error
	of.MergeBase, err = r.mergeBase(ctx, of.Pull.Base.SHA, of.Pull.Head.SHA)
	return new(r.gitHub().MergeRequest(of)), err
}

// mergeBase returns the commit that two commits come from; "" if one of them has not come. The
// repository is opened once for a batch of documents.
func (r *run) mergeBase(ctx context.Context, a, b string) (string, error) {
	first, errFirst := object.ParseID(a)
	second, errSecond := object.ParseID(b)
	if errFirst != nil || errSecond != nil {
		return "", nil
	}
	if r.git == nil {
		var err error
		if r.git, err = code.Open(ctx, r.st, r.p); err != nil {
			return "", err
		}
	}
	h, err := r.git.History(ctx)
	if err != nil || !h.Has(first) || !h.Has(second) {
		return "", err
	}
	bases, err := r.git.MergeBases(ctx, first, second)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0].String(), nil
}

// memberDocument makes a member of a collaborator who is a user here.
func memberDocument(r *run, d staged) (any, error) {
	doc, ok, err := r.gitHub().Member(decode[github.Collaborator](d))
	if err != nil || !ok {
		return nil, err
	}
	return &doc, nil
}
