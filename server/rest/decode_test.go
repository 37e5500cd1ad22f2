package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

type variable struct {
	Key   string `param:"key,required"`
	Value string `param:"value"`
}

// shared are parameters that several structs have.
type shared struct {
	Search string `param:"search"`
}

type everything struct {
	shared
	Name   string               `param:"name,alias=title"`
	Filled string               `param:"filled,notempty"`
	Sort   string               `param:"sort" default:"desc" oneof:"asc desc"`
	Level  int                  `param:"level" min:"0" max:"50" default:"30"`
	Ratio  float64              `param:"ratio"`
	On     bool                 `param:"on" default:"true"`
	Maybe  *bool                `param:"maybe"`
	Text   rest.Opt[string]     `param:"text"`
	Null   rest.Opt[*string]    `param:"null"`
	Count  rest.Opt[int64]      `param:"count"`
	Tags   []string             `param:"tags"`
	Words  []string             `param:"words,comma"`
	IDs    []int64              `param:"ids,comma"`
	Scopes rest.Opt[[]string]   `param:"scopes" oneof:"api read_api"`
	Vars   []variable           `param:"vars"`
	Labels map[string]int       `param:"labels"`
	Rule   *variable            `param:"rule"`
	Day    time.Time            `param:"day,date"`
	At     time.Time            `param:"at"`
	Any    any                  `param:"any"`
	Avatar rest.Opt[*rest.File] `param:"avatar"`
	_      struct{}             `exclusive:"tags words"`
}

// decode sends parameters in the body, as JSON if they look so and else as a form.
func decode[In any](body string) (In, error) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	return rest.Decode[In](r)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	yes, no, text := true, false, "x"
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		body string
		want func(*everything) // what differs from the defaults
	}{
		{``, func(*everything) {}},
		{`unknown=1`, func(*everything) {}},
		{`name=a&search=b`, func(e *everything) { e.Name, e.Search = "a", "b" }},
		{`title=a`, func(e *everything) { e.Name = "a" }},
		{`{"name": 7}`, func(e *everything) { e.Name = "7" }},
		{`sort=asc&level=50&ratio=0.5`, func(e *everything) { e.Sort, e.Level, e.Ratio = "asc", 50, 0.5 }},
		{`{"level": 0, "ratio": 1e3}`, func(e *everything) { e.Level, e.Ratio = 0, 1000 }},
		{`level=&on=`, func(*everything) {}},
		{`{"level": null, "name": null}`, func(*everything) {}},
		{`on=f&maybe=Yes`, func(e *everything) { e.On, e.Maybe = false, &yes }},
		{`on=off&maybe=0`, func(e *everything) { e.On, e.Maybe = false, &no }},
		{`{"on": false, "maybe": 1}`, func(e *everything) { e.On, e.Maybe = false, &yes }},
		{`{"text": "x", "null": "x", "count": 3}`, func(e *everything) {
			e.Text, e.Null, e.Count = rest.Some("x"), rest.Some(&text), rest.Some(int64(3))
		}},
		{`{"text": null, "null": null, "count": null}`, func(e *everything) {
			e.Text, e.Null, e.Count = rest.Null[string](), rest.Null[*string](), rest.Null[int64]()
		}},
		{`text=&count=`, func(e *everything) { e.Text, e.Count = rest.Some(""), rest.Null[int64]() }},
		{`tags[]=a&tags[]=b,c`, func(e *everything) { e.Tags = []string{"a", "b,c"} }},
		{`tags[]=`, func(e *everything) { e.Tags = []string{} }},
		{`tags=`, func(e *everything) { e.Tags = []string{} }},
		{`words=a,+b,,c`, func(e *everything) { e.Words = []string{"a", "b", "c"} }},
		{`words[]=a,b&words[]=c`, func(e *everything) { e.Words = []string{"a", "b", "c"} }},
		{`ids=1,2`, func(e *everything) { e.IDs = []int64{1, 2} }},
		{`{"ids": [1, "2", null]}`, func(e *everything) { e.IDs = []int64{1, 2} }},
		{`{"ids": 7}`, func(e *everything) { e.IDs = []int64{7} }},
		{`{"scopes": []}`, func(e *everything) { e.Scopes = rest.Some([]string{}) }},
		{`scopes[]=api&scopes[]=read_api`, func(e *everything) { e.Scopes = rest.Some([]string{"api", "read_api"}) }},
		{`vars[][key]=a&vars[][value]=1&vars[][key]=b`,
			func(e *everything) { e.Vars = []variable{{"a", "1"}, {"b", ""}} }},
		{`vars[10][key]=b&vars[2][key]=a`, func(e *everything) { e.Vars = []variable{{"a", ""}, {"b", ""}} }},
		{`{"vars": [{"key": "a", "value": "1"}]}`, func(e *everything) { e.Vars = []variable{{"a", "1"}} }},
		{`labels[a]=1&labels[b]=2`, func(e *everything) { e.Labels = map[string]int{"a": 1, "b": 2} }},
		{`rule[key]=a`, func(e *everything) { e.Rule = &variable{Key: "a"} }},
		{`day=2026-05-01`, func(e *everything) { e.Day = day }},
		{`day=2026-05-01T23:00:00-05:00`, func(e *everything) { e.Day = day }},
		{`at=2026-05-01T12:00:00Z`, func(e *everything) { e.At = noon }},
		{`at=2026-05-01T14:00:00.000%2B02:00`, func(e *everything) { e.At = noon }},
		{`at=2026-05-01`, func(e *everything) { e.At = day }},
		{`{"any": {"a": [1]}}`, func(e *everything) { e.Any = map[string]any{"a": []any{json.Number("1")}} }},
		{`avatar=`, func(e *everything) { e.Avatar = rest.Null[*rest.File]() }},
	}
	for _, tt := range tests {
		want := everything{Sort: "desc", Level: 30, On: true}
		tt.want(&want)
		got, err := decode[everything](tt.body)
		require.NoError(t, err, tt.body)
		require.Equal(t, want, got, tt.body)
	}
}

type strict struct {
	Title  string   `param:"title,required,notempty"`
	UserID int64    `param:"user_id,required"`
	A      int      `param:"a"`
	B      int      `param:"b"`
	Rule   variable `param:"rule"`
	_      struct{} `exclusive:"a b"`
}

type choice struct {
	A rest.Opt[int] `param:"a,alias=alpha"`
	B rest.Opt[int] `param:"b"`
	_ struct{}      `exactly:"a b"`
}

type some struct {
	ID int64         `param:"id"`
	A  rest.Opt[int] `param:"a"`
	B  rest.Opt[int] `param:"b"`
	_  struct{}      `atleast:"*"`
}

func decodeError[In any](body string) error {
	_, err := decode[In](body)
	return err
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		decode func(string) error
		body   string
		want   string
	}{
		{decodeError[strict], ``, `title is missing, user_id is missing`},
		{decodeError[strict], `title=+&user_id=`, `title is empty, user_id is missing`},
		{decodeError[strict], `title=x&user_id=x`, `user_id is invalid`},
		{decodeError[strict], `title=x&user_id=99999999999999999999`, `user_id is invalid`},
		{decodeError[strict], `title=x&user_id=1&a=1&b=2`, `a, b are mutually exclusive`},
		{decodeError[strict], `title=x&user_id=1&rule[value]=1`, `rule[key] is missing`},
		{decodeError[strict], `title[]=x&user_id=1&rule=1`, `title is invalid, rule is invalid`},
		{decodeError[choice], ``, `a, b are missing, exactly one parameter must be provided`},
		{decodeError[choice], `alpha=1&b=2`, `a, b are mutually exclusive`},
		{decodeError[some], `c=1`, `id, a, b are missing, at least one parameter must be provided`},
		{decodeError[everything], `sort=up&level=51`,
			`sort does not have a valid value, level does not have a valid value`},
		{decodeError[everything], `level=-1`, `level does not have a valid value`},
		{decodeError[everything], `day=0001-01-01`, `day is invalid`},
		{decodeError[everything], `level=1.5&ratio=NaN&on=maybe&day=soon&at=2026-13-01`,
			`level is invalid, ratio is invalid, on is invalid, day is invalid, at is invalid`},
		{decodeError[everything], `{"level": true, "name": {}}`, `name is invalid, level is invalid`},
		{decodeError[everything], `ids=1,x,y`, `ids is invalid`},
		{decodeError[everything], `tags=a`, `tags is invalid`},
		{decodeError[everything], `tags[x]=a`, `tags is invalid`},
		{decodeError[everything], `tags[]=a&words=b`, `tags, words are mutually exclusive`},
		{decodeError[everything], `scopes[]=api&scopes[]=all`, `scopes does not have a valid value`},
		{decodeError[everything], `vars[][key]=a&vars[][key]=b&vars[][value]=1&vars[][value]=2`,
			`vars[2][key] is missing`},
		{decodeError[everything], `labels[a]=x`, `labels[a] is invalid`},
		{decodeError[everything], `avatar=x`, `avatar is invalid`},
	}
	for _, tt := range tests {
		err := tt.decode(tt.body)
		e, ok := fault.From(err)
		require.True(t, ok, "%s: %v", tt.body, err)
		require.Equal(t, tt.want, e.What, tt.body)
		require.Equal(t, fault.Parameter, e.Shape)
	}
}

func TestBadTagsPanic(t *testing.T) {
	t.Parallel()
	tests := map[string]func(){
		"option": func() {
			_ = decodeError[struct {
				A int `param:"a,optional"`
			}](``)
		},
		"no tag": func() { _ = decodeError[struct{ A int }](``) },
		"default": func() {
			_ = decodeError[struct {
				A int `param:"a" default:"x"`
			}](``)
		},
		"not valid": func() {
			_ = decodeError[struct {
				A string `param:"a" default:"x" oneof:"y"`
			}](``)
		},
		"type": func() {
			_ = decodeError[struct {
				A chan int `param:"a"`
			}](``)
		},
		"bound": func() {
			_ = decodeError[struct {
				A int `param:"a" max:"many"`
			}](``)
		},
		"two": func() {
			_ = decodeError[struct {
				rest.Paging
				A int `param:"page"`
			}](``)
		},
		"map": func() {
			_ = decodeError[struct {
				A map[int]string `param:"a"`
			}](``)
		},
		"rule": func() {
			_ = decodeError[struct {
				A int      `param:"a"`
				_ struct{} `exclusive:"a b"`
			}](``)
		},
	}
	for name, f := range tests {
		require.Panics(t, f, name)
	}
}

// An id beyond 64 bits in a path is one that no object has; anywhere else it is invalid.
func TestIntegersBeyond64Bits(t *testing.T) {
	t.Parallel()
	type in struct {
		ID    int64 `param:"id"`
		Other int64 `param:"other"`
	}
	for text, id := range map[string]int64{
		"9223372036854775808": 1<<63 - 1, "-9223372036854775809": -1 << 63, "7": 7,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.SetPathValue("id", text)
		got, err := rest.Decode[in](r)
		require.NoError(t, err)
		require.Equal(t, in{ID: id}, got)
	}
	_, err := decode[in](`{"other":9223372036854775808}`)
	require.ErrorContains(t, err, "other is invalid")
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.SetPathValue("id", "7x")
	_, err = rest.Decode[in](r)
	require.ErrorContains(t, err, "id is invalid")
}
