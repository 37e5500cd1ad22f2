package hook_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/setting"
)

// A receiver that fails is asked less and less, and a test that succeeds makes up for it.
func TestFailingReceiver(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	var status atomic.Int32
	status.Store(500)
	e.then = func(w http.ResponseWriter, _ received) { w.WriteHeader(int(status.Load())) }
	acme := e.group("acme", 0)
	hook := e.hook(acme, "/", map[string]any{"member_events": true})
	happen := func() int {
		e.as("PUT", fmt.Sprintf("/groups/%d/members/1", acme), map[string]any{"access_level": 50})
		return len(e.take())
	}
	for n := 1; n <= 4; n++ {
		require.Equal(t, "executable", e.show(acme, hook).AlertStatus, n)
		require.Equal(t, 1, happen(), "a delivery that failed is not tried again")
	}
	h := e.show(acme, hook)
	require.Equal(t, "temporarily_disabled", h.AlertStatus)
	require.NotNil(t, h.DisabledUntil)
	require.Zero(t, happen())

	test := fmt.Sprintf("/groups/%d/hooks/%d/test/member_events", acme, hook)
	r := e.Do(t, e.RootToken, "POST", test, nil)
	require.Equal(t, 422, r.Status)
	require.Contains(t, string(r.Body), "500")
	require.Equal(t, "temporarily_disabled", e.show(acme, hook).AlertStatus)
	e.take()
	status.Store(200)
	require.JSONEq(t, `{"message":"201 Created"}`, string(e.as("POST", test, nil).Body))
	h = e.show(acme, hook)
	require.Equal(t, "executable", h.AlertStatus)
	require.Nil(t, h.DisabledUntil)
	e.take()
	require.Equal(t, 1, happen())

	for range 3 {
		e.as("POST", test, nil)
	}
	r = e.Do(t, e.RootToken, "POST", test, nil)
	require.Equal(t, 429, r.Status, "five tests a minute are enough")
}

// A redirect is an answer. It leads nowhere, least of all with what was sent.
func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.then = func(w http.ResponseWriter, r received) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
	acme := e.group("acme", 0)
	hook := e.hook(acme, "/here", map[string]any{"subgroup_events": true})
	e.group("web", acme)
	require.Equal(t, []string{"subgroup_create /here"}, e.take())
	events := fmt.Sprintf("/groups/%d/hooks/%d/events", acme, hook)
	require.Contains(t, string(e.as("GET", events+"?status=307", nil).Body), `"response_status":"307"`)
	require.JSONEq(
		t, `[]`, string(e.as("GET", events+"?status[]=successful&status[]=500&status[]=client_failure", nil).Body),
	)
}

// Where the settings do not allow it any more, a hook that leads inside is not called, whatever it
// is called by.
func TestLocalReceiverIsRefused(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	byName := strings.Replace(e.url, "127.0.0.1", "{name}", 1)
	hook := e.hook(acme, "", map[string]any{"subgroup_events": true, "url": byName, "url_variables": []any{
		map[string]any{"key": "name", "value": "localhost"},
	}})
	e.hook(acme, "/plain", map[string]any{"subgroup_events": true})
	e.group("one", acme)
	require.Len(t, e.take(), 2)

	require.NoError(t, setting.Set(t.Context(), e.Store, "allow_local_requests_from_web_hooks_and_services", false))
	e.group("two", acme)
	require.Empty(t, e.take())
	events := e.as("GET", fmt.Sprintf("/groups/%d/hooks/%d/events?status=server_failure", acme, hook), nil)
	require.Contains(t, string(events.Body), `"response_status":"internal error"`)
	require.NotContains(t, string(events.Body), "localhost")
	require.Equal(t, 422,
		e.Do(t, e.RootToken, "POST", fmt.Sprintf("/groups/%d/hooks", acme), map[string]any{"url": e.url}).Status)

	require.NoError(t, setting.Set(t.Context(), e.Store, "outbound_local_requests_whitelist", []string{"127.0.0.0/8"}))
	e.group("three", acme)
	require.Equal(t, []string{"subgroup_create /plain"}, e.take(), "localhost has an address that is not listed")
}

// A hook that causes an event is not sent that event, or there would be no end; another one
// is.
func TestChainsEnd(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	e.hook(acme, "/first", map[string]any{"subgroup_events": true})
	e.hook(acme, "/second", map[string]any{"subgroup_events": true})
	var n atomic.Int32
	e.then = func(w http.ResponseWriter, r received) {
		if r.path != "/first" || n.Load() >= 5 {
			return
		}
		body := fmt.Sprintf(`{"name":"g%[1]d","path":"g%[1]d","parent_id":%[2]d}`, n.Add(1), acme)
		call, err := http.NewRequest("POST", e.URL+"/groups", strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		call.Header = http.Header{
			"Content-Type": {"application/json"}, "Private-Token": {e.RootToken},
			"X-Gitlab-Event-Uuid": r.header["X-Gitlab-Event-Uuid"],
		}
		answer, err := http.DefaultClient.Do(call)
		if err != nil {
			panic(err)
		}
		answer.Body.Close()
		w.WriteHeader(answer.StatusCode)
	}
	e.group("web", acme)
	require.ElementsMatch(
		t, []string{"subgroup_create /first", "subgroup_create /second", "subgroup_create /second"}, e.take(),
	)
	require.EqualValues(t, 1, n.Load())
}

func TestHooksKeepStill(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	hook := e.hook(acme, "/", map[string]any{"subgroup_events": true})
	test := fmt.Sprintf("/groups/%d/hooks/%d/test/subgroup_events", acme, hook)

	require.NoError(t, setting.Set(t.Context(), e.Store, "silent_mode_enabled", true))
	e.group("one", acme)
	require.Empty(t, e.take())
	r := e.Do(t, e.RootToken, "POST", test, nil)
	require.Equal(t, 422, r.Status)
	require.JSONEq(t, `{"message":"Silent mode enabled"}`, string(r.Body))
	require.NoError(t, setting.Set(t.Context(), e.Store, "silent_mode_enabled", false))
	e.group("two", acme)
	require.Len(t, e.take(), 1)

	e.as("PUT", "/application/plan_limits", map[string]any{"plan_name": "default", "web_hook_calls": 1})
	for n := range 4 {
		e.group(fmt.Sprintf("fast%d", n), acme)
	}
	require.Less(t, len(e.take()), 3, "even if a minute ends meanwhile")
}

func TestHooksHaveAnEnd(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "site", "namespace_id": acme})
	for path, c := range map[string]struct {
		at    db.Container
		most  int
		words string
	}{
		fmt.Sprintf("/groups/%d/hooks", acme): {
			db.Container{NamespaceID: &acme}, 50, "Maximum number of group hooks (50) exceeded",
		},
		fmt.Sprintf("/projects/%d/hooks", site): {
			db.Container{ProjectID: &site}, 100, "Maximum number of project hooks (100) exceeded",
		},
	} {
		for n := range c.most {
			h, err := hook.NewHook(t.Context(), e.Store, c.at)
			require.NoError(t, err)
			h.URL = fmt.Sprintf("https://%d.example.com", n)
			_, err = hook.Hooks(e.Store, c.at).Create(t.Context(), h)
			require.NoError(t, err)
		}
		r := e.Do(t, e.RootToken, "POST", path, map[string]any{"url": "https://more.example.com"})
		require.Equal(t, 422, r.Status)
		require.JSONEq(t, `{"message":{"base":["`+c.words+`"]}}`, string(r.Body))
	}
}

// Five tests a minute, and five deliveries sent again, whichever hook of a group they are of: of
// everybody.
func TestAskingTooOften(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme, web := e.group("acme", 0), e.group("web", 0)
	bob := e.User(t, "bob")
	e.as("POST", fmt.Sprintf("/groups/%d/members", acme), map[string]any{"user_id": bob.ID, "access_level": 50})
	in := func(group, hook int64) string { return fmt.Sprintf("/groups/%d/hooks/%d", group, hook) }
	first, second, elsewhere := in(acme, e.hook(acme, "/", nil)), in(acme, e.hook(acme, "/", nil)),
		in(web, e.hook(web, "/", nil))
	const test = "/test/member_events"
	e.as("POST", first+test, nil)
	var events []struct{ ID int64 }
	e.as("GET", first+"/events", nil).Into(t, &events)
	again := fmt.Sprintf("/events/%d/resend", events[0].ID)
	for range 4 {
		e.as("POST", second+test, nil)
		e.as("POST", first+again, nil)
	}
	e.as("POST", first+again, nil)
	for _, path := range []string{first + test, second + test, first + again} {
		r := e.Do(t, e.RootToken, "POST", path, nil)
		require.Equal(t, 429, r.Status, path)
		require.JSONEq(t, `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`,
			string(r.Body))
	}
	require.Equal(t, 201, e.Do(t, bob.Token, "POST", first+test, nil).Status, "of somebody else")
	require.Equal(t, 201, e.Do(t, bob.Token, "POST", first+again, nil).Status, "of somebody else")
	e.as("POST", elsewhere+test, nil)
}

func TestTestsAtOnce(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	var group, hook struct{ ID int64 }
	e.Do(t, e.RootToken, "POST", "/groups", map[string]any{"name": "at once", "path": "at-once"}).Into(t, &group)
	hooks := fmt.Sprintf("/groups/%d/hooks", group.ID)
	e.Do(t, e.RootToken, "POST", hooks, map[string]any{"url": e.url}).Into(t, &hook)
	var all sync.WaitGroup
	for range 15 {
		all.Go(func() { e.Do(t, e.RootToken, "POST", fmt.Sprintf("%s/%d/test/member_events", hooks, hook.ID), nil) })
	}
	all.Wait()
	require.Len(t, e.got, 5)
}
