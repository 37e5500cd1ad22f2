package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestConfigRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"no URL": {Config{}, "set HEW_URL"},
		"no scheme": {Config{BaseURL: "git.example.com", URLFrom: "HEW_URL"},
			`HEW_URL: "git.example.com" has no scheme; start it with https://`},
		"port only":    {Config{BaseURL: "localhost:8080"}, "has no scheme"},
		"other scheme": {Config{BaseURL: "ssh://git@h"}, "ssh:// is not supported"},
		"no host":      {Config{BaseURL: "https:///x"}, "is not a URL"},
		"query":        {Config{BaseURL: "https://h/?private_token=x"}, "must not have a query or fragment"},
		"bad password": {Config{BaseURL: "https://u:hunter2/x@h", URLFrom: "HEW_URL"},
			"HEW_URL: the URL is not a URL"},
		"pasted token": {Config{BaseURL: "https://h", Token: "hunter2 # mine", TokenFrom: "GITLAB_TOKEN"},
			"GITLAB_TOKEN contains a space"},
		"half a pair":   {Config{BaseURL: "https://h", CertFile: "x"}, "both HEW_CLIENT_CERT and HEW_CLIENT_KEY"},
		"absent CA":     {Config{BaseURL: "https://h", CAFile: "/absent.pem"}, "HEW_CA_FILE: open /absent.pem"},
		"CA of no kind": {Config{BaseURL: "https://h", CAFile: os.DevNull}, "holds no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(test.config)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestURLIsOneName(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://Git.Example.com:443/": "https://git.example.com",
		"http://h:80/api/v4":           "http://h",
		"http://h:8080/a//b/":          "http://h:8080/a/b",
		"https://joe:pw@h":             "https://h",
		" https://h\n":                 "https://h",
	} {
		require.Equal(t, want, open(t, Config{BaseURL: raw}).URL())
	}
}

func TestFromEnv(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env  map[string]string
		want Config
	}{
		{nil, Config{}},
		{map[string]string{"HEW_URL": "https://a", "GITLAB_BASE_URL": "https://b", "HEW_TOKEN": "t"},
			Config{BaseURL: "https://a", URLFrom: "HEW_URL", Token: "t", TokenFrom: "HEW_TOKEN"}},
		{map[string]string{"HEW_URL": " ", "GITLAB_BASE_URL": "https://b", "GITLAB_TOKEN": "t\n"},
			Config{BaseURL: "https://b", URLFrom: "GITLAB_BASE_URL", Token: "t", TokenFrom: "GITLAB_TOKEN"}},
		{map[string]string{"CI_API_V4_URL": "https://c/api/v4", "HEW_CA_FILE": "ca", "HEW_CLIENT_CERT": "c",
			"HEW_CLIENT_KEY": "k"},
			Config{BaseURL: "https://c/api/v4", URLFrom: "CI_API_V4_URL", CAFile: "ca", CertFile: "c", KeyFile: "k"}},
	} {
		require.Equal(t, test.want, FromEnv(func(name string) (string, bool) { v, ok := test.env[name]; return v, ok }))
	}
}

func TestOwnAuthorityAndClientCertificate(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply(w, 200, `"`+r.TLS.PeerCertificates[0].Subject.CommonName+`"`)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // the first client hangs up on it
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return file
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ci"},
		NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)

	config := Config{BaseURL: s.URL, CertFile: write("cert.pem", "CERTIFICATE", cert),
		KeyFile: write("key.pem", "PRIVATE KEY", der)}
	_, err = open(t, config).Get(t.Context(), To("user"), nil, nil)
	require.ErrorContains(t, err,
		"certificate signed by unknown authority; if the certificate authority is your own, set HEW_CA_FILE")

	config.CAFile = write("ca.pem", "CERTIFICATE", s.Certificate().Raw)
	var name string
	_, err = open(t, config).Get(t.Context(), To("user"), nil, &name)
	require.NoError(t, err)
	require.Equal(t, "ci", name)
}
