package send_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/integration/send"
	"hew/server/outbound"
	"hew/server/servertest"
)

// receiver is a service on this machine that all names lead to. It records what it gets.
type receiver struct {
	outbound.Guard
	answers map[string]string // bodies of answers by the end of a path

	mu  sync.Mutex
	got strings.Builder
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{answers: map[string]string{}}
	certificate, roots := authority(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	r.Roots = roots
	r.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
	}
	r.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	return r
}

// recordedHeaders are those that requests are told apart by.
var recordedHeaders = []string{
	"Authorization", "Content-Type", "Dd-Api-Key", "X-Gitlab-Event", "X-Gitlab-Token", "X-Trackertoken",
}

func (r *receiver) serve(w http.ResponseWriter, in *http.Request) {
	body, _ := io.ReadAll(in.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.got, "%s https://%s%s\n", in.Method, in.Host, in.URL)
	for _, name := range recordedHeaders {
		if value := in.Header.Get(name); value != "" {
			fmt.Fprintf(&r.got, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&r.got, "\n%s\n\n", pretty(body))
	for end, answer := range r.answers {
		if strings.HasSuffix(in.URL.Path, end) && in.Method == http.MethodGet {
			io.WriteString(w, answer)
		}
	}
}

// call sends requests to the receiver, and records lines and mails itself.
func (r *receiver) call(ctx context.Context, q send.Request) (outbound.Answer, error) {
	switch {
	case q.Mail != nil:
		fmt.Fprintf(&r.got, "MAIL %s\nSubject: %s\n\n%s\n", strings.Join(q.Mail.To, " "), q.Mail.Subject, q.Mail.Text)
		return outbound.Answer{}, nil
	case q.TCP != "":
		fmt.Fprintf(&r.got, "TCP %s\n\n%s\n", q.TCP, q.Body)
		return outbound.Answer{}, nil
	}
	answer, err := r.Send(ctx, outbound.Options{Insecure: q.Insecure}, q.Request)
	if err == nil && answer.Status >= 300 {
		err = errors.New(http.StatusText(answer.Status))
	}
	return answer, err
}

// take returns what was recorded since the last call.
func (r *receiver) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.got.Reset()
	return r.got.String()
}

// authority returns a certificate for the names that services have, and what verifies it.
func authority(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	list := bufio.NewScanner(strings.NewReader(hosts))
	for list.Scan() {
		template.DNSNames = append(template.DNSNames, strings.Fields(list.Text())...)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// hosts are the services that have an address of their own.
const hosts = `api.telegram.org api.pushover.net app.asana.com www.pivotaltracker.com acme.campfirenow.com
webhook.buildkite.com packagist.org webhook-intake.datadoghq.eu atlas.assembla.com api.github.com matrix.org
service.example.com other.example.com`

func TestMain(m *testing.M) { servertest.Main(m) }
