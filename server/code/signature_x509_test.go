package code_test

import (
	"bytes"
	"crypto/x509"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
)

// TestX509 has openssl sign, as gpgsm does: the message contains the certificates and attributes.
func TestX509(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openssl := func(args ...string) {
		cmd := exec.Command("openssl", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "openssl %s: %s", strings.Join(args, " "), out)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return data
	}
	for _, key := range [][]string{{"rsa:2048"}, {"ec", "-pkeyopt", "ec_paramgen_curve:P-256"}} {
		openssl(append([]string{"req", "-x509", "-nodes", "-subj", "/CN=Root", "-keyout", "ca.key", "-out", "ca.pem",
			"-newkey"}, key...)...)
		openssl(append([]string{"req", "-nodes", "-subj", "/CN=Alice", "-keyout", "key", "-out", "csr",
			"-newkey"}, key...)...)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ext"),
			[]byte("subjectAltName=email:alice@example.com\n"), 0o600))
		openssl("x509", "-req", "-in", "csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "ext",
			"-out", "pem")
		payload := []byte("tree 1\n\nMessage\n")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "payload"), payload, 0o600))
		openssl("cms", "-sign", "-binary", "-md", "sha256", "-in", "payload", "-signer", "pem", "-inkey", "key",
			"-certfile", "ca.pem", "-outform", "PEM", "-out", "signature")
		text := strings.ReplaceAll(string(read("signature")), " CMS-----", " SIGNED MESSAGE-----")
		roots := x509.NewCertPool()
		require.True(t, roots.AppendCertsFromPEM(read("ca.pem")))

		c, err := code.CheckX509(text, "Alice@example.com", payload, roots)
		require.NoError(t, err)
		require.Equal(t, "CN=Alice", c.Subject.String())
		require.Equal(t, "CN=Root", c.Issuer.Subject.String())
		_, err = code.CheckX509(text, "bob@example.com", payload, roots)
		require.ErrorContains(t, err, "another address")
		_, err = code.CheckX509(text, "alice@example.com", payload, x509.NewCertPool())
		require.ErrorContains(t, err, "unknown authority")
		_, err = code.CheckX509(text, "alice@example.com", bytes.ToUpper(payload), roots)
		require.ErrorContains(t, err, "something else")
	}
}
