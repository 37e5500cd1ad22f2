package hook

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// sample returns the payload of a test.
type sample func(ctx context.Context, st *db.Store, at sampleScope) (any, error)

// sampleScope is the group or project of a test, and the user who asks for it.
type sampleScope struct {
	group   tree.Group   // of a hook of a group
	project tree.Project // of the hook, or the newest one in its group; id 0: there is none
	by      tree.User
	web     string // the address of pages
}

// sampleMissing returns a sample that fails because the project has nothing of the kind.
func sampleMissing(what string) sample {
	return func(context.Context, *db.Store, sampleScope) (any, error) {
		return nil, fault.Unprocessable("Ensure the project has " + what + ".")
	}
}

// samplePush returns the sample of a push of two commits, or of a tag.
func samplePush(kind, refs string) sample {
	return func(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
		if err := at.needProject(); err != nil {
			return nil, err
		}
		after, ref := strings.Repeat("b", 40), refs+at.project.Head
		p := pushPayload{
			PushOptions: code.PushOptions{},
			ObjectKind:  kind, EventName: kind, Before: strings.Repeat("a", 40), After: after, CheckoutSHA: &after,
			UserID: at.by.ID, UserName: at.by.Name, Username: at.by.Username, UserEmail: emailOf(at.by.PublicEmail),
			UserAvatar: avatarURL(at.web, at.by.Avatar),
			ProjectID:  at.project.ID, Commits: []commitPayload{},
		}
		if kind == "tag_push" {
			ref, p.Before = refs+"v1.0.0", strings.Repeat("0", 40)
		} else {
			for i, title := range []string{"Add a readme", "Say what this is about"} {
				id := strings.Repeat(fmt.Sprint(i+1), 40)
				p.Commits = append(p.Commits, commitPayload{
					ID: id, URL: at.web + "/" + at.project.FullPath + "/-/commit/" + id, Message: title + "\n",
					Title: title, Timestamp: wholeSeconds(at.project.CreatedAt),
					Author: ownerPayload{at.by.Name, p.UserEmail}, Added: []string{}, Modified: []string{"README.md"},
					Removed: []string{},
				})
			}
			p.Commits[0].Added, p.Commits[0].Modified = p.Commits[0].Modified, []string{}
			p.After = p.Commits[1].ID
			p.CheckoutSHA, p.CommitsCount = &p.After, len(p.Commits)
		}
		p.Ref = ref
		return p, nil
	}
}

func (at sampleScope) needProject() error {
	if at.project.ID == 0 {
		return fault.Unprocessable("Ensure the group has a project.")
	}
	return nil
}

func sampleToken(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	week := db.Today().Add(people.ExpiryNoticeDays)
	return newTokenPayload(people.Token{UserID: at.by.ID, CreatedAt: at.by.CreatedAt, ID: 1, Name: "acme",
		ExpiresAt: &week}, nil), nil
}

// sampleSubgroup returns an event of a subgroup that does not exist, since there may be none.
func sampleSubgroup(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
	below := at.group
	below.ID, below.ParentID = 0, &at.group.ID
	below.Name, below.Path, below.FullPath = "Subgroup", "subgroup", at.group.FullPath+"/subgroup"
	return newSubgroupPayload("subgroup_create", below, at.group), nil
}

func sampleMember(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
	return newMemberPayload("user_add_to_group", group.MemberOf(at.group, at.by, int(policy.Owner)), at.group), nil
}

func sampleProject(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	list, err := newProjectPayloads(ctx, st, "project_create", at.project)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// sampleSystem returns an event of a project that does not exist, since there may be none.
func sampleSystem(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
	owner := ownerPayload{at.by.Name, emailOf(at.by.PublicEmail)}
	return systemProjectPayload{
		projectPayload: projectPayload{
			EventName: "project_create", CreatedAt: wholeSeconds(time.Now()), UpdatedAt: wholeSeconds(time.Now()),
			Name: "Ruby", Path: "ruby", PathWithNamespace: "example/ruby", ProjectID: 1, NamespaceID: 1,
			Owners: []ownerPayload{owner}, Visibility: "private",
		},
		OwnerName: owner.Name, OwnerEmail: owner.Email,
	}, nil
}
