package group_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/directory"
	"hew/server/event"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/tree"
)

// answers is an LDAP server. It maps a group such as cn:dev, or a filter, to the user names in it.
// Carl has another name there and is recognized by DN.
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

// syncs are groups before and after they are synchronised. A member is written name=level, with ~
// behind it if the server says so and ! if that is overridden; a link, what=level.
var syncs = []struct {
	name, links   string
	server        answers
	above, before string // the members of the group around, if there is one; and of the group
	after         string
	events        string // one for each member who was added, changed or removed
}{
	{"users in the directory join, by name in any case or by DN",
		"cn:dev=30", answers{"cn:dev": "ANN charles"}, "", "root=50", "root=50 ann=30~ carl=30~",
		"user_add_to_group user_add_to_group"},
	{"users without an account, bots, and names of other identities do not join",
		"cn:dev=30", answers{"cn:dev": "nobody robot carl"}, "", "root=50", "root=50", ""},
	{"of several links the highest level counts",
		"cn:dev=30 (title=ops)=40 cn:all=10", answers{"cn:dev": "ann bob", "(title=ops)": "bob", "cn:all": "bob ann"},
		"",
		"root=50", "root=50 ann=30~ bob=40~", "user_add_to_group user_add_to_group"},
	{"levels rise and fall with the links",
		"cn:dev=30 cn:ops=40", answers{"cn:dev": "ann bob", "cn:ops": "bob"}, "",
		"root=50 ann=40~ bob=30~", "root=50 ann=30~ bob=40~", "user_update_for_group user_update_for_group"},
	{"members missing from the directory are removed",
		"cn:dev=30", answers{"cn:dev": "bob"}, "", "root=50 ann=30~ bob=30~", "root=50 bob=30~",
		"user_remove_from_group"},
	{"an empty group is left by all",
		"cn:dev=30", answers{"cn:dev": ""}, "", "root=50 ann=30~ bob=30~", "root=50",
		"user_remove_from_group user_remove_from_group"},
	{"nothing moves the second time",
		"cn:dev=30", answers{"cn:dev": "ann"}, "", "root=50 ann=30~", "root=50 ann=30~", ""},
	{"members who were added by hand or are overridden keep their level",
		"cn:dev=30", answers{"cn:dev": "ann bob"}, "", "root=50 ann=20 bob=40~! dora=40~!",
		"root=50 ann=20 bob=40~! dora=40~!", ""},
	{"the owner of last resort stays one",
		"cn:dev=30", answers{"cn:dev": "bob"}, "", "ann=50~", "ann=50~ bob=30~", "user_add_to_group"},
	{"of two owners who would both go the second one stays",
		"cn:dev=30", answers{"cn:dev": ""}, "", "ann=50~ bob=50~", "bob=50~", "user_remove_from_group"},
	{"an owner does not stay for a group that is owned from above",
		"cn:dev=30", answers{"cn:dev": ""}, "root=50", "ann=50~", "", "user_remove_from_group"},
	{"nobody gets a level below the inherited one",
		"cn:dev=30", answers{"cn:dev": "ann bob"}, "root=50 ann=40 bob=20", "", "bob=30~", "user_add_to_group"},
	{"where a group is not there, nobody has left it or has less by it",
		"cn:dev=30 cn:gone=40", answers{"cn:dev": "bob dora carl"}, "", "root=50 ann=40~ bob=40~ dora=10~",
		"root=50 ann=40~ bob=40~ dora=30~", "user_update_for_group"},
	{"where the server does not answer to the end, nothing is done",
		"cn:dev=30 cn:ops=40", answers{"cn:dev": "bob", "cn:ops": "broken"}, "", "root=50 ann=30~", "root=50 ann=30~",
		""},
	{"without links, what came from the directory stays",
		"", answers{"cn:dev": "broken"}, "", "root=50 ann=30~", "root=50 ann=30~", ""},
}

func TestSync(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.User("root")
	users := w.addDirectoryUsers()
	users["root"] = root.ID
	var events []string
	event.Attach(w.Store, []event.Listener{event.On(func(_ context.Context, _ *db.Store, e group.MembersChanged) error {
		for range e.Members {
			events = append(events, e.What)
		}
		return nil
	})})
	for i, tt := range syncs {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) { // not parallel: they share the listener
			w := world{w.In(t), t}
			var above *tree.Group
			if tt.above != "" {
				above = new(w.Group(fmt.Sprint("above", i), nil, 0))
				w.setMembers(*above, users, tt.above)
			}
			g := w.Group(fmt.Sprint("group", i), above, 0)
			w.setMembers(g, users, tt.before)
			w.addLinks(g, tt.links)
			events = nil

			d := group.Directory{Server: tt.server, Log: slog.New(slog.DiscardHandler)}
			err := d.Sync(t.Context(), w.Store, group.SyncJob{ID: g.ID})
			if tt.server["cn:ops"] == "broken" {
				require.ErrorContains(t, err, "the line is broken")
			} else {
				require.NoError(t, err)
			}
			require.ElementsMatch(t, strings.Fields(tt.after), w.roster(g))
			require.ElementsMatch(t, strings.Fields(tt.events), events)
		})
	}
}

// A group that is synchronised when it is gone is nothing that anybody could mend.
func TestSyncOfNothing(t *testing.T) {
	t.Parallel()
	d := group.Directory{Server: answers{}, Log: slog.New(slog.DiscardHandler)}
	require.NoError(t, d.Sync(t.Context(), newWorld(t).Store, group.SyncJob{ID: 1 << 40}))
}

// Groups are synchronized with a real server: one by cn, without nested groups, the other by
// filter; on request and every hour.
func TestSyncWithServer(t *testing.T) {
	t.Parallel()
	config, _ := servertest.LDAP(t)
	servertest.AddEntries(t, config, `
		dc=acme,dc=example | objectClass=dcObject objectClass=organization o=acme dc=acme
		uid=ann,dc=acme,dc=example | objectClass=inetOrgPerson cn=Ann sn=A uid=ann title=ops
		uid=bob,dc=acme,dc=example | objectClass=inetOrgPerson cn=Bob sn=B uid=bob title=ops
		uid=dora,dc=acme,dc=example | objectClass=inetOrgPerson cn=Dora sn=D uid=dora title=dev
		cn=inner,dc=acme,dc=example | objectClass=groupOfNames cn=inner member=uid=bob,dc=acme,dc=example
		cn=dev,dc=acme,dc=example | objectClass=groupOfNames cn=dev member=uid=dora,dc=acme,dc=example member=cn=inner,dc=acme,dc=example`)
	s := servertest.FreshWith(t, server.Config{LDAP: config})
	w := world{s.World(t), t}
	w.addDirectoryUsers()
	byName, byFilter := w.Group("by-name", nil, 1), w.Group("by-filter", nil, 1)
	w.addLinks(byName, "cn:dev=30")
	w.addLinks(byFilter, "(title=ops)=20 (&(title=ops)(!(uid=bob)))=40")
	for _, g := range []tree.Group{byName, byFilter} {
		reply := s.Do(t, s.RootToken, "POST", fmt.Sprintf("/groups/%d/ldap_sync", g.ID), nil)
		require.Equal(t, 202, reply.Status)
	}
	s.Drain(t)
	require.ElementsMatch(t, []string{"root=50", "dora=30~"}, w.roster(byName))
	require.ElementsMatch(t, []string{"root=50", "ann=40~", "bob=20~"}, w.roster(byFilter))

	servertest.RemoveEntries(t, config, "uid=ann,dc=acme,dc=example", "cn=dev,dc=acme,dc=example")
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, group.SyncAllJob{}))
	s.Drain(t)
	require.ElementsMatch(t, []string{"root=50", "dora=30~"}, w.roster(byName), "a group that is gone is no empty one")
	require.ElementsMatch(t, []string{"root=50", "bob=20~"}, w.roster(byFilter))
}

// addDirectoryUsers adds the users that the server's answers name, and returns their ids by
// username.
func (w world) addDirectoryUsers() map[string]int64 {
	ids := map[string]int64{}
	for _, name := range []string{"ann", "bob", "carl", "dora", "robot"} {
		u := tree.NewUser(name, name, name+"@example.com")
		u.Bot = name == "robot"
		if name == "carl" {
			u.SetIdentity(tree.Identity{Provider: "ldapmain", ExternUID: "UID=Charles,dc=acme"})
		}
		u, err := tree.CreateUser(w.t.Context(), w.Store, u)
		require.NoError(w.t, err)
		ids[name] = u.ID
	}
	return ids
}

// setMembers makes a group without members have these.
func (w world) setMembers(g tree.Group, users map[string]int64, members string) {
	for member := range strings.FieldsSeq(members) {
		name, rank, _ := strings.Cut(member, "=")
		level, err := strconv.Atoi(strings.TrimRight(rank, "~!"))
		require.NoError(w.t, err)
		m := group.NewMember(tree.InGroup(g), users[name], level)
		if strings.Contains(rank, "~") {
			m.LDAPProvider = new("ldapmain")
		}
		_, err = group.UpdateOverride(w.t.Context(), w.Store, w.Member(m), group.Override(strings.HasSuffix(rank, "!")))
		require.NoError(w.t, err)
	}
}

// roster returns the members of a group as setMembers takes them.
func (w world) roster(g tree.Group) (members []string) {
	roster, err := group.ListDirectMembers(w.t.Context(), w.Store, g)
	require.NoError(w.t, err)
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

// addLinks links a group to what is listed as cn:NAME=LEVEL or (FILTER)=LEVEL.
func (w world) addLinks(g tree.Group, links string) {
	for link := range strings.FieldsSeq(links) {
		at := strings.LastIndex(link, "=")
		level, err := strconv.Atoi(link[at+1:])
		require.NoError(w.t, err)
		l := group.LDAPLink{NamespaceID: g.ID, Provider: "ldapmain", GroupAccess: level}
		if cn, ok := strings.CutPrefix(link[:at], "cn:"); ok {
			l.CN = &cn
		} else {
			l.Filter = new(link[:at])
		}
		_, err = group.LDAPLinks(w.Store, g.Container()).Create(w.t.Context(), l)
		require.NoError(w.t, err)
	}
}
