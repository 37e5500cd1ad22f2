package catalogue_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

// told is what is wrong with the settings of a JSON object, one problem a line.
func told(t *testing.T, settings string) string {
	var stated map[string]any
	require.NoError(t, json.Unmarshal([]byte(settings), &stated))
	var lines []string
	for _, p := range catalogue.CheckSettings(stated) {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

func TestRulesOfOneValue(t *testing.T) {
	t.Parallel()
	for key, c := range map[string]struct {
		good  []any
		wrong map[string][]any
	}{
		"home_page_url": {[]any{"", "https://example.com/x", "http://localhost:3000"},
			map[string][]any{
				"must be a valid URL": {"example.com", "ftp://example.com", "https://", "http://a b", "javascript:x"},
			}},
		"abuse_notification_email": {[]any{"", "a@b"}, map[string][]any{"is invalid": {"a", "@b", "a b@c"}}},
		"commit_email_hostname": {[]any{"users.example.com"},
			map[string][]any{"is not the name of a host": {"a@example.com", "a b", "https://a", "a/b", ".", "a..b"}}},
		"default_projects_limit": {[]any{0, 2147483647},
			map[string][]any{"must be less than or equal to 2147483647": {2147483648,
				json.Number("9223372036854775807")}, "must be greater than or equal to 0": {-1}}},
		"repository_size_limit": {
			[]any{50 << 30, 1<<53 - 1}, map[string][]any{"must be less than or equal to 9007199254740991": {1 << 53}},
		},
		"default_branch_name": {[]any{"", "main", "release/1.0"},
			map[string][]any{"is not a name that git takes for a branch": {
				"a..b", "a b", "/a", "a.lock", "-a", "HEAD", strings.Repeat("a", 256),
			}}},
		"outbound_local_requests_whitelist": {
			[]any{[]string{"example.com", "example.com:8080", "localhost", "a_b.internal.", "10.0.0.1", "10.0.0.1:80",
				"10.0.0.0/8", "10.0.0.0/8:443", "::1", "fc00::/7", "[::1]:8080", "[::1]", "bücher.example"}},
			nil},
		"outbound_local_requests_allowlist_raw": {[]any{"", "a.example\n10.0.0.0/8"},
			map[string][]any{
				"'a*' is not a host name, an IP address or a network, each with a port or without": {"b, a*"},
			}},
		"domain_denylist": {[]any{[]string{"example.com", "*.example.com"}},
			map[string][]any{"'a@b' is not a domain": {[]string{"a@b"}}, "'' is not a domain": {[]string{""}}}},
		"elasticsearch_url": {[]any{[]string{"https://u:p@es.example.com:9200"}},
			map[string][]any{"'es' is not a valid URL": {[]string{"es"}}}},
		"grafana_url": {[]any{"/-/grafana", "https://grafana.example.com"},
			map[string][]any{"must be a valid URL or a path": {"grafana", "//grafana.example.com", "javascript:x"}}},
		"spam_check_endpoint_url": {[]any{"grpc://spam.example.com:8001"},
			map[string][]any{"must be a valid URL that begins with grpc:// or tls://": {"https://spam.example.com"}}},
		"snowplow_cookie_domain": {
			[]any{".example.com"}, map[string][]any{"is not the name of a domain": {"..example.com"}},
		},
		"eks_account_id": {
			[]any{"123456789012"}, map[string][]any{"must be a 12-digit number": {"12345678901", "x"}},
		},
		"default_preferred_language": {
			[]any{"de", "pt_BR", "zh_CN"}, map[string][]any{"is not a language, such as en or pt_BR": {"English", "e"}},
		},
		"kroki_formats": {[]any{map[string]bool{"bpmn": true}},
			map[string][]any{"can't include: visio": {map[string]bool{"visio": true}}}},
		"elasticsearch_project_ids": {[]any{[]int{1, 2147483647}},
			map[string][]any{"'0' is not an id": {[]int{0}}, "'-1' is not an id": {[]int{1, -1}}}},
		"email_restrictions": {
			[]any{`@example\.com$`}, map[string][]any{"is not a valid regular expression": {"(", "[a"}},
		},
		"personal_access_token_prefix": {[]any{"", "glpat-", "A+/=@:._-"}, map[string][]any{
			"can contain only letters of the Base64 alphabet (RFC4648) with the addition of '@', ':' and '.'": {
				"a b", "a#", "é",
			},
			"is too long (maximum is 20 characters)": {strings.Repeat("a", 21)}}},
		"default_ci_config_path": {[]any{".ci.yml", "a/b.yml"},
			map[string][]any{"cannot include leading slash or directory traversal.": {"/a", "a/../b"}}},
		"geo_node_allowed_ips": {[]any{"", "10.0.0.1, fc00::/7"},
			map[string][]any{"must be a list of IP addresses or ranges": {"example.com", "10.0.0.0/33", ","}}},
		"archive_builds_in_human_readable": {[]any{"", "1 day", "24 hours", "2 months"},
			map[string][]any{"must be at least 1 day": {"23 hours", "soon", "0"}}},
		"default_artifacts_expire_in": {[]any{"0", "30 days", "2 mos 3 hrs", "1 week and 2 days, 5 s"},
			map[string][]any{
				"is not a correct duration": {"a while", "3 blinks", "5", "1 day ago", "99999999999999999999 days"},
			}},
		"hashed_storage_enabled": {
			[]any{true}, map[string][]any{"can't be disabled anymore for new projects": {false}},
		},
		"repository_storages_weighted": {[]any{map[string]int{"default": 0}, map[string]int{"default": 100},
			map[string]int{}}, map[string][]any{
			"can't include: tape": {map[string]int{"tape": 1}},
			"value for 'default' must be between 0 and 100": {
				map[string]int{"default": 101}, map[string]int{"default": -1},
			}}},
		"import_sources": {
			[]any{[]string{"git"}}, map[string][]any{"'x' is not a import source": {[]string{"git", "x"}}},
		},
		"restricted_visibility_levels": {
			[]any{[]string{}}, map[string][]any{"'x' is not a valid visibility level": {[]string{"x"}}},
		},
		"enabled_git_access_protocol": {[]any{"", "ssh"}, map[string][]any{"is not included in the list": {"git"}}},
		"polling_interval_multiplier": {
			[]any{0, 1.5, uint8(2), json.Number("0.5")}, map[string][]any{"must be greater than or equal to 0": {-0.1}},
		},
		"external_authorization_service_timeout": {[]any{0.5, 10}, map[string][]any{
			"must be greater than 0": {0}, "must be less than or equal to 10": {10.5}}},
		"container_registry_import_created_before": {[]any{time.Now(), "2027-01-31T10:00:00+02:00"},
			map[string][]any{"is not of type datetime": {"31.1.2027", 1}}},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s, ok := catalogue.SettingByKey(key)
			require.True(t, ok)
			for _, v := range c.good {
				require.NoError(t, s.Check(v), "%v", v)
			}
			for text, values := range c.wrong {
				for _, v := range values {
					require.EqualError(t, s.Check(v), text, "%v", v)
				}
			}
		})
	}
}

// Entries of the list that mean nothing would be exceptions that never hold, in silence.
func TestPlacesThatAreNone(t *testing.T) {
	t.Parallel()
	s, _ := catalogue.SettingByKey("outbound_local_requests_whitelist")
	for _, entry := range []string{
		"", "*", "a b", "[", "[]", "[a]:80", "[::1]80", "[10.0.0.1]:1", "[fe80::1%e]:1", "fe80::1%eth0", "10.0.0.256",
		"10.0.0.1.", "10.0.0.0/33",
		"10.0.0.1:80:90", "a:", "a:0", "a:65536", "a:http", ":80", "https://a", "example.com/x", "a@b",
	} {
		require.EqualError(t, s.Check([]string{"localhost", entry}),
			"'"+entry+"' is not a host name, an IP address or a network, each with a port or without")
	}
}

func TestIsBranchName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"main": true, "feature/x-1": true, "v1.0": true, "ümläut": true, "a@b": true, "x": true,
		"": false, "HEAD": false, "@": false, "a..b": false, "a b": false, "-a": false, "/a": false, "a/": false,
		"a//b": false, ".a": false,
		"a/.b": false, "a.": false, "a.lock": false, "a.lock/b": false, "a@{b": false, "a~1": false, "a^": false,
		"a:b": false, "a?": false, "a*": false, "a[": false, "a\\b": false, "a\nb": false,
	} {
		require.Equal(t, want, catalogue.IsBranchName(name), "%q", name)
	}
}

// Every switch takes what is given by it, and keeps what has to be present.
func TestEverySwitch(t *testing.T) {
	t.Parallel()
	for _, s := range catalogue.Settings() {
		if s.Given != "" {
			missing := catalogue.Problem{Key: s.Key, Text: "is missing", Request: true}
			require.Contains(t, catalogue.CheckSettings(switched(s.Given, true)), missing)
			require.NotContains(t, catalogue.CheckSettings(switched(s.Given, false)), missing)
			both := switched(s.Given, true)
			both[s.Key] = nil
			require.NotContains(t, catalogue.CheckSettings(both), missing, "stated is stated, whatever it is")
		}
		if s.Present == "" {
			continue
		}
		about := func(on bool) (found bool) {
			stated := switched(s.Present, on)
			stated[s.Key] = nil
			for _, p := range catalogue.CheckSettings(stated) {
				found = found || p.Key == s.Key && !p.Request
			}
			return found
		}
		require.True(t, about(true), s.Key)
		require.False(t, about(false), s.Key)
	}
}

func switched(key string, on bool) map[string]any {
	if s, _ := catalogue.SettingByKey(key); s.Type == catalogue.Boolean {
		return map[string]any{key: on}
	}
	return map[string]any{key: map[bool]string{true: "certificate"}[on]}
}

func TestRulesAcrossKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ settings, want string }{
		"nothing":      {`{}`, ""},
		"unknown keys": {`{"nobody_knows": {"x": 1}}`, ""},
		"several": {`{"signup_enabled": 1, "max_yaml_depth": 0}`,
			"max_yaml_depth must be greater than 0\nsignup_enabled is not of type boolean"},
		"timeouts in order": {
			`{"gitaly_timeout_fast": 10, "gitaly_timeout_medium": 10, "gitaly_timeout_default": 57}`, "",
		},
		"timeouts not": {`{"gitaly_timeout_fast": 31, "gitaly_timeout_medium": 30}`,
			"gitaly_timeout_fast must be less than or equal to 30"},
		"timeouts, one apart": {`{"gitaly_timeout_fast": 56, "gitaly_timeout_default": 55}`,
			"gitaly_timeout_fast must be less than or equal to 55"},
		"no timeout at all": {`{"gitaly_timeout_fast": 10, "gitaly_timeout_default": 0}`, ""},
		"a single timeout":  {`{"gitaly_timeout_fast": 57}`, ""},
		"housekeeping":      {`{"housekeeping_incremental_repack_period": 10, "housekeeping_full_repack_period": 9, "housekeeping_gc_period": 8}`, "housekeeping_full_repack_period must be greater than or equal to 10\nhousekeeping_gc_period must be greater than or equal to 9"},
		"denylist": {`{"domain_denylist_enabled": true, "domain_denylist": []}`,
			"domain_denylist Domain denylist cannot be empty if denylist is enabled."},
		"denylist not stated":   {`{"domain_denylist_enabled": true}`, ""},
		"terms":                 {`{"enforce_terms": true}`, "terms is missing"},
		"terms blank":           {`{"enforce_terms": true, "terms": ""}`, "terms can't be blank"},
		"given by another name": {`{"throttle_unauthenticated_web_enabled": true, "throttle_unauthenticated_period_in_seconds": 5, "throttle_unauthenticated_requests_per_period": 5}`, ""},
		"an old switch": {`{"throttle_unauthenticated_enabled": true}`,
			"throttle_unauthenticated_period_in_seconds is missing\nthrottle_unauthenticated_requests_per_period is " +
				"missing"},
		"both names, alike": {`{"asset_proxy_whitelist": ["a"], "asset_proxy_allowlist": ["a"]}`, ""},
		"both names, apart": {`{"asset_proxy_whitelist": ["a"], "asset_proxy_allowlist": ["b"]}`,
			"asset_proxy_allowlist, asset_proxy_whitelist are mutually exclusive"},
		"a list as a text": {`{"outbound_local_requests_allowlist_raw": "10.0.0.1, b\nc", "outbound_local_requests_whitelist": ["10.0.0.1", "b", "c"]}`, ""},
		"all keys forbidden": {`{"rsa_key_restriction":-1,"dsa_key_restriction":-1,"ecdsa_key_restriction":-1,"ed25519_key_restriction":-1,"ecdsa_sk_key_restriction":-1,"ed25519_sk_key_restriction":-1}`,
			"allowed_key_types can't be blank"},
		"one key allowed": {`{"rsa_key_restriction":4096,"dsa_key_restriction":-1,"ecdsa_key_restriction":-1,"ed25519_key_restriction":-1,"ecdsa_sk_key_restriction":-1,"ed25519_sk_key_restriction":-1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, told(t, c.settings))
		})
	}
}

func TestOtherNames(t *testing.T) {
	t.Parallel()
	raw, _ := catalogue.SettingByKey("outbound_local_requests_allowlist_raw")
	require.Equal(t, "a\nb", raw.Renamed([]any{"a", "b"}))
	require.Equal(t, map[string]any{"outbound_local_requests_whitelist": []any{"a", "b"}, "x": 1},
		catalogue.Fold(map[string]any{"outbound_local_requests_allowlist_raw": " a;b ", "x": 1}))
	_, ok := catalogue.SettingByKey("nobody_knows")
	require.False(t, ok)
}

// FuzzCheckSettings: whatever is stated, the answer is the same twice, names keys that were stated
// or are bound to such, and does not depend on the name that a key was stated by.
func FuzzCheckSettings(f *testing.F) {
	for _, seed := range []string{`{"enforce_terms":true}`, `{"gitaly_timeout_fast":1e300,"gitaly_timeout_default":-1}`,
		`{"import_sources":[null],"kroki_formats":{"x":[1]},"default_branch_protection_defaults":{"a":{"b":1.5}}}`,
		`{"asset_proxy_whitelist":[{}],"asset_proxy_allowlist":"x"}`, `{"default_artifacts_expire_in":"9 y 9 y"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var stated map[string]any
		if json.Unmarshal([]byte(text), &stated) != nil {
			return
		}
		wrong := catalogue.CheckSettings(stated)
		require.Equal(t, wrong, catalogue.CheckSettings(stated))
		for _, p := range wrong {
			require.NotEmpty(t, p.Text)
			require.NotEmpty(t, p.Key)
		}
		folded := catalogue.Fold(stated)
		require.True(t, reflect.DeepEqual(folded, catalogue.Fold(folded)), fmt.Sprint(folded))
		for key, value := range folded {
			s, known := catalogue.SettingByKey(key)
			if !known || s.Check(value) != nil {
				continue
			}
			once, err := s.Normal(value)
			require.NoError(t, err)
			twice, err := s.Normal(once)
			require.NoError(t, err)
			require.Equal(t, once, twice)
		}
	})
}
