package deadline_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/deadline"
)

// deadlines records the deadlines of a connection.
type deadlines struct {
	http.ResponseWriter
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error { d.read = t; return nil }

func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// A client has some minutes for each step, but none of them is after the end of the request.
func TestTransferEnds(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]time.Duration{"much": 3 * time.Hour, "little": time.Minute} {
		d := &deadlines{ResponseWriter: httptest.NewRecorder()}
		ctx, cancel := context.WithTimeout(t.Context(), left)
		defer cancel()
		end, _ := ctx.Deadline()
		body, w := deadline.NewReader(ctx, d, strings.NewReader("x")), deadline.NewWriter(ctx, d)
		_, err := io.ReadAll(body)
		require.NoError(t, err)
		w.WriteHeader(200)
		require.False(t, d.write.IsZero(), "an answer without a body has a deadline, too")
		_, err = w.Write([]byte("x"))
		require.NoError(t, err)
		if name == "little" {
			require.Equal(t, []time.Time{end, end}, []time.Time{d.read, d.write})
			continue
		}
		for _, at := range []time.Time{d.read, d.write} {
			require.WithinRange(t, at, time.Now(), time.Now().Add(10*time.Minute))
		}
	}
}
