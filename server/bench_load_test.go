package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// clients are how many connections ask at once, each again as soon as it is answered.
const clients = 16

// loadVar makes this binary the clients instead of the tests: "address token path". They are a
// process of their own, so that what they take is not counted as the server's.
const loadVar = "HEWD_BENCH_LOAD"

// volley is what the clients saw in one slice of time. Took are the microseconds of all requests.
type volley struct {
	Seconds float64
	Took    []int
}

// shoot is main of the clients: for every line on standard input, a number of milliseconds, they
// ask for so long and print a volley. The exit code is theirs.
func shoot(target string) int {
	where := strings.Fields(target)
	shooters := make([]*shooter, clients)
	for i := range shooters {
		conn, err := net.Dial("tcp", where[0])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nPrivate-Token: %s\r\n\r\n", where[2], where[0], where[1])
		shooters[i] = &shooter{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), request: []byte(request)}
	}
	out := json.NewEncoder(os.Stdout)
	for orders := bufio.NewScanner(os.Stdin); orders.Scan(); {
		ms, _ := strconv.Atoi(orders.Text())
		began := time.Now()
		end := began.Add(time.Duration(ms) * time.Millisecond)
		var all sync.WaitGroup
		for _, s := range shooters {
			all.Go(func() { s.until(end) })
		}
		all.Wait()
		v := volley{Seconds: time.Since(began).Seconds()}
		for _, s := range shooters {
			if s.err != nil {
				fmt.Fprintln(os.Stderr, s.err)
				return 1
			}
			v.Took = append(v.Took, s.took...)
		}
		if err := out.Encode(v); err != nil {
			return 1
		}
	}
	return 0
}

type shooter struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	took    []int
	err     error
}

func (s *shooter) until(end time.Time) {
	s.took = s.took[:0]
	for now := time.Now(); s.err == nil && now.Before(end); {
		s.err = s.once()
		next := time.Now()
		s.took = append(s.took, int(next.Sub(now).Microseconds()))
		now = next
	}
}

func (s *shooter) once() error {
	if _, err := s.conn.Write(s.request); err != nil {
		return err
	}
	reply, err := http.ReadResponse(s.in, nil)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", strings.Fields(string(s.request))[1], reply.Status)
	}
	_, err = io.Copy(io.Discard, reply.Body)
	return err
}

// load is clients that ask one server for one path, when told to.
type load struct {
	orders io.WriteCloser
	said   *json.Decoder
	sum    measured
}

// measured is the sum of volleys, with the CPU that was taken meanwhile.
type measured struct {
	volley
	server, postgres time.Duration
}

func (m measured) rps() float64 { return float64(len(m.Took)) / m.Seconds }

// quantile is in milliseconds.
func (m measured) quantile(q float64) float64 {
	slices.Sort(m.Took)
	return float64(m.Took[int(q*float64(len(m.Took)-1))]) / 1000
}

func (m measured) each(cpu time.Duration) float64 {
	return float64(cpu.Microseconds()) / float64(len(m.Took))
}

// aim starts the clients.
func aim(b *testing.B, addr, token, path string) *load {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), loadVar+"="+strings.Join([]string{addr, token, path}, " "))
	cmd.Stderr = os.Stderr
	orders, err := cmd.StdinPipe()
	require.NoError(b, err)
	said, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = orders.Close() // ends them
		require.NoError(b, cmd.Wait())
	})
	return &load{orders: orders, said: json.NewDecoder(said)}
}

// fire lets the clients ask for some time and adds what they saw.
func (l *load) fire(b *testing.B, s *servertest.Server, during time.Duration) {
	b.Helper()
	server, database := servertest.OwnCPU(b), s.PostgresCPU(b)
	fmt.Fprintln(l.orders, during.Milliseconds())
	var v volley
	require.NoError(b, l.said.Decode(&v))
	l.sum.server += servertest.OwnCPU(b) - server
	l.sum.postgres += s.PostgresCPU(b) - database
	l.sum.Seconds += v.Seconds
	l.sum.Took = append(l.sum.Took, v.Took...)
}

// sideBySide lets loads take turns, so that whatever else the machine does meanwhile is done to all
// of them.
func sideBySide(b *testing.B, s *servertest.Server, loads ...*load) {
	b.Helper()
	for _, l := range loads {
		l.fire(b, s, warm)
		l.sum = measured{}
	}
	const turns = 10
	for range turns {
		for _, l := range loads {
			l.fire(b, s, measure/turns)
		}
	}
}
