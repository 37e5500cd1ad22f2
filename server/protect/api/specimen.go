package api

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"

	"golang.org/x/crypto/ssh"

	"hew/server/db"
	"hew/server/group"
	"hew/server/part"
	"hew/server/protect"
	"hew/server/tree"
)

// specimen protects a group or project in every way, and gives a project n deploy keys.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ID() == 0 {
		return values, nil
	}
	_, err := protect.CreatePushRule(ctx, h, at.Container, func(*protect.PushRule) error { return nil })
	if err != nil {
		return nil, err
	}
	for i := range n {
		rule, err := specimenRule(ctx, h, at, i)
		if err != nil {
			return nil, err
		}
		for _, kind := range []protect.RefKind{protect.Branch, protect.Tag} {
			if err := specimenRef(ctx, h, at, kind, i, n); err != nil {
				return nil, err
			}
		}
		values["approval_rule_id"], values["name"] = fmt.Sprint(rule.ID), fmt.Sprint("v", i)
	}
	if at.ProjectID == nil {
		return values, nil
	}
	for i := range n {
		e, err := specimenKey(ctx, h, at, i)
		if err != nil {
			return nil, err
		}
		values["deploy_key_id"] = fmt.Sprint(e.DeployKeyID)
	}
	return values, nil
}

// specimenRule creates an approval rule that names the owner and the group.
func specimenRule(ctx context.Context, h *db.Store, at part.Place, i int) (protect.ApprovalRule, error) {
	in := protect.ApprovalScope{Source: at.Source(), Visible: group.GroupFilter{UserID: at.Owner.ID}}
	names := protect.RuleNames{UserIDs: &[]int64{at.Owner.ID}, GroupIDs: &[]int64{at.Group.ID}}
	return protect.CreateApprovalRule(ctx, h, in, names, func(r *protect.ApprovalRule) error {
		r.Name = fmt.Sprint("rule ", i)
		return nil
	})
}

// specimenRef protects the branch or tag v<i>, with n levels for each thing that can be done with
// it.
func specimenRef(ctx context.Context, h *db.Store, at part.Place, kind protect.RefKind, i, n int) error {
	acts := map[protect.RefKind][]protect.RefAct{
		protect.Branch: {protect.Push, protect.Merge, protect.Unprotect}, protect.Tag: {protect.Create},
	}
	edit := protect.RefEdit{Grants: map[protect.RefAct][]protect.RefGrant{}}
	for _, act := range acts[kind] {
		for level := range n {
			grant := protect.RefGrant{RefLevel: protect.RefLevel{AccessLevel: new(level + 1)}}
			edit.Grants[act] = append(edit.Grants[act], grant)
		}
	}
	_, err := protect.CreateProtectedRef(
		ctx, h, protect.RefKey{In: at.Container, Kind: kind, Name: fmt.Sprint("v", i)}, edit,
	)
	return err
}

// specimenKey gives a project a new deploy key.
func specimenKey(ctx context.Context, h *db.Store, at part.Place, i int) (e protect.EnabledKey, err error) {
	open, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return e, err
	}
	key, err := ssh.NewPublicKey(open)
	if err != nil {
		return e, err
	}
	k := protect.DeployKey{Title: fmt.Sprint("key ", i), Key: string(ssh.MarshalAuthorizedKey(key))}
	return protect.AddDeployKey(ctx, h, at.Container, tree.Viewer{UserID: at.Owner.ID}, k, protect.DeployKeyAccess{})
}
