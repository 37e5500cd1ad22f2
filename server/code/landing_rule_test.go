package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/protect"
)

// protect protects a branch: these roles may push to it and merge into it.
func (s scene) protect(branch string, push, merge policy.Level, force bool) {
	s.t.Helper()
	roles := map[protect.RefAct]*int{}
	for act, level := range map[protect.RefAct]policy.Level{protect.Push: push, protect.Merge: merge} {
		role := int(level)
		roles[act] = &role
	}
	refs := protect.ProtectedRefs(s.Store, s.project.Container(), protect.Branch)
	if r, err := refs.One(s.t.Context(), protect.RefByName(branch)); err == nil { // as the first push did
		require.NoError(s.t, s.Exec(s.t.Context(), `delete from protected_refs where id = @id`, map[string]any{"id": r.ID}))
	}
	_, err := protect.CreateProtectedRef(s.t.Context(), s.Store,
		protect.RefKey{In: s.project.Container(), Kind: protect.Branch, Name: branch},
		protect.RefEdit{Roles: roles, Fill: func(r *protect.ProtectedRef) { r.AllowForcePush = force }})
	require.NoError(s.t, err)
}

// as returns the scene with another role of its user.
func (s scene) as(level policy.Level) scene {
	s.by.Level = level
	return s
}

// Who may merge decides about a landing, who may push about commits and rebases.
func TestLandIntoProtectedBranch(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	tip := s.commit("work", "main", "b", "2")
	s.protect("main", policy.Maintainer, policy.Developer, false)
	_, err := code.Land(t.Context(), s.Store, s.as(policy.Reporter).landing(tip.ID, code.MergeCommit))
	var refused code.Refused
	require.ErrorAs(t, err, &refused)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	require.ErrorContains(t, err, "You are not allowed to merge into this branch")
	require.Error(t, s.as(policy.Developer).try("main", "c"))
	s.land(s.as(policy.Developer).landing(tip.ID, code.MergeCommit))

	s.protect("main", policy.Developer, 0, false)
	require.NoError(t, s.as(policy.Developer).try("main", "c"))
	tip = s.commit("work", "", "d", "4")
	_, err = code.Land(t.Context(), s.Store, s.landing(tip.ID, code.MergeCommit))
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = code.Land(t.Context(), s.Store, func() code.Landing {
		l := s.as(policy.Reporter).landing(tip.ID, code.MergeCommit)
		l.Branch = "other" // without protection developers merge
		s.commit("other", "main", "e", "5")
		return l
	}())
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
}

// try writes a file on a branch.
func (s scene) try(branch, path string) error {
	text := "x"
	_, err := code.CreateCommit(s.t.Context(), s.Store, code.NewCommit{
		Project: s.project, By: s.by, Branch: branch, Message: "Try",
		Actions: []code.Action{{Do: "create", Path: path, Content: &text}},
	})
	return err
}

// A rebase needs a branch that may be forced.
func TestRebaseOfProtectedBranch(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	tip := s.commit("work", "main", "b", "2")
	main := s.commit("main", "", "c", "3")
	s.protect("work", policy.Developer, policy.Developer, false)
	_, err := s.rebase("work", tip.ID, main.ID)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	require.ErrorContains(t, err, "not allowed to force push")
	s.protect("work", policy.Developer, policy.Developer, true)
	head, err := s.rebase("work", tip.ID, main.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"Write b"}, s.titles(main.ID, head))
}

// The commits that a landing makes keep to push rules; authors may be others than who merges.
func TestLandByPushRules(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	s.commit("work", "main", "b", "2")
	tip := s.commit("work", "", "c", "3")
	_, err := protect.CreatePushRule(t.Context(), s.Store, s.project.Container(), func(r *protect.PushRule) error {
		r.CommitMessageRegex, r.CommitCommitterNameCheck = "^PROJ-", true
		return nil
	})
	require.NoError(t, err)
	l := s.landing(tip.ID, code.MergeCommit)
	_, err = code.Land(t.Context(), s.Store, l)
	require.ErrorContains(t, err, "Commit message does not follow the pattern '^PROJ-'")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	l.Message, l.Squash = "PROJ-1 merge", true
	l.SquashAuthor = s.User("bob")
	_, err = code.Land(t.Context(), s.Store, l)
	require.ErrorContains(t, err, "Commit message does not follow the pattern")
	l.SquashMessage = "PROJ-1 all of it"
	done := s.land(l)
	require.Equal(t, "bob", s.find(done.Squash).AuthorName)
	require.Equal(t, s.by.User.Name, s.find(done.Squash).CommitterName)
}

// The source branch goes after a landing unless it is protected, the default one, moved or not the
// caller's to remove.
func TestRemoveSource(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	main := s.commit("main", "", "a", "1")
	tip := s.commit("work", "main", "b", "2")
	remove := func(s scene, branch string, head object.ID) bool {
		removed, err := code.RemoveSource(t.Context(), s.Store, code.BranchOf{Project: s.project, Branch: branch},
			s.by, head)
		require.NoError(t, err)
		return removed
	}
	require.False(t, remove(s, "main", main.ID), "default")
	require.False(t, remove(s, "work", main.ID), "moved")
	require.False(t, remove(s, "gone", main.ID), "gone")
	require.False(t, remove(s.as(policy.Reporter), "work", tip.ID), "role")
	s.protect("work*", policy.Developer, policy.Developer, true)
	require.False(t, remove(s, "work", tip.ID), "protected")
	require.NoError(t, s.Exec(t.Context(), `delete from protected_refs where name = 'work*'`, nil))
	require.True(t, remove(s.as(policy.Developer), "work", tip.ID))
	_, err := s.open().FindBranch(t.Context(), "Branch", "refs/heads/work")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
