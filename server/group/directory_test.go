package group_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/directory"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/tree"
)

// answers is an LDAP server as Directory asks it: who is in a group, cn:dev, or whom a filter finds, by their user names. Carl
// goes by another name there, and is known by his DN.
type answers map[string]string

func (answers) Provider() string                                          { return "ldapmain" }
func (a answers) Connect(context.Context) (group.DirectorySession, error) { return a, nil }
func (a answers) Members(cn string) ([]directory.Person, error)           { return a.people("cn:" + cn) }
func (a answers) Find(filter string) ([]directory.Person, error)          { return a.people(filter) }
func (answers) Close()                                                    {}
func (a answers) people(of string) (people []directory.Person, err error) {
	names, ok := a[of]
	switch {
	case !ok:
		return nil, directory.ErrNoGroup
	case names == "broken":
		return nil, errors.New("the line is broken")
	}
	for name := range strings.FieldsSeq(names) {
		people = append(people, directory.Person{DN: "uid=" + name + ",dc=acme", UID: name})
	}
	return people, nil
}

// syncs are groups before and after they are synchronised. A member is written name=level, with ~ behind it if the server says
// so and ! if that is overridden; a link, what=level.
var syncs = []struct {
	name, links   string
	server        answers
	above, before string // the members of the group around, if there is one; and of the group
	after         string
	told          string // to its hook
}{
	{"who is there joins, by name in any case or by DN",
		"cn:dev=30", answers{"cn:dev": "ANN charles"}, "", "root=50", "root=50 ann=30~ carl=30~",
		"user_add_to_group user_add_to_group"},
	{"whoever has no account, a bot and a name that is another's identity do not",
		"cn:dev=30", answers{"cn:dev": "nobody robot carl"}, "", "root=50", "root=50", ""},
	{"of several links the highest level counts",
		"cn:dev=30 (title=ops)=40 cn:all=10", answers{"cn:dev": "ann bob", "(title=ops)": "bob", "cn:all": "bob ann"}, "",
		"root=50", "root=50 ann=30~ bob=40~", "user_add_to_group user_add_to_group"},
	{"levels rise and fall with the links",
		"cn:dev=30 cn:ops=40", answers{"cn:dev": "ann bob", "cn:ops": "bob"}, "",
		"root=50 ann=40~ bob=30~", "root=50 ann=30~ bob=40~", "user_update_for_group user_update_for_group"},
	{"whoever is gone from the directory goes",
		"cn:dev=30", answers{"cn:dev": "bob"}, "", "root=50 ann=30~ bob=30~", "root=50 bob=30~", "user_remove_from_group"},
	{"an empty group is left by all",
		"cn:dev=30", answers{"cn:dev": ""}, "", "root=50 ann=30~ bob=30~", "root=50",
		"user_remove_from_group user_remove_from_group"},
	{"nothing moves the second time",
		"cn:dev=30", answers{"cn:dev": "ann"}, "", "root=50 ann=30~", "root=50 ann=30~", ""},
	{"whoever was added by hand or is overridden stays as he is",
		"cn:dev=30", answers{"cn:dev": "ann bob"}, "", "root=50 ann=20 bob=40~! dora=40~!", "root=50 ann=20 bob=40~! dora=40~!", ""},
	{"the owner of last resort stays one",
		"cn:dev=30", answers{"cn:dev": "bob"}, "", "ann=50~", "ann=50~ bob=30~", "user_add_to_group"},
	{"of two owners who would both go the second one stays",
		"cn:dev=30", answers{"cn:dev": ""}, "", "ann=50~ bob=50~", "bob=50~", "user_remove_from_group"},
	{"an owner does not stay for a group that is owned from above",
		"cn:dev=30", answers{"cn:dev": ""}, "root=50", "ann=50~", "", "user_remove_from_group"},
	{"nobody becomes less than he is from above",
		"cn:dev=30", answers{"cn:dev": "ann bob"}, "root=50 ann=40 bob=20", "", "bob=30~", "user_add_to_group"},
	{"where a group is not there, nobody has left it or has less by it",
		"cn:dev=30 cn:gone=40", answers{"cn:dev": "bob dora carl"}, "", "root=50 ann=40~ bob=40~ dora=10~",
		"root=50 ann=40~ bob=40~ dora=30~", "user_update_for_group"},
	{"where the server does not answer to the end, nothing is done",
		"cn:dev=30 cn:ops=40", answers{"cn:dev": "bob", "cn:ops": "broken"}, "", "root=50 ann=30~", "root=50 ann=30~", ""},
	{"without links, what came from the directory stays",
		"", answers{"cn:dev": "broken"}, "", "root=50 ann=30~", "root=50 ann=30~", ""},
}

func TestSync(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	users := cast(e)
	for i, tt := range syncs {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) { // not parallel: they share a receiver
			var around int64
			if tt.above != "" {
				around = e.group(fmt.Sprint("around", i), 0)
				e.people(users, around, tt.above)
			}
			g := e.group(fmt.Sprint("group", i), around)
			e.people(users, g, tt.before)
			e.link(g, tt.links)
			e.hook(g, "/", map[string]any{"member_events": true})

			d := group.Directory{Store: e.Store, Server: tt.server, Queue: func() *jobs.Queue { return e.Jobs }, Log: slog.New(slog.DiscardHandler)}
			err := d.Sync(t.Context(), jobs.SyncGroup{ID: g})
			if tt.server["cn:ops"] == "broken" {
				require.ErrorContains(t, err, "the line is broken")
			} else {
				require.NoError(t, err)
			}
			require.ElementsMatch(t, strings.Fields(tt.after), e.roster(g))
			var told []string
			for _, line := range e.take() {
				told = append(told, strings.TrimSuffix(line, " /"))
			}
			slices.Sort(told)
			require.Equal(t, tt.told, strings.Join(told, " "))
		})
	}
}

// A group that is synchronised when it is gone is nothing that anybody could mend.
func TestSyncOfNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	d := group.Directory{Store: s.Store, Server: answers{}, Log: slog.New(slog.DiscardHandler)}
	require.NoError(t, d.Sync(t.Context(), jobs.SyncGroup{ID: 1 << 40}))
}

// Groups follow a real server: one by cn, and not into groups within groups, the other by filter; when they are told to, and by
// the hour.
func TestSyncWithServer(t *testing.T) {
	t.Parallel()
	config, _ := servertest.LDAP(t)
	servertest.Grow(t, config, `
		dc=acme,dc=example | objectClass=dcObject objectClass=organization o=acme dc=acme
		uid=ann,dc=acme,dc=example | objectClass=inetOrgPerson cn=Ann sn=A uid=ann title=ops
		uid=bob,dc=acme,dc=example | objectClass=inetOrgPerson cn=Bob sn=B uid=bob title=ops
		uid=dora,dc=acme,dc=example | objectClass=inetOrgPerson cn=Dora sn=D uid=dora title=dev
		cn=inner,dc=acme,dc=example | objectClass=groupOfNames cn=inner member=uid=bob,dc=acme,dc=example
		cn=dev,dc=acme,dc=example | objectClass=groupOfNames cn=dev member=uid=dora,dc=acme,dc=example member=cn=inner,dc=acme,dc=example`)
	e := &estate{Server: servertest.FreshWith(t, server.Config{LDAP: config}), t: t}
	cast(e)
	byName, byFilter := e.group("by-name", 0), e.group("by-filter", 0)
	e.link(byName, "cn:dev=30")
	e.link(byFilter, "(title=ops)=20 (&(title=ops)(!(uid=bob)))=40")
	for _, group := range []int64{byName, byFilter} {
		e.as("POST", fmt.Sprintf("/groups/%d/ldap_sync", group), nil)
	}
	e.Drain(t)
	require.ElementsMatch(t, []string{"root=50", "dora=30~"}, e.roster(byName))
	require.ElementsMatch(t, []string{"root=50", "ann=40~", "bob=20~"}, e.roster(byFilter))

	servertest.Prune(t, config, "uid=ann,dc=acme,dc=example", "cn=dev,dc=acme,dc=example")
	require.NoError(t, jobs.Enqueue(t.Context(), e.Store, jobs.SyncGroups{}))
	e.Drain(t)
	require.ElementsMatch(t, []string{"root=50", "dora=30~"}, e.roster(byName), "a group that is gone is no empty one")
	require.ElementsMatch(t, []string{"root=50", "bob=20~"}, e.roster(byFilter))
}

// cast makes the users, and says who has which id.
func cast(e *estate) map[string]int64 {
	ids := map[string]int64{"root": 1}
	for _, name := range []string{"ann", "bob", "carl", "dora", "robot"} {
		u := tree.NewUser(name, name, name+"@example.com")
		u.Bot = name == "robot"
		if name == "carl" {
			u.SetIdentity(tree.Identity{Provider: "ldapmain", ExternUID: "UID=Charles,dc=acme"})
		}
		u, err := tree.CreateUser(e.t.Context(), e.Store, u)
		require.NoError(e.t, err)
		ids[name] = u.ID
	}
	return ids
}

// people makes a group have these members and no others.
func (e *estate) people(users map[string]int64, gr int64, members string) {
	ctx := e.t.Context()
	g, err := tree.FindGroup(ctx, e.Store, gr)
	require.NoError(e.t, err)
	_, err = e.Store.DB().Exec(ctx, `delete from members where namespace_id = $1`, gr)
	require.NoError(e.t, err)
	for member := range strings.FieldsSeq(members) {
		name, rank, _ := strings.Cut(member, "=")
		level, err := strconv.Atoi(strings.TrimRight(rank, "~!"))
		require.NoError(e.t, err)
		m := group.NewMember(tree.InGroup(g), users[name], level)
		if strings.Contains(rank, "~") {
			m.LDAPProvider = new("ldapmain")
		}
		m, err = group.AddMember(ctx, e.Store, m)
		require.NoError(e.t, err)
		_, err = group.UpdateOverride(ctx, e.Store, m, strings.HasSuffix(rank, "!"))
		require.NoError(e.t, err)
	}
}

// roster are the members of a group as people writes them.
func (e *estate) roster(gr int64) (members []string) {
	g, err := tree.FindGroup(e.t.Context(), e.Store, gr)
	require.NoError(e.t, err)
	roster, err := group.DirectoryRoster(e.t.Context(), e.Store, g)
	require.NoError(e.t, err)
	for _, m := range roster {
		member := fmt.Sprint(m.Username, "=", m.AccessLevel)
		if m.LDAPProvider != nil {
			member += "~"
		}
		if m.Override {
			member += "!"
		}
		members = append(members, member)
	}
	return members
}

// link links a group to what is listed as cn:NAME=LEVEL or (FILTER)=LEVEL.
func (e *estate) link(group int64, links string) {
	for link := range strings.FieldsSeq(links) {
		at := strings.LastIndex(link, "=")
		body := map[string]any{"provider": "ldapmain", "group_access": link[at+1:]}
		if cn, ok := strings.CutPrefix(link[:at], "cn:"); ok {
			body["cn"] = cn
		} else {
			body["filter"] = link[:at]
		}
		e.as("POST", fmt.Sprintf("/groups/%d/ldap_group_links", group), body)
	}
}
