package directory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-ldap/ldap/v3"
)

// Person is an entry of the directory that stands for a user. The DN is normalized, in lower case.
type Person struct{ DN, UID string }

// ErrNoGroup reports that the directory has no group with the cn, as opposed to an empty group.
var ErrNoGroup = errors.New("the directory has no such group")

// groupFilter matches the entries that are groups and have the cn.
const groupFilter = `(&(cn=%s)(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)` +
	`(objectClass=posixGroup)(objectClass=group)))`

// Members returns the people in the groups that have the cn. It returns ErrNoGroup if none has it.
func (s *Session) Members(cn string) ([]Person, error) {
	found, err := s.search(fmt.Sprintf(groupFilter, ldap.EscapeFilter(cn)), "member", "uniqueMember", "memberUid")
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

// Find returns the people whom a filter matches, the outer parentheses of which are optional.
func (s *Session) Find(filter string) ([]Person, error) {
	found, err := s.search("(&("+s.config.UID+"=*)"+parenthesized(filter)+")", s.config.UID)
	people := make([]Person, len(found))
	for i, entry := range found {
		people[i] = Person{normalDN(entry.DN), entry.GetEqualFoldAttributeValue(s.config.UID)}
	}
	return people, err
}

// person returns the member with the DN. The user name is usually part of the DN and needs no
// request. It is empty if the entry is gone or is a group itself.
func (s *Session) person(dn string) (Person, error) {
	p := Person{DN: normalDN(dn)}
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

// search returns the entries below the base that match, fetched 500 at a time.
func (s *Session) search(filter string, attributes ...string) ([]*ldap.Entry, error) {
	found, err := s.conn.SearchWithPaging(ldap.NewSearchRequest(s.config.Base, ldap.ScopeWholeSubtree,
		ldap.NeverDerefAliases, 0, 0, false, filter, attributes, nil), 500)
	if err != nil {
		return nil, fmt.Errorf("search the directory: %w", err)
	}
	return found.Entries, nil
}

// normalDN returns a DN in one spelling: directories write it with and without spaces, in any case.
func normalDN(dn string) string {
	parsed, err := ldap.ParseDN(dn)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(dn))
	}
	return strings.ToLower(parsed.String())
}
