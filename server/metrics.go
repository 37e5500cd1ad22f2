package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hew/server/db"
	"hew/server/jobs"
)

// metrics holds what /-/metrics shows: the build, requests by route, jobs by kind, the connection
// pool, blobs, the Go runtime and the process.
type metrics struct {
	registry       *prometheus.Registry
	requests       *prometheus.CounterVec
	requestSeconds *prometheus.HistogramVec
	attempts       *prometheus.CounterVec
	attemptSeconds *prometheus.HistogramVec
}

func newMetrics(b Build) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hewd_requests_total", Help: "Requests answered, by route, method and status.",
		}, []string{"route", "method", "status"}),
		requestSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hewd_request_seconds", Help: "Duration of requests, by route and method.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hewd_job_attempts_total", Help: "Attempts at jobs that this process has ended, by kind and result.",
		}, []string{"kind", "result"}),
		attemptSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hewd_job_attempt_seconds", Help: "Duration of attempts at jobs, by kind.",
			Buckets: []float64{.005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}, []string{"kind"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hewd_build_info", Help: "Build of this hewd. The value is always 1.",
		ConstLabels: prometheus.Labels{"version": b.Version, "commit": b.Commit, "go": b.Go},
	})
	build.Set(1)
	m.registry.MustRegister(build, m.requests, m.requestSeconds, m.attempts, m.attemptSeconds,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observeRequest counts a request. It takes route patterns, never paths, and drops the method of a
// request without a route, which may be anything: the number of series stays small.
func (m *metrics) observeRequest(route, method string, status int, took time.Duration) {
	if route == "" {
		method = ""
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.requestSeconds.WithLabelValues(route, method).Observe(took.Seconds())
}

// observeJob counts an attempt at a job.
func (m *metrics) observeJob(kind string, result jobs.Result, took time.Duration) {
	m.attempts.WithLabelValues(kind, string(result)).Inc()
	m.attemptSeconds.WithLabelValues(kind).Observe(took.Seconds())
}

// watch adds the metrics that are read at the moment of a scrape, and the counters of each kind of
// job: rate() sees a first failure only if the counter was zero before.
func (m *metrics) watch(h *db.Store, pool *pgxpool.Pool, queue *jobs.Queue, kinds []jobs.Kind) {
	m.registry.MustRegister(collector{pool, queue}, blobCollector{h})
	for _, k := range kinds {
		for _, result := range []jobs.Result{jobs.Completed, jobs.Failed} {
			m.attempts.WithLabelValues(k.Name, string(result))
		}
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

var (
	connections = prometheus.NewDesc("hewd_database_connections",
		"Connections of the pool, by state.", []string{"state"}, nil)
	waits = prometheus.NewDesc("hewd_database_waits_total",
		"Requests that had to wait for a connection.", nil, nil)
	queued = prometheus.NewDesc("hewd_jobs",
		"Jobs in the database, by state.", []string{"state"}, nil)
)

// collector reads the pool and the queue when Prometheus scrapes.
type collector struct {
	pool  *pgxpool.Pool
	queue *jobs.Queue
}

// Describe implements prometheus.Collector.
func (c collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{connections, waits, queued} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. If the database does not answer within two seconds, the
// numbers of jobs are missing and all others are there.
func (c collector) Collect(ch chan<- prometheus.Metric) {
	stat := c.pool.Stat()
	byState := map[string]int32{"idle": stat.IdleConns(), "busy": stat.AcquiredConns(), "max": stat.MaxConns()}
	for state, n := range byState {
		ch <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(n), state)
	}
	ch <- prometheus.MustNewConstMetric(waits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := c.queue.Counts(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(queued, err)
		return
	}
	for state, n := range counts {
		ch <- prometheus.MustNewConstMetric(queued, prometheus.GaugeValue, float64(n), state)
	}
}
