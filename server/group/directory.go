package group

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"hew/server/db"
	"hew/server/directory"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/tree"
)

// Directory keeps the members of groups in step with an LDAP server, as far as links bind them to it (spec 2 §4.5, gaps §3.4).
// Whoever is in what a group is linked to becomes a member with the level of the link, the highest one if there are several, and
// whoever is so no longer ceases to be one. It leaves alone whoever somebody has added by hand or set to be overridden, and the
// last owner.
type Directory struct {
	Server DirectoryServer // nil: there is none, links can be made and nobody follows them
	Log    *slog.Logger
}

// DirectoryServer is the LDAP server.
type DirectoryServer interface {
	Provider() string // what links and identities call it
	Connect(context.Context) (DirectorySession, error)
}

// DirectorySession is a connection to it. To ask for the members of a group that is not there is directory.ErrNoGroup.
type DirectorySession interface {
	Members(cn string) ([]directory.Person, error)
	Find(filter string) ([]directory.Person, error)
	Close()
}

// LDAP is a server as Directory asks it; nil if there is none.
func LDAP(s *directory.Server) DirectoryServer {
	if s == nil {
		return nil
	}
	return ldapServer{s}
}

type ldapServer struct{ *directory.Server }

// Connect begins a session.
func (s ldapServer) Connect(ctx context.Context) (DirectorySession, error) {
	return s.Server.Connect(ctx)
}

// knows says whether there can be links to a provider. Without a server any will do: it may be set up later.
func (d *Directory) knows(provider string) bool {
	return d == nil || d.Server == nil || d.Server.Provider() == provider
}

// Begin has a group synchronised soon.
func (d *Directory) Begin(ctx context.Context, st *db.Store, groupID int64) error {
	return jobs.Enqueue(ctx, st, SyncJob{ID: groupID})
}

// SyncAll adds a job for each group that is linked.
func (d *Directory) SyncAll(ctx context.Context, st *db.Store, _ SyncAllJob) error {
	if d.Server == nil {
		return nil
	}
	ids, err := LinkedGroups(ctx, st, d.Server.Provider())
	if err != nil {
		return err
	}
	due := make([]jobs.Args, len(ids))
	for i, id := range ids {
		due[i] = SyncJob{ID: id}
	}
	return jobs.Enqueue(ctx, st, due...)
}

// Sync synchronises a group. The server is asked before the transaction, which waits for nobody.
func (d *Directory) Sync(ctx context.Context, st *db.Store, a SyncJob) error {
	log := d.Log.With("group", a.ID)
	if d.Server == nil {
		log.Info("no LDAP server is configured (HEWD_LDAP_URL): the members of the group stay as they are")
		return nil
	}
	links, _, err := LDAPLinks(st, db.Container{NamespaceID: &a.ID}).List(ctx,
		db.Page{Limit: db.MaxCount}, LDAPLinksOf(d.Server.Provider()))
	if err != nil || len(links) == 0 {
		return err
	}
	s := groupSync{provider: d.Server.Provider(), log: log, certain: true, levels: map[int64]int{}}
	if err := s.ask(ctx, st, d, links); err != nil {
		return err
	}
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error { return s.settle(ctx, st, a.ID) }))
}

// groupSync is the synchronisation of one group.
type groupSync struct {
	provider string
	log      *slog.Logger
	levels   map[int64]int // what the links give, by user
	certain  bool          // nobody else is in what they lead to
}

// ask finds out what the links give to whom. Where a group is not there, nobody knows who was meant: then nobody has left it,
// and nobody has less by it.
func (s *groupSync) ask(ctx context.Context, st *db.Store, d *Directory, links []LDAPLink) error {
	session, err := d.Server.Connect(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, l := range links {
		var people []directory.Person
		if l.CN != nil {
			people, err = session.Members(*l.CN)
		} else {
			people, err = session.Find(*l.Filter)
		}
		if errors.Is(err, directory.ErrNoGroup) {
			s.log.Warn("the LDAP server has no group of that cn: nobody is removed or lowered", "cn", *l.CN)
			s.certain = false
			continue
		}
		if err != nil {
			return err
		}
		if err := s.give(ctx, st, people, l.GroupAccess); err != nil {
			return err
		}
	}
	return nil
}

func (s *groupSync) give(ctx context.Context, st *db.Store, people []directory.Person, level int) error {
	dns, names := make([]string, len(people)), make([]string, len(people))
	for i, p := range people {
		dns[i], names[i] = p.DN, p.UID
	}
	users, err := DirectoryUsers(ctx, st, s.provider, dns, names)
	for _, u := range users {
		s.levels[u.UserID] = max(s.levels[u.UserID], level)
	}
	return err
}

// settle makes the members of the group be what the links give.
func (s *groupSync) settle(ctx context.Context, st *db.Store, groupID int64) error {
	g, err := tree.HoldGroup(ctx, st, groupID)
	if err != nil {
		return err
	}
	roster, err := DirectoryRoster(ctx, st, g)
	if err != nil {
		return err
	}
	var there []int64
	for _, m := range roster {
		there = append(there, m.UserID)
		if m.Synced() && *m.LDAPProvider == s.provider {
			if err := s.keep(ctx, st, g, m); err != nil {
				return err
			}
		}
	}
	return s.join(ctx, st, g, slices.DeleteFunc(slices.Sorted(maps.Keys(s.levels)), func(id int64) bool { return slices.Contains(there, id) }))
}

// keep gives a member who came from the directory the level that he has there, or removes him.
func (s *groupSync) keep(ctx context.Context, st *db.Store, g tree.Group, m Member) error {
	level, wanted := s.levels[m.UserID]
	if level == m.AccessLevel || level < m.AccessLevel && !s.certain {
		return nil
	}
	last, err := LastOwner(ctx, st, tree.InGroup(g), m)
	if last {
		s.log.Warn("the last owner of the group stays, whatever the LDAP server says", "user", m.Username)
	}
	if err != nil || last {
		return err
	}
	if !wanted {
		if err := DeleteMember(ctx, st, m); err != nil {
			return err
		}
		return TellMembers(ctx, st, memberRemoved, m)
	}
	was := m.AccessLevel
	m.AccessLevel = level
	if m, err = UpdateMember(ctx, st, m, was); err != nil {
		return err
	}
	return TellMembers(ctx, st, memberChanged, m)
}

// join makes members of users. Nobody becomes less than he is from above.
func (s *groupSync) join(ctx context.Context, st *db.Store, g tree.Group, users []int64) error {
	src := tree.InGroup(g)
	candidates, err := Candidates(ctx, st, src, users, nil)
	if err != nil {
		return err
	}
	var news []Member
	for _, c := range candidates {
		level := s.levels[c.UserID]
		if c.UserID == 0 || fits(c, level) != nil {
			s.log.Info("somebody has a higher level from above than by LDAP already", "user", c.Username)
			continue
		}
		m := NewMember(src, c.UserID, level)
		m.LDAPProvider = &s.provider
		if m, err = AddMember(ctx, st, m); err != nil {
			return err
		}
		news = append(news, m)
	}
	return TellMembers(ctx, st, memberAdded, news...)
}

// SyncJob makes the members of a group be what the LDAP server says.
type SyncJob struct {
	jobs.Unique
	ID int64 `json:"id"`
}

// Kind names the job.
func (SyncJob) Kind() string { return "sync_group" }

// SyncAllJob adds a SyncJob for each group that is linked.
type SyncAllJob struct{}

// Kind names the job.
func (SyncAllJob) Kind() string { return "sync_groups" }
