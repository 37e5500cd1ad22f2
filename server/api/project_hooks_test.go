package api

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/store"
)

// untriggered are the flags of which the specification names no test (gaps §4.4).
var untriggered = []string{
	"confidential_note_events", "deployment_events", "feature_flag_events", "vulnerability_events", "repository_update_events",
	"enable_ssl_verification",
}

// A new event is one that can be tested, or says that it cannot.
func TestHookTriggersAreFlags(t *testing.T) {
	t.Parallel()
	trigger, ok := reflect.TypeFor[hookTest]().FieldByName("Trigger")
	require.True(t, ok)
	var flags []string
	for f := range fields(store.HookFlags[bool]{}) {
		flags = append(flags, wireName(f))
	}
	require.ElementsMatch(t, flags, append(strings.Fields(trigger.Tag.Get("oneof")), untriggered...))
}
