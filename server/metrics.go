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

	"hew/server/jobs"
)

// metrics are what /-/metrics shows: requests by route, the pool, the jobs, the process.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hewd_requests_total", Help: "Requests answered, by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hewd_request_seconds", Help: "How long requests took, by route and method.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observe takes route patterns, never paths, and no method that a client made up, so that the series stay few.
func (m *metrics) observe(route, method string, status int, took time.Duration) {
	if route == "" {
		method = ""
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route, method).Observe(took.Seconds())
}

// watch adds what is asked for at the moment of a scrape.
func (m *metrics) watch(pool *pgxpool.Pool, queue *jobs.Queue) {
	m.registry.MustRegister(gauges{pool, queue})
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

var (
	connections = prometheus.NewDesc("hewd_database_connections", "Connections of the pool, by state.", []string{"state"}, nil)
	waits       = prometheus.NewDesc("hewd_database_waits_total", "How often a request had to wait for a connection.", nil, nil)
	queued      = prometheus.NewDesc("hewd_jobs", "Jobs, by state.", []string{"state"}, nil)
)

// gauges reads pool and queue when it is collected.
type gauges struct {
	pool  *pgxpool.Pool
	queue *jobs.Queue
}

// Describe implements prometheus.Collector.
func (g gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{connections, waits, queued} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. Without a database there are no numbers about jobs, but all others.
func (g gauges) Collect(ch chan<- prometheus.Metric) {
	stat := g.pool.Stat()
	for state, n := range map[string]int32{"idle": stat.IdleConns(), "busy": stat.AcquiredConns(), "max": stat.MaxConns()} {
		ch <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(n), state)
	}
	ch <- prometheus.MustNewConstMetric(waits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := g.queue.Counts(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(queued, err)
		return
	}
	for state, n := range counts {
		ch <- prometheus.MustNewConstMetric(queued, prometheus.GaugeValue, float64(n), state)
	}
}
