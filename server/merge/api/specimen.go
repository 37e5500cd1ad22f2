package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/group"
	"hew/server/merge"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
)

// specimen makes n merge requests in a project, each of a branch with n commits and n files.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ProjectID == nil {
		return values, nil
	}
	p := at.Project
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	start := code.NewCommit{
		Project: p, By: by, Branch: p.Head, Message: "Begin to be merged into",
		Actions: []code.Action{{Do: "create", Path: "merged.txt", Content: new("before\n")}},
	}
	if _, err := code.CreateCommit(ctx, h, start); err != nil {
		return nil, err
	}
	for i := range n {
		branch := fmt.Sprint("proposal-", i)
		for k := range n {
			commit := code.NewCommit{
				Project: p, By: by, Branch: branch, Message: fmt.Sprint("Propose ", k),
				Actions: []code.Action{{
					Do: "create", Path: fmt.Sprintf("proposed/%d-%d.txt", i, k), Content: new("text\n"),
				}},
			}
			if k == 0 {
				commit.StartBranch = p.Head
			}
			if _, err := code.CreateCommit(ctx, h, commit); err != nil {
				return nil, err
			}
		}
		from, into := merge.Branch{Project: p, Name: branch}, merge.Branch{Project: p, Name: p.Head}
		r, err := merge.Create(ctx, h, from, into, at.Owner, func(_ *db.Store, r *merge.Request) error {
			r.Title = fmt.Sprint("Proposal ", i)
			r.Description, r.AssigneeIDs, r.ReviewerIDs = new("- [ ] read"), []int64{at.Owner.ID}, []int64{at.Owner.ID}
			return nil
		})
		if err != nil {
			return nil, err
		}
		values["merge_request_iid"], values["sha"] = fmt.Sprint(r.IID), r.Head.String()
		if i < n-1 {
			continue
		}
		if err := backports(ctx, h, at, by, branch, n); err != nil {
			return nil, err
		}
		if values["rule_id"], err = specimenRules(ctx, h, at, r, n); err != nil {
			return nil, err
		}
		if err := shared(ctx, h, at, r, n, values); err != nil {
			return nil, err
		}
		if err := ofRoot(ctx, h, at, by, n, values); err != nil {
			return nil, err
		}
		if err := reviewSpecimen(ctx, h, at, r, fmt.Sprintf("proposed/%d-0.txt", i), n, values); err != nil {
			return nil, err
		}
		if err := blocksSpecimen(ctx, h, r, n, values); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// backports makes n merge requests of one branch into others.
func backports(ctx context.Context, h *db.Store, at part.Place, by code.Author, branch string, n int) error {
	for k := range n {
		into := merge.Branch{Project: at.Project, Name: fmt.Sprint("stable-", k)}
		if _, err := code.CreateBranch(ctx, h, at.Project, by, into.Name, at.Project.Head); err != nil {
			return err
		}
		from := merge.Branch{Project: at.Project, Name: branch}
		_, err := merge.Create(ctx, h, from, into, at.Owner, func(_ *db.Store, r *merge.Request) error {
			r.Title = fmt.Sprint("Backport ", k)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// specimenRules gives a merge request n approval rules that name the owner and the group, and
// returns the id of the last.
func specimenRules(ctx context.Context, h *db.Store, at part.Place, r merge.Request, n int) (id string, err error) {
	e := merge.RuleEditor{
		ApprovalScope: protect.ApprovalScope{Source: at.Source(), Visible: group.GroupFilter{UserID: at.Owner.ID}},
		Project:       at.Project, RequestID: r.ID,
	}
	names := protect.RuleNames{UserIDs: &[]int64{at.Owner.ID}, GroupIDs: &[]int64{at.Group.ID}}
	for i := range n {
		rule, err := e.Create(ctx, h, 0, names, func(r *merge.Rule) error {
			r.Name, r.ApprovalsRequired = fmt.Sprint("rule ", i), 1
			return nil
		})
		if err != nil {
			return "", err
		}
		id = fmt.Sprint(rule.ID)
	}
	return id, nil
}
