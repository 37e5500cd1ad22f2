package gittest

import (
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
)

// SSH serves the repositories of a directory by SSH, with git's own program.
type SSH struct {
	Address string // host:port

	dir string
	mu  sync.Mutex
	key ssh.Signer
	ok  string // the public key that is admitted, as bytes
}

// ServeSSH starts a server that admits nobody yet.
func ServeSSH(t testing.TB, dir string) *SSH {
	s := &SSH{dir: dir}
	s.ChangeKey(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.Address = listener.Addr().String()
	var open sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { s.serve(conn) })
		}
	})
	return s
}

// ChangeKey gives the host another key, and returns its fingerprint.
func (s *SSH) ChangeKey(t testing.TB) string {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, err := ssh.NewSignerFromKey(private)
	require.NoError(t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	return ssh.FingerprintSHA256(key.PublicKey())
}

// Admit admits who has the private key of a public one, a line.
func (s *SSH) Admit(t testing.TB, line string) {
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
	require.NoError(t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ok = string(key.Marshal())
}

func (s *SSH) serve(conn net.Conn) {
	defer conn.Close()
	s.mu.Lock()
	config := &ssh.ServerConfig{}
	config.RekeyThreshold = 1 << 10 // so that the host shows its key again and again
	config.PublicKeyCallback = func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if string(key.Marshal()) != s.ok {
			return nil, os.ErrPermission
		}
		return nil, nil
	}
	config.AddHostKey(s.key)
	s.mu.Unlock()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		go s.session(channel, requests)
	}
}

// session runs the one command that a client asks for.
func (s *SSH) session(channel ssh.Channel, requests <-chan *ssh.Request) {
	defer channel.Close()
	for r := range requests {
		var asked struct{ Command string }
		if r.Type != "exec" || ssh.Unmarshal(r.Payload, &asked) != nil {
			_ = r.Reply(false, nil)
			continue
		}
		_ = r.Reply(true, nil)
		service, path, _ := strings.Cut(asked.Command, " ")
		path = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path, "'"), "'"), `'\''`, "'")
		cmd := exec.Command("git", strings.TrimPrefix(service, "git-"), filepath.Join(s.dir, path))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1"}
		cmd.Stdout, cmd.Stderr = channel, channel.Stderr()
		if in, err := cmd.StdinPipe(); err == nil {
			go func() {
				_, _ = io.Copy(in, channel)
				_ = in.Close()
			}()
		}
		var status struct{ Status uint32 }
		if cmd.Run() != nil {
			status.Status = 1
		}
		_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(status))
		return
	}
}
