package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/part"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/transfer/archive"
	"hew/server/view"
)

// notInArchives are the relations that no specimen has, or that this server does not keep.
var notInArchives = []string{
	"service_desk_setting", "error_tracking_setting", "custom_attributes", "project_badges", "protected_environments",
	"boards", "snippets",
}

// The archives of projects with everything that hewd keeps have documents of the layout, with every
// field that it knows and no other.
func TestArchiveOfEverything(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	furnish(t, s, s.User(t, "owner").ID)
	s.Drain(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "project_export_limit", 0))
	require.NoError(t, setting.Set(t.Context(), s.Store, "project_download_export_limit", 0))
	count := map[string]int{}
	for _, p := range server.Parts(part.Host{Site: &view.Site{}}) {
		if p.Specimen != nil {
			readArchive(t, export(t, s, "/projects/"+p.Name+"%2Fplay"), count)
		}
	}
	for _, relation := range archive.Relations {
		if !slices.Contains(notInArchives, relation.Name) {
			require.NotZero(t, count[relation.Name], "%s has no document", relation.Name)
		}
	}
}

// export returns the archive of a project.
func export(t *testing.T, s *servertest.Server, project string) []byte {
	t.Helper()
	r := s.Do(t, s.RootToken, "POST", project+"/export", nil)
	require.Equal(t, 202, r.Status, "%s", r.Body)
	s.Drain(t)
	r = s.Do(t, s.RootToken, "GET", project+"/export/download", nil)
	require.Equal(t, 200, r.Status, "%s", r.Body)
	return r.Body
}

// unzip returns what a gzip stream holds.
func unzip(t *testing.T, data []byte) string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	return string(text)
}

// readArchive reads all documents of an archive, and counts them by relation.
func readArchive(t *testing.T, data []byte, count map[string]int) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, archive.Unpack(t.Context(), bytes.NewReader(data), dir, archive.Limits{}))
	a, err := archive.Open(dir)
	require.NoError(t, err)
	_, err = a.Project()
	require.NoError(t, err)
	_, unknown, err := a.Found()
	require.NoError(t, err)
	require.Empty(t, unknown)
	for _, relation := range archive.Relations {
		for line, err := range a.Lines(relation.Name) {
			require.NoError(t, err)
			count[relation.Name]++
			strict := json.NewDecoder(bytes.NewReader(line.Data))
			strict.DisallowUnknownFields()
			document := relation.New()
			require.NoError(t, strict.Decode(document), "%s: %s", relation.Name, line.Data)
			requireKeys(t, relation.Name, document, line.Data)
		}
	}
}

// requireKeys fails unless a document has all fields that are always there, at every depth.
func requireKeys(t *testing.T, name string, document any, text []byte) {
	t.Helper()
	all, err := json.Marshal(document)
	require.NoError(t, err)
	var want, got any
	require.NoError(t, json.Unmarshal(all, &want))
	require.NoError(t, json.Unmarshal(text, &got))
	require.Empty(t, missing(want, got, name), "%s", text)
}

func missing(want, got any, at string) (list []string) {
	switch want := want.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, ok := have[key]
			if !ok {
				list = append(list, at+"."+key)
				continue
			}
			list = append(list, missing(want[key], value, at+"."+key)...)
		}
	case []any:
		have, _ := got.([]any)
		for i := range min(len(want), len(have)) {
			list = append(list, missing(want[i], have[i], strings.TrimSuffix(at, "[]")+"[]")...)
		}
	}
	return slices.Compact(list)
}
