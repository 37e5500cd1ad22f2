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

// Directory synchronizes the members of linked groups with an LDAP server (spec 2 §4.5, gaps §3.4).
// Users whom a link finds become members with the highest level of their links; when no link finds
// them any more they are removed. Members who were added by hand or are overridden stay as they
// are, and so does the last owner.
type Directory struct {
	Server DirectoryServer // nil: none is configured; links can be created and have no effect
	Log    *slog.Logger
}

// DirectoryServer is an LDAP server.
type DirectoryServer interface {
	Provider() string // its name in links and identities
	Connect(context.Context) (DirectorySession, error)
}

// DirectorySession is a connection to an LDAP server. Members fails with directory.ErrNoGroup if no
// group has that cn.
type DirectorySession interface {
	Members(cn string) ([]directory.Person, error)
	Find(filter string) ([]directory.Person, error)
	Close()
}

// LDAP returns a server as a DirectoryServer; nil stays nil.
func LDAP(s *directory.Server) DirectoryServer {
	if s == nil {
		return nil
	}
	return ldapServer{s}
}

type ldapServer struct{ *directory.Server }

// Connect opens a session.
func (s ldapServer) Connect(ctx context.Context) (DirectorySession, error) {
	return s.Server.Connect(ctx)
}

// knows reports whether there can be links to a provider: to any one until a server is configured.
func (d *Directory) knows(provider string) bool {
	return d == nil || d.Server == nil || d.Server.Provider() == provider
}

// Begin enqueues the synchronization of a group.
func (d *Directory) Begin(ctx context.Context, st *db.Store, groupID int64) error {
	return jobs.Enqueue(ctx, st, SyncJob{ID: groupID})
}

// SyncAll enqueues the synchronization of each linked group.
func (d *Directory) SyncAll(ctx context.Context, st *db.Store, _ SyncAllJob) error {
	if d.Server == nil {
		return nil
	}
	ids, err := listLinkedGroups(ctx, st, d.Server.Provider())
	if err != nil {
		return err
	}
	due := make([]jobs.Args, len(ids))
	for i, id := range ids {
		due[i] = SyncJob{ID: id}
	}
	return jobs.Enqueue(ctx, st, due...)
}

// Sync synchronizes a group. It asks the server before the transaction, which must not wait for it.
func (d *Directory) Sync(ctx context.Context, st *db.Store, a SyncJob) error {
	log := d.Log.With("group", a.ID)
	if d.Server == nil {
		log.Info("no LDAP server is configured (HEWD_LDAP_URL): the members of the group stay as they are")
		return nil
	}
	links, _, err := LDAPLinks(st, db.Container{NamespaceID: &a.ID}).List(ctx,
		db.Page{Limit: db.MaxCount}, ldapLinksOf(d.Server.Provider()))
	if err != nil || len(links) == 0 {
		return err
	}
	s := groupSync{provider: d.Server.Provider(), log: log, certain: true, levels: map[int64]int{}}
	if err := s.readLinks(ctx, st, d, links); err != nil {
		return err
	}
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error { return s.apply(ctx, st, a.ID) }))
}

// groupSync is the synchronization of one group.
type groupSync struct {
	provider string
	log      *slog.Logger
	levels   map[int64]int // what the links give, by user
	certain  bool          // every linked group was found, so levels is complete
}

// readLinks collects the levels that links give. If an LDAP group is missing, its former members
// are unknown, so members are neither removed nor lowered.
func (s *groupSync) readLinks(ctx context.Context, st *db.Store, d *Directory, links []LDAPLink) error {
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
		if err := s.addLevels(ctx, st, people, l.GroupAccess); err != nil {
			return err
		}
	}
	return nil
}

func (s *groupSync) addLevels(ctx context.Context, st *db.Store, people []directory.Person, level int) error {
	dns, names := make([]string, len(people)), make([]string, len(people))
	for i, p := range people {
		dns[i], names[i] = p.DN, p.UID
	}
	users, err := findDirectoryUsers(ctx, st, s.provider, dns, names)
	for _, u := range users {
		s.levels[u.UserID] = max(s.levels[u.UserID], level)
	}
	return err
}

// apply changes the members of the group to what the links give.
func (s *groupSync) apply(ctx context.Context, st *db.Store, groupID int64) error {
	g, err := tree.HoldGroup(ctx, st, groupID)
	if err != nil {
		return err
	}
	roster, err := listDirectMembers(ctx, st, g)
	if err != nil {
		return err
	}
	var there []int64
	for _, m := range roster {
		there = append(there, m.UserID)
		if m.Synced() && *m.LDAPProvider == s.provider {
			if err := s.updateMember(ctx, st, g, m); err != nil {
				return err
			}
		}
	}
	return s.addMembers(ctx, st, g,
		slices.DeleteFunc(slices.Sorted(maps.Keys(s.levels)),
			func(id int64) bool { return slices.Contains(there, id) }))
}

// updateMember changes a synchronized member to the level that the links give, or removes the
// member.
func (s *groupSync) updateMember(ctx context.Context, st *db.Store, g tree.Group, m Member) error {
	level, wanted := s.levels[m.UserID]
	if level == m.AccessLevel || level < m.AccessLevel && !s.certain {
		return nil
	}
	last, err := isLastOwner(ctx, st, tree.InGroup(g), m)
	if last {
		s.log.Warn("the last owner of the group stays, whatever the LDAP server says", "user", m.Username)
	}
	if err != nil || last {
		return err
	}
	if !wanted {
		if err := deleteMember(ctx, st, m); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, MemberRemoved, m)
	}
	was := m.AccessLevel
	m.AccessLevel = level
	if m, err = updateMember(ctx, st, m, was); err != nil {
		return err
	}
	return emitMembersChanged(ctx, st, memberChanged, m)
}

// addMembers adds users as members, except those who inherit a higher level.
func (s *groupSync) addMembers(ctx context.Context, st *db.Store, g tree.Group, users []int64) error {
	src := tree.InGroup(g)
	candidates, err := findCandidates(ctx, st, src, users, nil)
	if err != nil {
		return err
	}
	var news []Member
	for _, c := range candidates {
		level := s.levels[c.UserID]
		if c.UserID == 0 || checkInherited(c, level) != nil {
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
	return emitMembersChanged(ctx, st, MemberAdded, news...)
}

// SyncJob synchronizes a group with the LDAP server.
type SyncJob struct {
	jobs.Unique
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (SyncJob) Kind() string { return "sync_group" }

// SyncAllJob enqueues a SyncJob for each linked group.
type SyncAllJob struct{}

// Kind returns the name of the job.
func (SyncAllJob) Kind() string { return "sync_groups" }
