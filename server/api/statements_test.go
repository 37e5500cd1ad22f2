package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/api"
	"hew/server/auth"
	"hew/server/rest"
	"hew/server/servertest"
	"hew/server/store"
)

// everything asks for all that a list may show with its rows; a route ignores what it does not know.
const everything = "?per_page=100&with_shared=true&statistics=true&with_custom_attributes=true&show_seat_info=true&include_subgroups=true"

// What is read costs no more statements for twenty rows of everything than for one: no list asks for what belongs to its
// rows one by one.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	const many = 20
	few, full := newHoard(t, 1), newHoard(t, many)
	lists := 0
	for _, route := range (&api.API{}).Routes() {
		if route.Method != http.MethodGet {
			continue
		}
		for _, who := range []string{"root", "owner", "anonymous"} {
			t.Run(route.Path+" as "+who, func(t *testing.T) {
				one, rows := few.ask(t, route, who)
				all, length := full.ask(t, route, who)
				for sql, n := range all {
					// What is remembered for seconds may be read again in between: once, not for every row.
					require.Less(t, n-one[sql], many/2, "so many more for %d rows than for one:\n%s", many, sql)
				}
				if rows < 0 || who == "anonymous" || nothing.MatchString(route.Path) {
					return
				}
				if strings.HasSuffix(route.Path, "/jobs") {
					require.Zero(t, rows, "fill the hoard with jobs")
					return
				}
				lists++
				require.NotEmpty(t, all, "nothing was counted")
				require.NotZero(t, rows, "a list of nothing proves nothing")
				require.GreaterOrEqual(t, length, many, "fill the hoard")
			})
		}
	}
	require.Greater(t, lists, 50, "the lists were not asked for")
}

// nothing are the lists of what there cannot be yet.
var nothing = regexp.MustCompile(`/milestones/\{milestone_id\}/`)

// hoard is a database with a number of everything that there can be, and the API over it, without anything that works
// beside the requests.
type hoard struct {
	t       *testing.T
	st      *store.Store
	handler http.Handler
	tokens  map[string]string
	scene
}

func newHoard(t *testing.T, n int) *hoard {
	st := servertest.Store(t)
	h := &hoard{t: t, st: st, tokens: map[string]string{}, handler: rest.New(rest.Config{
		Auth: auth.New(st, rest.Param).Authenticate, Begin: api.Begin(st), Base: "https://host", Log: slog.New(slog.DiscardHandler),
	}, (&api.API{Site: api.Site{Base: "https://host"}}).Routes())}
	h.fill(n)
	return h
}

// fill makes n of everything that a list lists, below one group and one project and beside them.
func (h *hoard) fill(n int) {
	t, ctx := h.t, h.t.Context()
	owner := h.user("owner")
	root := store.NewUser("root", "Root", "root@example.com")
	root.Admin = true
	root, err := h.st.CreateUser(ctx, root)
	require.NoError(t, err)
	group := h.group("acme", nil, owner)
	project := h.project("tools", group.ID)
	h.member(store.InProject(project), owner, owner, 50)
	var topic store.Topic
	for i := range n {
		name := fmt.Sprintf("no-%d", i)
		topic, err = h.st.CreateTopic(ctx, store.Topic{Name: name, Title: name})
		require.NoError(t, err)
		user := h.user(name)
		h.tokens["root"], h.tokens["owner"] = h.token(root, store.Container{}), h.token(owner, store.Container{})
		guests, inner := h.group("guests-"+name, nil, owner), h.group(name, &group.ID, owner)
		theirs := h.project("theirs", guests.ID)
		for _, p := range []store.Project{theirs, h.project("project-"+name, group.ID), h.project("inner", inner.ID)} {
			h.bear(p.Bearer(), 1)
			_, err := h.st.Star(ctx, p.ID, owner.ID)
			require.NoError(t, err)
			h.share(store.InProject(p), group)
		}
		h.bear(inner.Bearer(), 1)
		h.bear(user.Bearer(), 1)
		h.project("mine-"+name, owner.NamespaceID)
		h.share(store.InGroup(guests), group)
		h.share(store.InGroup(inner), guests)
		for _, in := range []store.Source{store.InGroup(group), store.InProject(project)} {
			h.member(in, user, user, 30)
			h.share(in, guests)
			require.NoError(t, h.st.CreateInvitation(ctx, in.NewInvitation(name+"@example.org", 30)))
		}
		h.member(store.InGroup(inner), user, user, 40)
	}
	h.scene = scene{values: map[string]string{
		"groups/id": fmt.Sprint(group.ID), "namespaces/id": fmt.Sprint(group.ID), "projects/id": fmt.Sprint(project.ID),
		"users/id": fmt.Sprint(owner.ID), "user_id": fmt.Sprint(owner.ID), "key": "key-0", "system_id": "s_1",
		"topics/id": fmt.Sprint(topic.ID),
	}}
	for first, c := range map[string]store.Container{"groups": group.Container(), "projects": project.Container()} {
		h.furnish(first, c, n)
	}
	for i := range n {
		variable(t, h.st, store.Container{}, fmt.Sprintf("key-%d", i))
	}
	h.rules("groups", store.InGroup(group), owner, n)
	h.rules("projects", store.InProject(project), owner, n)
	h.alarm(project.Container(), n)
	for _, b := range []store.Bearer{group.Bearer(), project.Bearer(), owner.Bearer()} {
		h.bear(b, n)
	}
	own, _, err := h.st.Tokens(ctx, store.TokenFilter{UserID: &owner.ID}, store.Page{Limit: 1})
	require.NoError(t, err)
	h.values["personal_access_tokens/id"] = fmt.Sprint(own[0].ID)
}

// alarm makes n of what sends a project alerts, of these, and of the keys that its errors come with.
func (h *hoard) alarm(c store.Container, n int) {
	t, ctx := h.t, h.t.Context()
	for i := range n {
		name := fmt.Sprintf("no-%d", i)
		made, err := h.st.AlertIntegrations(c).Create(ctx, store.AlertIntegration{ProjectID: c.ID(), Name: name, Endpoint: name, Type: "http", Digest: []byte{1}})
		require.NoError(t, err)
		list, err := h.st.ReportAlerts(ctx, c.ID(), []store.Alert{
			{Title: name, Status: store.Triggered, Severity: "low", Hosts: []string{}, Fingerprint: name, Payload: json.RawMessage(`{}`), StartedAt: time.Now()},
		})
		require.NoError(t, err)
		_, err = h.st.ErrorTrackingKeys(c).Create(ctx, store.ErrorTrackingKey{ProjectID: c.ID(), PublicKey: name})
		require.NoError(t, err)
		terraformState(t, h.st, c, fmt.Sprintf("v%d", i))
		h.values["projects/serial"] = "1"
		h.values["projects/integration_id"], h.values["projects/iid"] = fmt.Sprint(made.ID), fmt.Sprint(list[0].IID)
	}
}

// furnish puts into a group or project n of what both can hold, and n deliveries into its last hook.
func (h *hoard) furnish(first string, c store.Container, n int) {
	t, ctx := h.t, h.t.Context()
	require.NoError(t, h.st.SetAvatar(ctx, store.Avatar{Container: c, Name: "a.png", Type: "image/png", Content: []byte{1}}, "a.png"))
	_, err := h.st.PushRules(c).Create(ctx, store.PushRule{Container: c})
	require.NoError(t, err)
	for _, of := range catalogue.Integrations()[:n] {
		i := store.NewIntegration(c, of.Slug)
		i.Active = true
		_, err = h.st.Integrations(c).Create(ctx, i)
		require.NoError(t, err)
		h.values[first+"/slug"] = i.Slug
	}
	h.protect(first, c, n)
	h.bind(first, c, n)
	var hook store.Hook
	var milestone store.Milestone
	for i := range n {
		_, err = h.st.Labels(c, 0).Create(ctx, store.Label{Container: c, Name: fmt.Sprintf("%s-%d", first, i), Color: "#FF0000"})
		require.NoError(t, err)
		milestone, err = h.st.CreateMilestone(ctx, store.Milestone{Container: c, Title: fmt.Sprintf("%s-%d", first, i), State: "active"})
		require.NoError(t, err)
		h.token(h.user(fmt.Sprintf("bot-%s-%d", first, i)), c)
		variable(t, h.st, c, fmt.Sprintf("key-%d", i))
		if c.ProjectID != nil {
			h.values["deploy_key_id"] = fmt.Sprint(deployKey(t, h.st, c, fmt.Sprint("key ", i)))
		}
		if r := runner(t, h.st, c); i == 0 {
			h.values["runners/id"], h.values[first+"/runner_id"] = fmt.Sprint(r.ID), fmt.Sprint(r.ID)
			for j := range n {
				require.NoError(t, h.st.Contact(ctx, store.RunnerManager{RunnerID: r.ID, SystemID: fmt.Sprint(j)}))
			}
		}
		hook, err = h.st.NewHook(ctx, c)
		require.NoError(t, err)
		hook.URL = "https://example.com"
		for j := range n {
			hook.URLVariables.Set(h.st.HookVariable(hook, fmt.Sprintf("key-%d", j), "value"))
		}
		_, err = h.st.Hooks(c).Create(ctx, hook)
		require.NoError(t, err)
	}
	for range n {
		l, err := h.st.BeginHookLog(ctx, store.HookLog{
			HookID: hook.ID, Trigger: "push_hooks", RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
			EventUUID: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11", IdempotencyKey: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b12",
		})
		require.NoError(t, err)
		l.ResponseStatus = new(200)
		require.NoError(t, h.st.EndHookLog(ctx, l, true))
	}
	h.values[first+"/label_id"] = first + "-0"
	h.values[first+"/milestone_id"] = fmt.Sprint(milestone.ID)
	h.values[first+"/hook_id"] = fmt.Sprint(hook.ID)
	tokens, _, err := h.st.Tokens(ctx, store.TokenFilter{In: c}, store.Page{Limit: 1})
	require.NoError(t, err)
	h.values[first+"/token_id"] = fmt.Sprint(tokens[0].ID)
}

// rules makes n approval rules in a source, each of which names somebody and the group around it.
func (h *hoard) rules(first string, in store.Source, u store.User, n int) {
	for i := range n {
		r := in.NewApprovalRule()
		r.Name, r.UserIDs, r.GroupIDs = fmt.Sprint(i), []int64{u.ID}, []int64{in.Root()}
		r, err := h.st.ApprovalRules(r.Container).Create(h.t.Context(), r)
		require.NoError(h.t, err)
		h.values[first+"/approval_rule_id"] = fmt.Sprint(r.ID)
	}
}

func (h *hoard) user(name string) store.User {
	u, err := h.st.CreateUser(h.t.Context(), store.NewUser(name, name, name+"@example.com"))
	require.NoError(h.t, err)
	return u
}

func (h *hoard) group(path string, parent *int64, owner store.User) store.Group {
	g := store.NewGroup(path, path, parent)
	g.Visibility = store.Public
	g, err := h.st.CreateGroup(h.t.Context(), g, owner.ID)
	require.NoError(h.t, err)
	return g
}

func (h *hoard) project(path string, namespace int64) store.Project {
	p := store.NewProject(path, path, namespace)
	p.Visibility = store.Public
	p, err := h.st.CreateProject(h.t.Context(), p, 0)
	require.NoError(h.t, err)
	return p
}

func (h *hoard) member(in store.Source, u, by store.User, level int) {
	m := in.NewMember(u.ID, level)
	m.CreatedByID = &by.ID
	_, err := h.st.AddMember(h.t.Context(), m)
	require.NoError(h.t, err)
}

func (h *hoard) share(in store.Source, with store.Group) {
	_, err := h.st.CreateShare(h.t.Context(), in.NewShare(with, 30))
	require.NoError(h.t, err)
}

// token makes a token of somebody: a personal one, or in a container that of a bot.
func (h *hoard) token(u store.User, c store.Container) string {
	secret := auth.NewToken("glpat-")
	digest := auth.Digest(secret)
	t := store.Token{UserID: u.ID, Name: "token", Scopes: []string{"api"}, Digest: digest[:], Container: c}
	if c != (store.Container{}) {
		t.AccessLevel = new(30)
	}
	_, err := h.st.CreateToken(h.t.Context(), t)
	require.NoError(h.t, err)
	return secret
}

// bear gives something n custom attributes.
func (h *hoard) bear(b store.Bearer, n int) {
	attributes := map[string]string{}
	for i := range n {
		attributes[fmt.Sprintf("key-%d", i)] = "value"
	}
	require.NoError(h.t, h.st.UpdateCustomAttributes(h.t.Context(), b, attributes))
}

// ask sends a request and counts its statements by their text. Of an answer that is no list, the length is -1.
func (h *hoard) ask(t *testing.T, route rest.Route, who string) (statements map[string]int, length int) {
	t.Helper()
	send := func() []byte {
		r := httptest.NewRequestWithContext(t.Context(), route.Method, "/api/v4"+h.path(t, route.Path)+everything, nil)
		if token := h.tokens[who]; token != "" {
			r.Header.Set("Private-Token", token)
		}
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		require.True(t, w.Code < 500 || w.Code == http.StatusNotImplemented, "%s as %s: %d %s", route, who, w.Code, w.Body)
		return w.Body.Bytes()
	}
	send() // what is remembered is read once
	before := h.executed(t)
	body := send()
	statements = h.executed(t)
	for sql, n := range before {
		if statements[sql] -= n; statements[sql] == 0 {
			delete(statements, sql)
		}
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		return statements, -1
	}
	return statements, len(list)
}

// executed is how often each statement was carried out, as Postgres has counted.
func (h *hoard) executed(t *testing.T) map[string]int {
	t.Helper()
	sum := map[string]int{}
	for _, conn := range h.st.DB().(*pgxpool.Pool).AcquireAllIdle(t.Context()) {
		rows, err := conn.Query(t.Context(), `select statement, generic_plans + custom_plans from pg_prepared_statements`)
		require.NoError(t, err)
		var sql string
		var n int
		_, err = pgx.ForEachRow(rows, []any{&sql, &n}, func() error { sum[sql] += n; return nil })
		conn.Release()
		require.NoError(t, err)
	}
	for sql := range sum {
		if strings.Contains(sql, "pg_prepared_statements") {
			delete(sum, sql)
		}
	}
	return sum
}

// protect protects n branches and n tags, each for many.
func (h *hoard) protect(first string, c store.Container, n int) {
	for _, kind := range []store.RefKind{store.Branch, store.Tag} {
		for i := range n {
			ref, err := h.st.ProtectedRefs(c, kind).Create(h.t.Context(), store.ProtectedRef{Container: c, Kind: kind, Name: fmt.Sprint("v", i)})
			require.NoError(h.t, err)
			levels := []store.RefLevel{}
			for role := range n {
				levels = append(levels, store.RefLevel{Act: store.Push, AccessLevel: &role})
			}
			require.NoError(h.t, h.st.SetRefLevels(h.t.Context(), ref.ID, levels))
		}
	}
	h.values[first+"/name"] = "v0"
}
