package code_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/setting"
)

// fetch gives a project a commit of another one of its network.
func (s scene) fetch(from scene, id object.ID) error {
	return code.FetchCommits(s.t.Context(), s.Store, s.project, from.project, id)
}

// A project gets what a commit of its fork reaches and nothing else, once however often it asks, few
// objects as rows and many as a pack. Then the commit can be merged.
func TestFetchCommits(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	withJobs(s)
	s.commit("main", "", "a", "1")
	fork, err := s.fork("fork", nil, nil)
	require.NoError(t, err)
	other := fork.commit("other", "main", "secret", "hunter2")
	few := fork.commit("work", "main", "b", "2")
	require.NoError(t, s.fetch(fork, few.ID))
	require.Equal(t, few.Tree, s.find(few.ID).Tree)
	s.requireObject(true, object.Hash(object.KindBlob, []byte("2")))
	s.requireObject(false, other.ID)

	files := map[string]string{}
	for i := range 150 {
		files[fmt.Sprint("f", i)] = fmt.Sprint("content ", i)
	}
	many := fork.write("work", files)
	var wait sync.WaitGroup
	errs := make(chan error, 4)
	for range 4 {
		wait.Go(func() { errs <- s.fetch(fork, many.ID) })
	}
	wait.Wait()
	for range 4 {
		require.NoError(t, <-errs)
	}
	before := s.count("commits")
	require.NoError(t, s.fetch(fork, many.ID))
	require.NoError(t, s.fetch(fork, few.ID))
	require.Equal(t, before, s.count("commits"))

	l := s.landing(many.ID, code.MergeCommit)
	l.From = &code.BranchOf{Project: fork.project, Branch: "work"}
	s.commit("main", "", "c", "3")
	s.land(l)
	f, err := s.open().FindFile(t.Context(), "main", "f149")
	require.NoError(t, err)
	require.Equal(t, "content 149", string(f.Data))
	log, err := s.open().Log(t.Context(), code.LogFilter{From: []object.ID{s.tip("main")}, Path: "f149", Limit: 9})
	require.NoError(t, err)
	require.Len(t, log, 1, "its paths are indexed")

	fork.commit("work", "", "d", "4")
	l.Source = many.ID
	_, err = code.Land(t.Context(), s.Store, l)
	require.ErrorIs(t, err, code.ErrSourceMoved)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(s.fetch(fork, object.ID{1})))
}

// What is fetched is bounded as a push is.
func TestFetchTooMuch(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	withJobs(s)
	s.commit("main", "", "a", "1")
	fork, err := s.fork("fork", nil, nil)
	require.NoError(t, err)
	var text strings.Builder
	for random := rand.New(rand.NewPCG(1, 2)); text.Len() < 4<<20; { // its digits take half of their size
		fmt.Fprintf(&text, "%016x", random.Uint64())
	}
	large := fork.commit("work", "main", "large", text.String())
	require.NoError(t, setting.Set(t.Context(), s.Store, "receive_max_input_size", 1))
	err = s.fetch(fork, large.ID)
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err), "%v", err)
	require.NoError(t, setting.Set(t.Context(), s.Store, "receive_max_input_size", 0))
	require.NoError(t, s.fetch(fork, large.ID))
}

// Hidden refs keep their commits from being collected, and a removed one does not.
func TestHiddenRefs(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	withJobs(s)
	s.commit("main", "", "a", "1")
	kept := s.commit("work", "main", "b", "2")
	set := func(name string, id object.ID) error {
		return code.SetHiddenRefs(t.Context(), s.Store, s.project, map[string]object.ID{name: id})
	}
	const head = code.MergeRequests + "1/head"
	require.NoError(t, set(head, kept.ID))
	require.NoError(t, code.Keep(t.Context(), s.Store, s.project, kept.ID, kept.ID))
	require.Error(t, set("refs/heads/main", kept.ID))
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(set(head, object.ID{1})))
	s.deleteBranch("work")
	s.collect(0)
	s.collect(0)
	s.requireObject(true, kept.ID)
	branches, err := s.open().Refs(t.Context(), s.Store, code.Heads, code.Tags)
	require.NoError(t, err)
	require.Len(t, branches, 1)
	require.NoError(t, set(head, object.ID{}))
	s.collect(0)
	s.requireObject(true, kept.ID)
	require.NoError(t, set(code.KeepAround+kept.ID.String(), object.ID{}))
	s.collect(0)
	s.collect(0)
	s.requireObject(false, kept.ID)
}

// A merge as a test is a commit that only its hidden ref has.
func TestStoreTestMerge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	source := s.commit("work", "main", "b", "2")
	target := s.commit("main", "", "c", "3")
	m := code.TestMerge{
		Project: s.project, By: s.by.User, Target: target.ID, Source: source.ID, Message: "Merge work into main",
	}
	const ref = code.MergeRequests + "1/merge"
	id, err := m.Store(t.Context(), s.Store, ref)
	require.NoError(t, err)
	require.Equal(t, code.Parents{target.ID, source.ID}, s.find(id).Parents)
	found, err := s.open().FindRef(t.Context(), s.Store, "Ref", ref)
	require.NoError(t, err)
	require.Equal(t, id, found.ID)
	require.Equal(t, target.ID, s.tip("main"))
	m.Source = s.commit("other", "work", "c", "not 3").ID
	_, err = m.Store(t.Context(), s.Store, ref)
	require.ErrorAs(t, err, &code.Unmergeable{})
}
