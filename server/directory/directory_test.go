package directory_test

import (
	"strings"
	"testing"

	"github.com/go-ldap/ldap/v3"
	"github.com/stretchr/testify/require"

	"hew/server/directory"
	"hew/server/servertest"
)

// tree is a directory with groups of three sorts.
const tree = `
dc=acme,dc=example | objectClass=dcObject objectClass=organization o=acme dc=acme
uid=alice,dc=acme,dc=example | objectClass=inetOrgPerson cn=Alice sn=A uid=alice title=ops
uid=bob,dc=acme,dc=example | objectClass=inetOrgPerson cn=Bob sn=B uid=bob
cn=Carol,dc=acme,dc=example | objectClass=inetOrgPerson cn=Carol sn=C uid=carol title=ops
cn=dev,dc=acme,dc=example | objectClass=groupOfNames cn=dev member=UID=Alice,dc=acme,dc=example member=cn=Carol,dc=acme,dc=example member=uid=gone,dc=acme,dc=example member=cn=nobody,dc=acme,dc=example
cn=unique,dc=acme,dc=example | objectClass=groupOfUniqueNames cn=unique uniqueMember=uid=bob,dc=acme,dc=example
cn=posix,dc=acme,dc=example | objectClass=posixGroup cn=posix gidNumber=1 memberUid=bob memberUid=carol memberUid=gone
cn=empty,dc=acme,dc=example | objectClass=posixGroup cn=empty gidNumber=2
cn=a*(b),dc=acme,dc=example | objectClass=posixGroup cn=a*(b) gidNumber=3 memberUid=bob
`

func TestPeople(t *testing.T) {
	t.Parallel()
	config, secure := servertest.LDAP(t)
	servertest.AddEntries(t, config, tree)

	alice, bob := directory.Person{DN: "uid=alice,dc=acme,dc=example", UID: "alice"},
		directory.Person{DN: "uid=bob,dc=acme,dc=example", UID: "bob"}
	carol := directory.Person{DN: "cn=carol,dc=acme,dc=example", UID: "carol"}
	for _, address := range []string{config.URL, secure, strings.Replace(config.URL, "ldap:", "ldap+starttls:", 1)} {
		config.URL = address
		server, err := directory.Open(config)
		require.NoError(t, err)
		session, err := server.Connect(t.Context())
		require.NoError(t, err, address)
		defer session.Close()

		for cn, want := range map[string][]directory.Person{
			"unique": {bob}, "posix": {bob, carol}, "empty": nil, "a*(b)": {bob},
		} {
			people, err := session.Members(cn)
			require.NoError(t, err, cn)
			require.ElementsMatch(t, want, people, cn)
		}
		people, err := session.Members("dev")
		require.NoError(t, err)
		require.Equal(t, []string{"Alice", "carol", "gone", ""}, uids(people),
			"a user who is gone has the name in the DN, if any")
		require.Equal(t, alice.DN, people[0].DN, "a DN has one spelling")
		for filter, want := range map[string][]directory.Person{
			"(title=ops)": {alice, carol}, "title=ops": {alice, carol}, "(&(title=ops)(cn=Ca*))": {carol},
			"(cn=dev)": {},
		} {
			people, err := session.Find(filter)
			require.NoError(t, err, filter)
			require.ElementsMatch(t, want, people, filter)
		}
		_, err = session.Members("*")
		require.ErrorIs(t, err, directory.ErrNoGroup, "a cn is no pattern")
	}
}

func uids(people []directory.Person) (uids []string) {
	for _, p := range people {
		uids = append(uids, p.UID)
	}
	return uids
}

func TestRefused(t *testing.T) {
	t.Parallel()
	config, secure := servertest.LDAP(t)
	connect := func(c directory.Config) error {
		server, err := directory.Open(c)
		require.NoError(t, err)
		_, err = server.Connect(t.Context())
		return err
	}
	wrong := config
	wrong.Password = "wrong"
	err := connect(wrong)
	require.True(t, ldap.IsErrorWithCode(err, ldap.LDAPResultInvalidCredentials), "%v", err)
	require.NotContains(t, err.Error(), wrong.Password)
	untrusted := config
	untrusted.URL, untrusted.CAFile = secure, ""
	require.ErrorContains(t, connect(untrusted), "certificate signed by unknown authority")
}

func TestOpen(t *testing.T) {
	t.Parallel()
	server, err := directory.Open(directory.Config{})
	require.NoError(t, err)
	require.Nil(t, server, "without an address there is none")
	server, err = directory.Open(directory.Config{URL: "ldap://host", Base: "dc=x"})
	require.NoError(t, err)
	require.Equal(t, "ldapmain", server.Provider())
	for want, c := range map[string]directory.Config{
		"ldap://HOST":        {URL: "https://host", Base: "dc=x"},
		"ldaps://HOST":       {URL: "ldap://", Base: "dc=x"},
		"HEWD_LDAP_PASSWORD": {URL: "ldap://u:p@host", Base: "dc=x"},
		"HEWD_LDAP_BASE":     {URL: "ldap://host"},
		"no such file":       {URL: "ldap://host", Base: "dc=x", CAFile: t.TempDir() + "/x"},
		"missing protocol":   {URL: ":", Base: "dc=x"},
		"no PEM certificate": {URL: "ldap://host", Base: "dc=x", CAFile: "directory_test.go"},
	} {
		_, err := directory.Open(c)
		require.ErrorContains(t, err, want)
	}
}

func TestCheckFilter(t *testing.T) {
	t.Parallel()
	for filter, sound := range map[string]bool{
		"(uid=a)": true, "uid=a": true, " (&(a=b)(!(c=d))) ": true, "(|(a=*)(b>=1))": true,
		"": false, "()": false, "((uid=a)": false, "(uid=a))": false, "uid": false, "(&(a=b)": false,
	} {
		require.Equal(t, sound, directory.CheckFilter(filter) == nil, "%q", filter)
	}
}
