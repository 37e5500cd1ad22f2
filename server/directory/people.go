package directory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-ldap/ldap/v3"
)

// Person is somebody in the directory. A DN has one spelling here, in lower case.
type Person struct{ DN, UID string }

// ErrNoGroup says that the directory knows no group by that cn: an answer that is not the same as an empty group.
var ErrNoGroup = errors.New("there is no such group in the directory")

// groups are the classes of entries that are groups, with cn and members.
const groups = `(&(cn=%s)(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup)(objectClass=group)))`

// Members are the people in the group of that cn; if several have it, in all of them.
func (s *Session) Members(cn string) ([]Person, error) {
	found, err := s.search(fmt.Sprintf(groups, ldap.EscapeFilter(cn)), "member", "uniqueMember", "memberUid")
	if err == nil && len(found) == 0 {
		err = ErrNoGroup
	}
	if err != nil {
		return nil, err
	}
	var people []Person
	var uids []string
	for _, group := range found {
		for _, dn := range slices.Concat(group.GetAttributeValues("member"), group.GetAttributeValues("uniqueMember")) {
			p, err := s.person(dn)
			if err != nil {
				return nil, err
			}
			people = append(people, p)
		}
		uids = append(uids, group.GetAttributeValues("memberUid")...)
	}
	for batch := range slices.Chunk(uids, 100) {
		var any strings.Builder
		for _, uid := range batch {
			fmt.Fprintf(&any, "(%s=%s)", s.config.UID, ldap.EscapeFilter(uid))
		}
		named, err := s.Find("(|" + any.String() + ")")
		if err != nil {
			return nil, err
		}
		people = append(people, named...)
	}
	return people, nil
}

// Find are the people whom a filter finds.
func (s *Session) Find(filter string) ([]Person, error) {
	found, err := s.search("(&("+s.config.UID+"=*)"+enclosed(filter)+")", s.config.UID)
	people := make([]Person, len(found))
	for i, entry := range found {
		people[i] = Person{normal(entry.DN), entry.GetEqualFoldAttributeValue(s.config.UID)}
	}
	return people, err
}

// person is the member of a group with that DN. What he is called is mostly a part of it, and need not be asked for. Who is
// not there any more, and who is a group in turn, has no name.
func (s *Session) person(dn string) (Person, error) {
	p := Person{DN: normal(dn)}
	if parsed, err := ldap.ParseDN(dn); err == nil && len(parsed.RDNs) > 0 {
		for _, part := range parsed.RDNs[0].Attributes {
			if strings.EqualFold(part.Type, s.config.UID) {
				p.UID = part.Value
				return p, nil
			}
		}
	}
	found, err := s.conn.Search(ldap.NewSearchRequest(dn, ldap.ScopeBaseObject, ldap.NeverDerefAliases, 1, 0, false,
		"(objectClass=*)", []string{s.config.UID}, nil))
	switch {
	case ldap.IsErrorAnyOf(err, ldap.LDAPResultNoSuchObject, ldap.LDAPResultInvalidDNSyntax, ldap.LDAPResultReferral):
		return p, nil
	case err != nil:
		return p, fmt.Errorf("look up a member of a group: %w", err)
	}
	for _, entry := range found.Entries {
		p.UID = entry.GetEqualFoldAttributeValue(s.config.UID)
	}
	return p, nil
}

// search finds entries below the base, a page at a time.
func (s *Session) search(filter string, attributes ...string) ([]*ldap.Entry, error) {
	found, err := s.conn.SearchWithPaging(ldap.NewSearchRequest(s.config.Base, ldap.ScopeWholeSubtree, ldap.NeverDerefAliases,
		0, 0, false, filter, attributes, nil), 500)
	if err != nil {
		return nil, fmt.Errorf("search the directory: %w", err)
	}
	return found.Entries, nil
}

// normal is the one spelling of a DN: directories write one with and without spaces, and in any case.
func normal(dn string) string {
	parsed, err := ldap.ParseDN(dn)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(dn))
	}
	return strings.ToLower(parsed.String())
}
