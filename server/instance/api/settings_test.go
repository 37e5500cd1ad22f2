package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/instance"
	"hew/server/servertest"
)

// settingsOf reads all settings as an administrator.
func settingsOf(t *testing.T, s *servertest.Server) map[string]any {
	t.Helper()
	var all map[string]any
	r := s.Do(t, s.RootToken, "GET", "/application/settings", nil)
	require.Equal(t, http.StatusOK, r.Status)
	r.Into(t, &all)
	return all
}

// normalOf returns the normal form of a setting that was read. A number that is shown as a text has
// a decimal place.
func normalOf(t *testing.T, c catalogue.Setting, value any) any {
	t.Helper()
	if c.Key == "polling_interval_multiplier" {
		require.Regexp(t, `^\d+\.\d+$`, value)
		n, err := strconv.ParseFloat(value.(string), 64)
		require.NoError(t, err)
		value = n
	}
	value, err := c.Normal(value)
	require.NoError(t, err)
	return value
}

// Every key that is to be read is read, with its default; and what was read can be put back as it
// is, and changes nothing.
func TestSettingsRoundTrip(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	first := settingsOf(t, s)
	for _, c := range catalogue.Settings() {
		value, shown := first[c.Key]
		require.Equal(t, c.Returned, shown, c.Key)
		if shown && c.Key != "created_at" && c.Key != "updated_at" {
			require.Equal(t, c.Default, normalOf(t, c, value), c.Key)
		}
	}
	r := s.Do(t, s.RootToken, "PUT", "/application/settings", first)
	require.Equal(t, http.StatusOK, r.Status, "%s", r.Body)
	second := settingsOf(t, s)
	delete(first, "updated_at")
	delete(second, "updated_at")
	require.Equal(t, first, second)
	kept, err := instance.ReadAllSettings(t.Context(), s.Store)
	require.NoError(t, err)
	for key := range kept.Changed {
		c, _ := catalogue.SettingByKey(key)
		require.NotEmpty(t, c.Given, "%s: what is the default is not kept", key)
	}
}

// Every key that can be written is: it takes a value that is not its default, alone or beside what
// it takes, and gives it back, and null makes it the default again.
func TestEverySettingIsKept(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	for _, c := range catalogue.Settings() {
		value, ok := other(c)
		if !c.Writable || slices.Contains(single, c.Key) {
			continue
		}
		require.True(t, ok, "%s is tried with no value: add one to candidates", c.Key)
		stated := with(c, value)
		r := s.Do(t, s.RootToken, "PUT", "/application/settings", stated)
		require.Equal(t, http.StatusOK, r.Status, "%s = %v: %s", c.Key, value, r.Body)
		if c.Returned && !c.Secret {
			var all map[string]any
			r.Into(t, &all)
			got := normalOf(t, c, all[c.Key])
			want, err := c.Normal(value)
			require.NoError(t, err)
			if c.Key == "asset_proxy_allowlist" || c.Alias == "asset_proxy_allowlist" {
				got = slices.DeleteFunc(got.([]any), func(host any) bool { return host == "127.0.0.1" }) // its own
			}
			require.Equal(t, want, got, c.Key)
		}
		for key := range stated {
			stated[key] = nil
		}
		r = s.Do(t, s.RootToken, "PUT", "/application/settings", stated)
		require.Equal(t, http.StatusOK, r.Status, "%s: %s", c.Key, r.Body)
	}
	kept, err := instance.ReadAllSettings(t.Context(), s.Store)
	require.NoError(t, err)
	require.Empty(t, kept.Changed)
	require.Empty(t, kept.Sealed)
}

// single are the settings that have one value alone here: there is one storage, and no group.
var single = []string{
	"hashed_storage_enabled", "performance_bar_allowed_group_id", "performance_bar_allowed_group_path",
}

// other is a value of a setting that is not its default, if there is one that all rules let pass.
func other(c catalogue.Setting) (any, bool) {
	switch c.Key {
	case "gitaly_timeout_fast":
		return 20, true
	case "gitaly_timeout_medium", "housekeeping_incremental_repack_period":
		return 50, true
	case "gitaly_timeout_default":
		return 56, true
	case "housekeeping_full_repack_period":
		return 60, true
	case "housekeeping_gc_period":
		return 300, true
	case "default_branch_protection_defaults":
		return map[string]any{
			"allowed_to_push": []any{}, "allowed_to_merge": []any{}, "allow_force_push": true,
			"code_owner_approval_required": false, "developer_can_initial_push": true,
		}, true
	}
	candidates := map[catalogue.Type][]any{
		catalogue.Boolean: {true, false},
		catalogue.Integer: {int64(1), int64(11), int64(1500), int64(60000), int64(300000)},
		catalogue.Number:  {1.5, 2.5},
		catalogue.Text: {
			"https://example.com", "a@b", "x", "7 days", "10.0.0.1", "grpc://x", "123456789012", "de",
		},
		catalogue.Time:         {"2027-01-31T00:00:00Z"},
		catalogue.Visibility:   {"internal"},
		catalogue.Texts:        {[]any{"x"}, []any{}, []any{"https://example.com"}},
		catalogue.Integers:     {[]any{int64(7)}},
		catalogue.Visibilities: {[]any{"public"}},
		catalogue.Switches: {
			map[string]any{"bpmn": true, "blockdiag": false, "excalidraw": false, "mermaid": false},
		},
		catalogue.Weights: {map[string]any{"default": int64(7)}},
	}[c.Type]
	for _, v := range c.Enum {
		switch c.Type {
		case catalogue.Text:
			candidates = append([]any{v}, candidates...)
		case catalogue.Integer:
			candidates = append([]any{json.Number(v)}, candidates...)
		case catalogue.Texts:
			candidates = append([]any{[]any{v}}, candidates...)
		}
	}
	i := slices.IndexFunc(candidates, func(v any) bool {
		n, err := c.Normal(v)
		return err == nil && c.Check(v) == nil && fmt.Sprint(n) != fmt.Sprint(c.Default)
	})
	if i < 0 {
		return nil, false
	}
	return candidates[i], true
}

// with returns a setting and, for a switch, the settings that it requires.
func with(switched catalogue.Setting, value any) map[string]any {
	all := map[string]any{switched.Key: value}
	if value == false {
		return all
	}
	for _, c := range catalogue.Settings() {
		if c.Given != switched.Key && c.Present != switched.Key {
			continue
		}
		if v, ok := other(c); ok {
			all[c.Key] = v
		}
	}
	return all
}

// A request without parameters is answered with the names of all of them.
func TestSettingsNeedOne(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, body := range []any{nil, map[string]any{"nobody_knows": 1}} {
		r := s.Do(t, s.RootToken, "PUT", "/application/settings", body)
		require.Equal(t, http.StatusBadRequest, r.Status)
		text := string(r.Body)
		require.True(t, strings.HasPrefix(text, `{"error":"abuse_notification_email, admin_mode, `), text[:60])
		require.True(t, strings.HasSuffix(
			text, `, wiki_page_max_content_bytes are missing, at least one parameter must be provided"}`,
		))
	}
}

// Concurrent changes of different settings do not undo each other.
func TestSettingsRace(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	changes := map[string]any{"max_yaml_depth": 7, "notes_create_limit": 7, "issues_create_limit": 7,
		"search_rate_limit": 7, "help_text": "7"}
	var wait sync.WaitGroup
	for key, value := range changes {
		wait.Go(func() {
			if r := s.Do(t, s.RootToken, "PUT", "/application/settings",
				map[string]any{key: value}); r.Status != http.StatusOK {
				t.Errorf("%s: %s", key, r.Body)
			}
		})
	}
	wait.Wait()
	all := settingsOf(t, s)
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		require.Equal(t, fmt.Sprint(changes[key]), fmt.Sprint(all[key]), key)
	}
}
