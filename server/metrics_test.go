package server_test

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/blob"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/servertest"
)

// series are the values of an exposition: a counter or gauge by name{label="value",…}, a histogram
// by the number of its observations.
func series(t *testing.T, exposition []byte) map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(exposition))
	require.NoError(t, err)
	values := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+`="`+l.GetValue()+`"`)
			}
			value := m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
			values[name+"{"+strings.Join(labels, ",")+"}"] = value
		}
	}
	return values
}

// TestMetrics reads the exposition as Prometheus does, and holds every name to its conventions.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := servertest.FreshWith(t, server.Config{Build: server.Build{Version: "v1.2.3", Commit: "0123abc"}})
	s.Do(t, s.RootToken, http.MethodGet, "/version", nil)
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, group.SweepJob{}))
	s.Drain(t)
	ref, err := blob.Put(t.Context(), s.Store, strings.NewReader("content"), blob.NoLimit)
	require.NoError(t, err)
	r, err := blob.Open(t.Context(), s.Store, ref, 3)
	require.NoError(t, err)
	_, err = io.ReadAll(r)
	require.NoError(t, err)

	exposition := get(t, s.Server.URL()+"/-/metrics").Body
	values := series(t, exposition)
	require.EqualValues(t, 1, values[`hewd_build_info{commit="0123abc",go="`+runtime.Version()+`",version="v1.2.3"}`])
	require.EqualValues(t, 1, values[`hewd_requests_total{method="GET",route="/api/v4/version",status="200"}`])
	require.EqualValues(t, 1, values[`hewd_request_seconds{method="GET",route="/api/v4/version"}`])
	sweeps := values[`hewd_job_attempts_total{kind="sweep_groups",result="completed"}`]
	require.Positive(t, sweeps)
	require.Equal(t, sweeps, values[`hewd_job_attempt_seconds{kind="sweep_groups"}`])
	failed, shown := values[`hewd_job_attempts_total{kind="deliver_hook",result="failed"}`]
	require.True(t, shown, "a kind that did not run yet counts zero")
	require.Zero(t, failed)
	require.EqualValues(t, s.Store.DB().(*pgxpool.Pool).Config().MaxConns,
		values[`hewd_database_connections{state="max"}`])
	require.Contains(t, values, `hewd_jobs{state="discarded"}`)
	require.EqualValues(t, 7, values[`hewd_blob_bytes_total{direction="in"}`])
	require.EqualValues(t, 4, values[`hewd_blob_bytes_total{direction="out"}`])
	require.EqualValues(t, 1, values[`hewd_blobs{backend="postgres"}`])
	require.EqualValues(t, 7, values[`hewd_blob_stored_bytes{backend="postgres"}`])

	problems, err := promlint.New(bytes.NewReader(exposition)).Lint()
	require.NoError(t, err)
	require.Empty(t, problems)
}
