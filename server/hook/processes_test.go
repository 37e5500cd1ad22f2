package hook_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/hook"
)

// Two processes on one database deliver what happens on either: once each, and what is asked for
// counts in both.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	other := e.Beside(t)
	acme := e.group("acme", 0)
	hook := e.hook(acme, "/", map[string]any{"subgroup_events": true})
	const each = 20
	var all sync.WaitGroup
	for n := range each {
		for i, url := range []string{e.URL, other.URL} {
			all.Go(func() { assert.NoError(t, create(url, e.RootToken, fmt.Sprintf("p%d-%d", i, n), acme)) })
		}
	}
	all.Wait()
	sent, keys := map[any]int{}, map[string]bool{}
	for _, r := range e.requests() {
		sent[r.body["path"]]++
		keys[r.header.Get("Idempotency-Key")] = true
	}
	require.Len(t, sent, 2*each)
	require.Len(t, keys, 2*each)
	for path, times := range sent {
		require.Equal(t, 1, times, path)
	}

	test := fmt.Sprintf("/groups/%d/hooks/%d/test/subgroup_events", acme, hook)
	for n, want := range []int{201, 201, 201, 201, 201, 429, 429} {
		s := e.Server
		if n%2 == 1 {
			s = other
		}
		require.Equal(t, want, s.Do(t, e.RootToken, "POST", test, nil).Status, n)
	}
}

// However many deliveries are on their way when a receiver breaks down, they are one reason to
// pause and not forty.
func TestFailuresAtOnce(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	other := e.Beside(t)
	acme := e.group("acme", 0)
	const most = 45
	var on sync.WaitGroup // their way
	on.Add(most)
	e.then = func(w http.ResponseWriter, _ received) {
		on.Done()
		on.Wait()
		w.WriteHeader(http.StatusInternalServerError)
	}
	ho := e.hook(acme, "/", map[string]any{"subgroup_events": true})
	var all sync.WaitGroup
	for n := range most {
		url := []string{e.URL, other.URL}[n%2]
		all.Go(func() { assert.NoError(t, create(url, e.RootToken, fmt.Sprintf("at-once-%d", n), acme)) })
	}
	all.Wait()
	require.Len(t, e.take(), most)
	require.Equal(t, "temporarily_disabled", e.show(acme, ho).AlertStatus)
	h, err := hook.FindHook(t.Context(), e.Store, ho)
	require.NoError(t, err)
	require.Equal(t, 4, h.Failures)
}

// create makes a subgroup through one of several processes. It runs beside the test, so it must not
// end it.
func create(url, token, path string, parent int64) error {
	body := fmt.Sprintf(`{"name":%[1]q,"path":%[1]q,"parent_id":%[2]d}`, path, parent)
	r, err := http.NewRequest("POST", url+"/groups", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Private-Token": {token}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	return nil
}
