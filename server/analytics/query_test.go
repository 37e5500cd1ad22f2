package analytics_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/analytics"
)

func TestCheckQuery(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"or":[`, 9) + strings.Repeat(`]}`, 9)
	for _, tt := range []struct{ query, sent, wrong string }{
		{`{}`, `{}`, ``},
		{`{"measures":null,"limit":"10","offset":5,"total":"true"}`, `{"limit":10,"offset":5,"total":true}`, ``},
		{`{"measures":["TrackedEvents.count"],"dimensions":["Sessions.id"],"segments":["A.b"],
		   "timezone":"Europe/Berlin",
		   "timeDimensions":[{"dimension":"TrackedEvents.utcTime","granularity":"day","dateRange":"last week"},
		                     {"dimension":"A.t","compareDateRange":[["2027-01-01","2027-01-31"],"today"]}],
		   "order":[["TrackedEvents.count","desc"],["TrackedEvents.utcTime.day","asc"]],"limit":50000}`, ``, ``},
		{`{"order":{"B.a":"asc","A.b":"desc"}}`, ``, ``},
		{`{"filters":[{"member":"A.b","operator":"set"},
		   {"and":[{"member":"A.b","operator":"equals","values":["x",1,null]},
		   {"or":[]}]}]}`, ``, ``},
		{`{"measures":"A.b"}`, ``, `query[measures] must be a list`},
		{`{"measures":["count"],"dimensions":["A.b; drop"]}`, ``, `query[dimensions] must have members such as ` +
			`TrackedEvents.count, query[measures] must have members such as TrackedEvents.count`},
		{`{"limit":50001,"offset":-1}`, ``,
			`query[limit] must be an integer from 0 to 50000, ` +
				`query[offset] must be an integer from 0 to 9007199254740992`},
		{`{"limit":1.5}`, ``, `query[limit] must be an integer from 0 to 50000`},
		{`{"renew":true}`, ``, `query has the unknown key "renew"`},
		{`{"timezone":"UTC'"}`, ``, `query[timezone] must be the name of a time zone, such as Europe/Berlin`},
		{`{"total":1}`, ``, `query[total] must be true or false`},
		{`{"order":"A.b"}`, ``, `query[order] must be a list of pairs or an object`},
		{`{"order":[["A.b"]]}`, ``, `query[order] must have pairs of a member and a direction`},
		{`{"order":{"A.b":"up"}}`, ``, `query[order] must have the directions asc or desc`},
		{`{"filters":[1,{"and":1},{"or":[],"x":1}]}`, ``, `query[filters] must have objects, ` +
			`query[filters][and] must be a list, query[filters] must not have other keys beside and, or`},
		{`{"filters":[{"member":1,"operator":"a b","values":[{}],"x":1}]}`, ``,
			`query[filters] has the unknown key "x", ` +
				`query[filters][member] must have members such as TrackedEvents.count, ` +
				`query[filters][operator] must be an operator such as equals, ` +
				`query[filters][values] must have texts of at most 1000 bytes, numbers or booleans`},
		{`{"filters":[` + deep + `]}`, ``,
			`query[filters]` + strings.Repeat("[or]", 8) + ` must not be nested more than 8 times`},
		{`{"timeDimensions":[{"dimension":"A.b","granularity":1,"dateRange":[]}]}`, ``,
			`query[timeDimensions][granularity] must be a unit such as day, ` +
				`query[timeDimensions][dateRange] must be a text, or a list of one or two days`},
	} {
		d := json.NewDecoder(strings.NewReader(tt.query))
		d.UseNumber()
		var q analytics.Query
		require.NoError(t, d.Decode(&q), tt.query)
		sent, err := q.Check()
		if tt.wrong != "" {
			require.EqualError(t, err, "invalid: "+tt.wrong)
			continue
		}
		require.NoError(t, err, tt.query)
		text, err := json.Marshal(sent)
		require.NoError(t, err)
		if tt.sent == "" {
			tt.sent = tt.query
		}
		require.JSONEq(t, tt.sent, string(text))
	}
}
