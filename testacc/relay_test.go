package testacc

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// relay stands between hew and a database, and kills hew over a transaction: as it is about to be
// committed, or when it is and the answer on its way.
type relay struct {
	url, target string

	mu   sync.Mutex
	kill *kill
}

// newRelay leads to a database until the test ends.
func newRelay(t *testing.T, url string) *relay {
	rest, ok := strings.CutPrefix(url, "host=")
	require.True(t, ok, url)
	sockets, rest, _ := strings.Cut(rest, " ")
	dir, err := os.MkdirTemp("", "relay") // for the names of sockets are short
	require.NoError(t, err)
	const socket = ".s.PGSQL.5432"
	r := &relay{url: "host=" + dir + " " + rest, target: filepath.Join(sockets, socket)}
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	require.NoError(t, err)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { r.join(from) })
		}
	})
	t.Cleanup(func() {
		require.NoError(t, errors.Join(l.Close(), os.RemoveAll(dir)))
		all.Wait()
	})
	return r
}

func (r *relay) reset(k *kill) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kill = k
}

// join joins a connection with one to the database, until either ends.
func (r *relay) join(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("unix", r.target)
	if err != nil {
		return
	}
	defer to.Close()
	dies := make(chan struct{}) // with the next answer
	var die sync.Once
	var both sync.WaitGroup
	both.Go(func() {
		defer to.Close()
		pass(to, from, func(asked []byte) bool {
			k := r.struck(asked)
			if k == nil {
				return true
			}
			if k.after {
				die.Do(func() { close(dies) })
				return true
			}
			k.signal()
			return false
		})
	})
	both.Go(func() {
		defer from.Close()
		pass(from, to, func([]byte) bool {
			select {
			case <-dies:
				r.mu.Lock()
				defer r.mu.Unlock()
				if r.kill != nil {
					r.kill.signal()
				}
				return false
			default:
				return true
			}
		})
	})
	both.Wait()
}

// struck tells whether hew is killed over what it asks.
func (r *relay) struck(asked []byte) *kill {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kill == nil || !bytes.Contains(asked, []byte("commit")) {
		return nil
	}
	if r.kill.n--; r.kill.n == 0 {
		return r.kill
	}
	return nil
}

// pass hands on what comes, as long as it may.
func pass(to io.Writer, from io.Reader, may func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !may(buffer[:n]) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
