package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hew/server/blob"
	"hew/server/db"
)

var (
	blobBytes = prometheus.NewDesc("hewd_blob_bytes_total",
		"Bytes of blobs that this process has stored (in) and read (out).", []string{"direction"}, nil)
	blobs = prometheus.NewDesc("hewd_blobs",
		"Blobs, by backend.", []string{"backend"}, nil)
	blobStored = prometheus.NewDesc("hewd_blob_stored_bytes",
		"Bytes of blobs, by backend.", []string{"backend"}, nil)
)

// blobCollector reads what is known of blobs when Prometheus scrapes.
type blobCollector struct{ h *db.Store }

// Describe implements prometheus.Collector.
func (c blobCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{blobBytes, blobs, blobStored} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. If the database does not answer within two seconds, what
// it has stored is missing.
func (c blobCollector) Collect(ch chan<- prometheus.Metric) {
	stats := blob.StatsOf(c.h)
	ch <- prometheus.MustNewConstMetric(blobBytes, prometheus.CounterValue, float64(stats.In.Load()), "in")
	ch <- prometheus.MustNewConstMetric(blobBytes, prometheus.CounterValue, float64(stats.Out.Load()), "out")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	stored, err := blob.CountStored(ctx, c.h)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(blobs, err)
		return
	}
	for _, s := range stored {
		ch <- prometheus.MustNewConstMetric(blobs, prometheus.GaugeValue, float64(s.Blobs), s.Backend)
		ch <- prometheus.MustNewConstMetric(blobStored, prometheus.GaugeValue, float64(s.Bytes), s.Backend)
	}
}
