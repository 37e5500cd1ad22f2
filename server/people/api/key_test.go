package api_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/people"
	"hew/server/servertest"
	"hew/server/sshkey"
)

// Keys with one MD5 fingerprint can be made on purpose.
func TestOldestKeyWithFingerprintIsFound(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	const md5 = "fc:7a:7c:86:cc:3e:99:59:12:19:da:b9:bb:0b:ad:5b"
	insert := func(name string) int64 {
		id, err := w.Insert(t.Context(), "ssh_keys", people.SSHKey{
			UserID: w.User(name).ID, Title: name, Key: name, UsageType: "auth",
			Fingerprints: sshkey.Fingerprints{Fingerprint: md5, FingerprintSHA256: "SHA256:" + name},
		})
		require.NoError(t, err)
		return id
	}
	oldest := insert("alice")
	insert("mallory")
	// An update stores the row of the older key behind that of the newer one.
	require.NoError(t, w.Exec(t.Context(), `update ssh_keys set title = 'moved' where id = @id`,
		pgx.NamedArgs{"id": oldest}))
	k, err := people.SSHKeys.Find(t.Context(), w.Store, people.ByFingerprint(md5))
	require.NoError(t, err)
	require.Equal(t, oldest, k.ID)
}
