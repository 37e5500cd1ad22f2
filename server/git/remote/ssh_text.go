package remote

import (
	"errors"
	"io"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"

	"hew/server/git/pkt"
)

// message is the beginning of what a command on another host says of itself.
type message struct {
	mu   sync.Mutex
	text []byte
}

const maxSaid = 1 << 10

// Write implements io.Writer.
func (t *message) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[:min(len(p), maxSaid-len(t.text))]...)
	return len(p), nil
}

func (t *message) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// sshReader reads what a command writes. A command that fails is an error with what it said.
type sshReader struct {
	io.Reader
	ended func() error // how, once nothing more comes
}

func newSSHReader(from io.Reader, in *ssh.Session, said *message) sshReader {
	return sshReader{from, sync.OnceValue(func() error {
		var exit *ssh.ExitError
		failed := errors.As(in.Wait(), &exit) // which waits for all that it says
		if text := said.String(); failed && text != "" {
			return pkt.RemoteError(text)
		}
		return io.EOF
	})}
}

// Read implements io.Reader.
func (s sshReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if n > 0 || err != io.EOF {
		return n, err
	}
	return 0, s.ended()
}
