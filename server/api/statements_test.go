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
	"hew/server"
	"hew/server/auth"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/integration"
	"hew/server/part"
	"hew/server/people"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
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
	for _, route := range server.Sum(server.Parts(part.Host{Site: &view.Site{}})).Routes {
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
	st      *db.Store
	handler http.Handler
	tokens  map[string]string
	scene
}

func newHoard(t *testing.T, n int) *hoard {
	st := servertest.Store(t)
	h := &hoard{t: t, st: st, tokens: map[string]string{}, handler: rest.New(rest.Config{
		Auth: auth.New(st, rest.Param).Authenticate, Begin: server.Begin(st), Base: "https://host", Log: slog.New(slog.DiscardHandler),
	}, server.Sum(server.Parts(part.Host{Site: &view.Site{Base: "https://host"}})).Routes)}
	h.fill(n)
	return h
}

// fill makes n of everything that a list lists, below one group and one project and beside them.
func (h *hoard) fill(n int) {
	t, ctx := h.t, h.t.Context()
	owner := h.user("owner")
	root := tree.NewUser("root", "Root", "root@example.com")
	root.Admin = true
	root, err := tree.CreateUser(ctx, h.st, root)
	require.NoError(t, err)
	g := h.group("acme", nil, owner)
	pr := h.project("tools", g.ID)
	h.member(tree.InProject(pr), owner, owner, 50)
	var topic project.Topic
	for i := range n {
		name := fmt.Sprintf("no-%d", i)
		topic, err = project.InsertTopic(ctx, h.st, project.Topic{Name: name, Title: name})
		require.NoError(t, err)
		user := h.user(name)
		h.tokens["root"], h.tokens["owner"] = h.token(root, db.Container{}), h.token(owner, db.Container{})
		guests, inner := h.group("guests-"+name, nil, owner), h.group(name, &g.ID, owner)
		theirs := h.project("theirs", guests.ID)
		for _, p := range []tree.Project{theirs, h.project("project-"+name, g.ID), h.project("inner", inner.ID)} {
			h.bear(p.Bearer(), 1)
			_, err := project.Star(ctx, h.st, p.ID, owner.ID)
			require.NoError(t, err)
			h.share(tree.InProject(p), g)
		}
		h.bear(inner.Bearer(), 1)
		h.bear(user.Bearer(), 1)
		h.project("mine-"+name, owner.NamespaceID)
		h.share(tree.InGroup(guests), g)
		h.share(tree.InGroup(inner), guests)
		for _, in := range []tree.Source{tree.InGroup(g), tree.InProject(pr)} {
			h.member(in, user, user, 30)
			h.share(in, guests)
			require.NoError(t, group.CreateInvitation(ctx, h.st, group.NewInvitation(in, name+"@example.org", 30)))
		}
		h.member(tree.InGroup(inner), user, user, 40)
	}
	h.scene = scene{values: map[string]string{
		"groups/id": fmt.Sprint(g.ID), "namespaces/id": fmt.Sprint(g.ID), "projects/id": fmt.Sprint(pr.ID),
		"users/id": fmt.Sprint(owner.ID), "user_id": fmt.Sprint(owner.ID), "key": "key-0", "system_id": "s_1",
		"topics/id": fmt.Sprint(topic.ID),
	}}
	for first, c := range map[string]db.Container{"groups": g.Container(), "projects": pr.Container()} {
		h.furnish(first, c, n)
	}
	for i := range n {
		variable(t, h.st, db.Container{}, fmt.Sprintf("key-%d", i))
	}
	h.rules("groups", tree.InGroup(g), owner, n)
	h.rules("projects", tree.InProject(pr), owner, n)
	h.alarm(pr.Container(), n)
	for _, b := range []tree.Bearer{g.Bearer(), pr.Bearer(), owner.Bearer()} {
		h.bear(b, n)
	}
	own, _, err := people.Tokens(ctx, h.st, people.TokenFilter{UserID: &owner.ID}, db.Page{Limit: 1})
	require.NoError(t, err)
	h.values["personal_access_tokens/id"] = fmt.Sprint(own[0].ID)
}

// alarm makes n of what sends a project alerts, of these, and of the keys that its errors come with.
func (h *hoard) alarm(c db.Container, n int) {
	t, ctx := h.t, h.t.Context()
	for i := range n {
		name := fmt.Sprintf("no-%d", i)
		made, err := integration.AlertIntegrations(h.st, c).Create(ctx, integration.AlertIntegration{ProjectID: c.ID(), Name: name, Endpoint: name, Type: "http", Digest: []byte{1}})
		require.NoError(t, err)
		list, err := integration.ReportAlerts(ctx, h.st, c.ID(), []integration.Alert{
			{Title: name, Status: integration.Triggered, Severity: "low", Hosts: []string{}, Fingerprint: name, Payload: json.RawMessage(`{}`), StartedAt: time.Now()},
		})
		require.NoError(t, err)
		_, err = integration.ErrorTrackingKeys(h.st, c).Create(ctx, integration.ErrorTrackingKey{ProjectID: c.ID(), PublicKey: name})
		require.NoError(t, err)
		terraformState(t, h.st, c, fmt.Sprintf("v%d", i))
		h.values["projects/serial"] = "1"
		h.values["projects/integration_id"], h.values["projects/iid"] = fmt.Sprint(made.ID), fmt.Sprint(list[0].IID)
	}
}

// furnish puts into a group or project n of what both can hold, and n deliveries into its last hook.
func (h *hoard) furnish(first string, c db.Container, n int) {
	t, ctx := h.t, h.t.Context()
	require.NoError(t, tree.PutAvatar(ctx, h.st, tree.Avatar{Container: c, Name: "a.png", Type: "image/png", Content: []byte{1}}, "a.png"))
	_, err := protect.PushRules(h.st, c).Create(ctx, protect.PushRule{Container: c})
	require.NoError(t, err)
	for _, of := range catalogue.Integrations()[:n] {
		i := integration.NewIntegration(c, of.Slug)
		i.Active = true
		_, err = integration.Integrations(h.st, c).Create(ctx, i)
		require.NoError(t, err)
		h.values[first+"/slug"] = i.Slug
	}
	h.protect(first, c, n)
	h.bind(first, c, n)
	var ho hook.Hook
	var milestone work.Milestone
	for i := range n {
		_, err = work.Labels(h.st, c, 0).Create(ctx, work.Label{Container: c, Name: fmt.Sprintf("%s-%d", first, i), Color: "#FF0000"})
		require.NoError(t, err)
		milestone, err = work.InsertMilestone(ctx, h.st, work.Milestone{Container: c, Title: fmt.Sprintf("%s-%d", first, i), State: "active"})
		require.NoError(t, err)
		h.token(h.user(fmt.Sprintf("bot-%s-%d", first, i)), c)
		variable(t, h.st, c, fmt.Sprintf("key-%d", i))
		if c.ProjectID != nil {
			h.values["deploy_key_id"] = fmt.Sprint(deployKey(t, h.st, c, fmt.Sprint("key ", i)))
		}
		if r := runner(t, h.st, c); i == 0 {
			h.values["runners/id"], h.values[first+"/runner_id"] = fmt.Sprint(r.ID), fmt.Sprint(r.ID)
			for j := range n {
				require.NoError(t, ci.RecordContact(ctx, h.st, ci.RunnerManager{RunnerID: r.ID, SystemID: fmt.Sprint(j)}))
			}
		}
		ho, err = hook.NewHook(ctx, h.st, c)
		require.NoError(t, err)
		ho.URL = "https://example.com"
		for j := range n {
			ho.URLVariables.Set(hook.SealHookVariable(h.st, ho, fmt.Sprintf("key-%d", j), "value"))
		}
		_, err = hook.Hooks(h.st, c).Create(ctx, ho)
		require.NoError(t, err)
	}
	for range n {
		l, err := hook.BeginHookLog(ctx, h.st, hook.HookLog{
			HookID: ho.ID, Trigger: "push_hooks", RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
			EventUUID: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11", IdempotencyKey: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b12",
		})
		require.NoError(t, err)
		l.ResponseStatus = new(200)
		require.NoError(t, hook.EndHookLog(ctx, h.st, l, true))
	}
	h.values[first+"/label_id"] = first + "-0"
	h.values[first+"/milestone_id"] = fmt.Sprint(milestone.ID)
	h.values[first+"/hook_id"] = fmt.Sprint(ho.ID)
	tokens, _, err := people.Tokens(ctx, h.st, people.TokenFilter{In: c}, db.Page{Limit: 1})
	require.NoError(t, err)
	h.values[first+"/token_id"] = fmt.Sprint(tokens[0].ID)
}

// rules makes n approval rules in a source, each of which names somebody and the group around it.
func (h *hoard) rules(first string, in tree.Source, u tree.User, n int) {
	for i := range n {
		r := protect.newApprovalRule(in)
		r.Name, r.UserIDs, r.GroupIDs = fmt.Sprint(i), []int64{u.ID}, []int64{in.Root()}
		r, err := protect.ApprovalRules(h.st, r.Container).Create(h.t.Context(), r)
		require.NoError(h.t, err)
		h.values[first+"/approval_rule_id"] = fmt.Sprint(r.ID)
	}
}

func (h *hoard) user(name string) tree.User {
	u, err := tree.CreateUser(h.t.Context(), h.st, tree.NewUser(name, name, name+"@example.com"))
	require.NoError(h.t, err)
	return u
}

func (h *hoard) group(path string, parent *int64, owner tree.User) tree.Group {
	g := tree.NewGroup(path, path, parent)
	g.Visibility = db.Public
	g, err := group.InsertGroup(h.t.Context(), h.st, g, owner.ID)
	require.NoError(h.t, err)
	return g
}

func (h *hoard) project(path string, namespace int64) tree.Project {
	p := tree.NewProject(path, path, namespace)
	p.Visibility = db.Public
	p, err := project.InsertProject(h.t.Context(), h.st, p, 0)
	require.NoError(h.t, err)
	return p
}

func (h *hoard) member(in tree.Source, u, by tree.User, level int) {
	m := group.NewMember(in, u.ID, level)
	m.CreatedByID = &by.ID
	_, err := group.AddMember(h.t.Context(), h.st, m)
	require.NoError(h.t, err)
}

func (h *hoard) share(in tree.Source, with tree.Group) {
	_, err := group.InsertShare(h.t.Context(), h.st, group.NewShare(in, with, 30))
	require.NoError(h.t, err)
}

// token makes a token of somebody: a personal one, or in a container that of a bot.
func (h *hoard) token(u tree.User, c db.Container) string {
	s := secret.NewToken("glpat-")
	digest := secret.Digest(s)
	t := people.Token{UserID: u.ID, Name: "token", Scopes: []string{"api"}, Digest: digest[:], Container: c}
	if c != (db.Container{}) {
		t.AccessLevel = new(30)
	}
	_, err := people.InsertToken(h.t.Context(), h.st, t)
	require.NoError(h.t, err)
	return s
}

// bear gives something n custom attributes.
func (h *hoard) bear(b tree.Bearer, n int) {
	attributes := map[string]string{}
	for i := range n {
		attributes[fmt.Sprintf("key-%d", i)] = "value"
	}
	require.NoError(h.t, people.UpdateCustomAttributes(h.t.Context(), h.st, b, attributes))
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
func (h *hoard) protect(first string, c db.Container, n int) {
	for _, kind := range []protect.RefKind{protect.Branch, protect.Tag} {
		for i := range n {
			ref, err := protect.ProtectedRefs(h.st, c, kind).Create(h.t.Context(), protect.ProtectedRef{Container: c, Kind: kind, Name: fmt.Sprint("v", i)})
			require.NoError(h.t, err)
			levels := []protect.RefLevel{}
			for role := range n {
				levels = append(levels, protect.RefLevel{Act: protect.Push, AccessLevel: &role})
			}
			require.NoError(h.t, protect.setRefLevels(h.t.Context(), h.st, ref.ID, levels))
		}
	}
	h.values[first+"/name"] = "v0"
}
