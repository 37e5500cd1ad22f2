package servertest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-ldap/ldap/v3"

	"hew/server/directory"
)

// The suffix of the tree of LDAP, the user who may write to it, and that user's password.
const (
	LDAPBase     = "dc=acme,dc=example"
	LDAPAdmin    = "cn=admin," + LDAPBase
	LDAPPassword = "the-password-of-the-directory"
)

// slapdConfig serves one empty tree over ldap and ldaps.
const slapdConfig = `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile %[1]s/pid
TLSCertificateFile %[1]s/cert.pem
TLSCertificateKeyFile %[1]s/key.pem
database mdb
suffix ` + LDAPBase + `
rootdn ` + LDAPAdmin + `
rootpw ` + LDAPPassword + `
directory %[1]s/db
access to * by users read by anonymous auth
`

// LDAP starts a directory server that ends with the test, and returns its configuration over ldap
// and its address over ldaps. It skips the test if slapd is not installed.
func LDAP(t testing.TB) (c directory.Config, tls string) {
	t.Helper()
	slapd := "/usr/sbin/slapd"
	if _, err := os.Stat(slapd); err != nil {
		t.Skip("no slapd on this machine: apt-get install slapd")
	}
	dir := t.TempDir()
	certificate(t, dir)
	config := filepath.Join(dir, "slapd.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, slapdConfig, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "db"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 3 { // a port may be taken between its choice and its use
		plain, secure := freeAddress(t), freeAddress(t)
		if listens(t, plain, slapd, "-f", config, "-d", "0", "-h", "ldap://"+plain+"/ ldaps://"+secure+"/") {
			return directory.Config{
				URL: "ldap://" + plain, BindDN: LDAPAdmin, Password: LDAPPassword, Base: LDAPBase,
				CAFile: filepath.Join(dir, "cert.pem"),
			}, "ldaps://" + secure
		}
	}
	t.Fatal("slapd does not start")
	return c, ""
}

// AddEntries adds entries to a directory, one per line: DN | attribute=value attribute=value.
func AddEntries(t testing.TB, c directory.Config, tree string) {
	t.Helper()
	change(t, c, func(conn *ldap.Conn) {
		for line := range strings.Lines(strings.TrimSpace(tree)) {
			dn, attributes, _ := strings.Cut(strings.TrimSpace(line), " | ")
			values := map[string][]string{}
			for attribute := range strings.FieldsSeq(attributes) {
				name, value, _ := strings.Cut(attribute, "=")
				values[name] = append(values[name], value)
			}
			add := ldap.NewAddRequest(dn, nil)
			for name, several := range values {
				add.Attribute(name, several)
			}
			if err := conn.Add(add); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	})
}

// RemoveEntries removes entries from a directory.
func RemoveEntries(t testing.TB, c directory.Config, dns ...string) {
	t.Helper()
	change(t, c, func(conn *ldap.Conn) {
		for _, dn := range dns {
			if err := conn.Del(ldap.NewDelRequest(dn, nil)); err != nil {
				t.Fatalf("%s: %v", dn, err)
			}
		}
	})
}

func change(t testing.TB, c directory.Config, do func(*ldap.Conn)) {
	t.Helper()
	conn, err := ldap.DialURL(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Bind(c.BindDN, c.Password); err != nil {
		t.Fatal(err)
	}
	do(conn)
}

// listens starts a program that ends with the test, and reports whether it can be reached.
func listens(t testing.TB, address, program string, args ...string) bool {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.SysProcAttr = endWithParent() // also if the test is killed
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // a signal ends it, as a rule
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			return conn.Close() == nil
		}
		select {
		case <-again.C:
		case <-ended:
			t.Logf("%s: %s", program, said.String())
			return false
		}
	}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
