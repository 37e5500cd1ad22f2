package api_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/transfer"
)

// bind links a group to one of LDAP and one of SAML, and has a project pushed elsewhere.
func (s *stage) bind(c db.Container, tell func(name, value string)) {
	t, ctx := s.t, s.t.Context()
	if c.ProjectID != nil {
		m, err := transfer.NewPushMirror(ctx, s.Store, *c.ProjectID)
		require.NoError(t, err)
		m.Enabled, m.AuthMethod, m.PublicKey = true, "ssh_public_key", new("ssh-ed25519 AAAA")
		_, err = transfer.PushMirrors(s.Store, c).Create(ctx, m)
		require.NoError(t, err)
		tell("mirror_id", fmt.Sprint(m.ID))
		return
	}
	_, err := group.LDAPLinks(s.Store, c).Create(ctx, group.LDAPLink{NamespaceID: *c.NamespaceID, CN: new("dev"), Provider: "ldapmain", GroupAccess: 30})
	require.NoError(t, err)
	_, err = group.SAMLLinks(s.Store, c).Create(ctx, group.SAMLLink{NamespaceID: *c.NamespaceID, Name: "dev", AccessLevel: 30})
	require.NoError(t, err)
	tell("cn", "dev")
	tell("provider", "ldapmain")
	tell("saml_group_name", "dev")
}

// bind makes n links of a group, or n mirrors of a project.
func (h *hoard) bind(first string, c db.Container, n int) {
	t, ctx := h.t, h.t.Context()
	for i := range n {
		name := fmt.Sprint(i)
		if c.ProjectID != nil {
			m, err := transfer.NewPushMirror(ctx, h.st, *c.ProjectID)
			require.NoError(t, err)
			_, err = transfer.PushMirrors(h.st, c).Create(ctx, m)
			require.NoError(t, err)
			h.values[first+"/mirror_id"] = fmt.Sprint(m.ID)
			continue
		}
		_, err := group.LDAPLinks(h.st, c).Create(ctx, group.LDAPLink{NamespaceID: *c.NamespaceID, CN: &name, Provider: "ldapmain", GroupAccess: 30})
		require.NoError(t, err)
		_, err = group.SAMLLinks(h.st, c).Create(ctx, group.SAMLLink{NamespaceID: *c.NamespaceID, Name: name, AccessLevel: 30})
		require.NoError(t, err)
		h.values[first+"/saml_group_name"] = name
	}
}
