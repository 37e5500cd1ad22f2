// Package status says what becomes of the jobs of a pipeline: which ones start, wait or are skipped
// when others end, and what state that gives a stage and the pipeline (gaps §10.3, CI facts §2.2).
// It is pure: jobs come in as values, decisions go out.
package status
