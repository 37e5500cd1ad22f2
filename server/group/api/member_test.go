package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/group"
	"hew/server/servertest"
	"hew/server/tree"
)

// Two owners who leave, or demote each other, at the same moment: one of them stays.
func TestOwnersGoAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, ben := s.User(t, "owner-ann"), s.User(t, "owner-ben")
	for i := range 20 {
		g, err := group.InsertGroup(
			t.Context(), s.Store, tree.NewGroup("Going", fmt.Sprintf("going-%d", i), nil), ann.ID,
		)
		require.NoError(t, err)
		_, err = group.AddMember(t.Context(), s.Store, group.NewMember(tree.InGroup(g), ben.ID, 50))
		require.NoError(t, err)
		member := func(p servertest.Persona) string { return fmt.Sprintf("/groups/%d/members/%d", g.ID, p.ID) }
		statuses := make([]int, 2)
		var wait sync.WaitGroup
		wait.Go(func() { statuses[0] = s.Do(t, ann.Token, "DELETE", member(ann), nil).Status })
		wait.Go(func() {
			if i%2 == 0 {
				statuses[1] = s.Do(t, ben.Token, "DELETE", member(ben), nil).Status
			} else {
				statuses[1] = s.Do(t, s.RootToken, "PUT", member(ben), map[string]any{"access_level": 40}).Status
			}
		})
		wait.Wait()
		require.Contains(t, statuses, http.StatusForbidden, "%d: %v", i, statuses)
		owners, err := group.CountOwners(t.Context(), s.Store, g)
		require.NoError(t, err)
		require.Equal(t, 1, owners, "%d: %v", i, statuses)
	}
}

// The removal of a member can depend on the state that the caller knows.
func TestRemoveUnmodifiedMember(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	zoe := s.User(t, "unmodified-zoe")
	g, err := group.InsertGroup(t.Context(), s.Store, tree.NewGroup("Unmodified", "unmodified", nil), 1)
	require.NoError(t, err)
	m, err := group.AddMember(t.Context(), s.Store, group.NewMember(tree.InGroup(g), zoe.ID, 30))
	require.NoError(t, err)
	remove := func(since time.Time) int {
		url := fmt.Sprintf("%s/groups/%d/members/%d", s.URL, g.ID, zoe.ID)
		r, err := http.NewRequestWithContext(t.Context(), "DELETE", url, nil)
		require.NoError(t, err)
		r.Header.Set("Private-Token", s.RootToken)
		r.Header.Set("If-Unmodified-Since", since.UTC().Format(http.TimeFormat))
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		return reply.StatusCode
	}
	require.Equal(t, http.StatusPreconditionFailed, remove(m.UpdatedAt.Add(-2*time.Second)))
	require.Equal(t, http.StatusNoContent, remove(m.UpdatedAt))
}

// Too many ids or usernames are refused before any lookup. The maximum number is accepted.
func TestTooManyMembersAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	g, err := group.InsertGroup(t.Context(), s.Store, tree.NewGroup("Crowded", "crowded", nil), 1)
	require.NoError(t, err)
	add := func(field string, n int) servertest.Reply {
		names := slices.Repeat([]string{"900000"}, n)
		return s.Do(t, s.RootToken, "POST", fmt.Sprintf("/groups/%d/members", g.ID),
			map[string]any{field: strings.Join(names, ","), "access_level": 30})
	}
	for _, field := range []string{"user_id", "username"} {
		r := add(field, 101)
		require.Equal(t, http.StatusBadRequest, r.Status, "%s: %s", field, r.Body)
		require.JSONEq(t, `{"message":"Too many users specified (limit is 100)"}`, string(r.Body))
		r = add(field, 100)
		require.Equal(t, http.StatusCreated, r.Status, "%s: %s", field, r.Body)
		require.Contains(t, string(r.Body), "not found", field)
	}
}

// The work of hew on a large block: 1,000 members of one group, 32 side by side.
func BenchmarkAddMembers(b *testing.B) {
	const people, hands = 1000, 32
	s := servertest.Fresh(b)
	ids := make([]int64, people)
	for i := range ids {
		name := fmt.Sprintf("user-%d", i)
		u, err := tree.CreateUser(b.Context(), s.Store, tree.NewUser(name, name, name+"@example.com"))
		require.NoError(b, err)
		ids[i] = u.ID
	}
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: hands}}
	defer client.CloseIdleConnections()
	add := func(group, user int64) error {
		body := fmt.Appendf(nil, `{"user_id":%d,"access_level":30}`, user)
		r, err := http.NewRequestWithContext(
			b.Context(), "POST", fmt.Sprintf("%s/groups/%d/members", s.URL, group), bytes.NewReader(body),
		)
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Private-Token", s.RootToken)
		reply, err := client.Do(r)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body) // to the end, or the connection is not used again
		if err == nil && reply.StatusCode != http.StatusCreated {
			err = fmt.Errorf("status %d: %s", reply.StatusCode, text)
		}
		return err
	}
	n := 0
	for b.Loop() {
		n++
		g, err := group.InsertGroup(b.Context(), s.Store, tree.NewGroup("Large", fmt.Sprintf("large-%d", n), nil), 1)
		require.NoError(b, err)
		work, failed := make(chan int64), make(chan error, people)
		var wait sync.WaitGroup
		for range hands {
			wait.Go(func() {
				for id := range work {
					if err := add(g.ID, id); err != nil {
						failed <- err
					}
				}
			})
		}
		for _, id := range ids {
			work <- id
		}
		close(work)
		wait.Wait()
		close(failed)
		for err := range failed {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(people*n)/b.Elapsed().Seconds(), "posts/s")
}
