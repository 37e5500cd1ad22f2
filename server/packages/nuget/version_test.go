package nuget_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// looked returns a version that a client may name.
func looked(t testing.TB, text string) nuget.Version {
	t.Helper()
	v, ok := nuget.LookupVersion(text)
	require.True(t, ok, text)
	return v
}

// TestCompare: the table of transfer facts §6.2, by Compare and by SortKey.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, row := range []string{
		"1.0 = 1.0.0", "1.0.0 = 1.0.0.0", "1.0.0.1 > 1.0.0", "01.002.3 = 1.2.3",
		"1.0.0-alpha < 1.0.0", "1.0.0-alpha = 1.0.0-Alpha", "1.0.0-alpha.2 < 1.0.0-alpha.10",
		"1.0.0-alpha10 < 1.0.0-alpha2",
		"1.0.0-1 < 1.0.0-alpha", "1.0.0-alpha < 1.0.0-alpha.1", "1.0.0-alpha.beta > 1.0.0-alpha.1",
		"1.0.0+a = 1.0.0+b",
		"1.0.0-rc.1+x = 1.0.0-rc.1", "2.0.0-beta > 1.9.9", "1.2.3.4-beta < 1.2.3.4", "1.10.0 > 1.9.0",
		"1.0.0-beta.11 < 1.0.0-rc.1", "1.0.0-x-y-z.1 < 1.0.0-x-y-z.2", "3.0.0.0-rc = 3.0.0-rc",
		"0.0.0-latest-version < 0.0.1",
		// Numbers of any length, and what could be taken for the end of a label.
		"99999999999999999999.0 < 100000000000000000000.0", "1.0.0-99999999999999999999 < 1.0.0-100000000000000000000",
		"1.0.0-a < 1.0.0-a-", "1.0.0-a.z < 1.0.0-a-.a", "1.0.0-a.1 < 1.0.0-a0", "1.0.0-01 = 1.0.0-1",
		"1.0.0--1 > 1.0.0-9", "1 = 1.0",
	} {
		f := strings.Fields(row)
		want := map[string]int{"<": -1, "=": 0, ">": 1}[f[1]]
		requireOrder(t, looked(t, f[0]), looked(t, f[2]), want)
	}
}

// requireOrder fails unless two versions and their keys compare as given, in both directions.
func requireOrder(t testing.TB, v, w nuget.Version, want int) {
	t.Helper()
	require.Equal(t, want, v.Compare(w), "%s, %s", v, w)
	require.Equal(t, -want, w.Compare(v), "%s, %s", w, v)
	require.Equal(t, want, strings.Compare(v.SortKey(), w.SortKey()), "%s (%s), %s (%s)", v, v.SortKey(), w, w.SortKey())
}

// TestSortKeyOrder: keys compare as versions do, whatever these are.
func TestSortKeyOrder(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	versions := make([]nuget.Version, 150)
	for i := range versions {
		versions[i] = looked(t, randomVersion(random))
	}
	for _, v := range versions {
		for _, w := range versions {
			requireOrder(t, v, w, v.Compare(w))
		}
	}
}

// randomVersion returns a version of few different parts, so that many begin alike.
func randomVersion(r *rand.Rand) string {
	number := func() string {
		switch r.IntN(6) {
		case 0:
			return strings.Repeat("9", 1+r.IntN(25))
		case 1:
			return "1" + strings.Repeat("0", r.IntN(25))
		case 2:
			return "0" + fmt.Sprint(r.IntN(12))
		}
		return fmt.Sprint(r.IntN(12))
	}
	text := number()
	for range r.IntN(4) {
		text += "." + number()
	}
	for i := range r.IntN(4) {
		text += []string{"-", ".", "."}[i]
		if r.IntN(2) == 0 {
			text += number()
			continue
		}
		for range 1 + r.IntN(3) {
			text += string("aAbZ-09"[r.IntN(7)])
		}
	}
	return text
}

// TestParseVersion: what is accepted, and its normal form (transfer facts §6.1, §6.2).
func TestParseVersion(t *testing.T) {
	t.Parallel()
	longest := "1." + strings.Repeat("9", 251)
	for text, normal := range map[string]string{
		"1.0": "1.0.0", "1.2.3": "1.2.3", "1.2.3.0": "1.2.3", "1.2.3.4": "1.2.3.4", "1.2.3.04": "1.2.3.4",
		"1.2.3.4-beta": "1.2.3.4-beta", "3.0.0.0-rc": "3.0.0-rc", "1.0.0-Alpha.2+build.01": "1.0.0-Alpha.2",
		"1.0-a": "1.0.0-a", "0.0.0-latest-version": "0.0.0-latest-version", "1.0.0-0a": "1.0.0-0a",
		"1.0.0-01a.-": "1.0.0-01a.-", "1.0.0+a-b": "1.0.0", longest: longest + ".0",
	} {
		v, ok := nuget.ParseVersion(text)
		require.True(t, ok, text)
		require.Equal(t, normal, v.Normal())
		require.Equal(t, text, v.String())
		require.Equal(t, strings.Contains(normal, "-"), v.Prerelease(), text)
		require.Equal(t, v.SortKey(), looked(t, normal).SortKey(), "the normal form is the same version")
	}
	for _, text := range []string{
		"", "1", "01.0", "1.00", "1.0.01", "1.0.0.", "1.0.0.0.0", "v1.0.0", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "1.0.0-a_b",
		"1.0.0+", "1.0.0+a+b", "1.0.0 ", " 1.0.0", "1.0.0\n", "1.0.0-é", "١.0.0", "1..0", "1.0/0", "../1.0",
		"1.0.0-" + strings.Repeat("a", 250), longest + "9",
	} {
		_, ok := nuget.ParseVersion(text)
		require.False(t, ok, "%q", text)
	}
}

// TestLookupVersion: what clients may name beyond what is accepted.
func TestLookupVersion(t *testing.T) {
	t.Parallel()
	for text, normal := range map[string]string{
		"01.002.3": "1.2.3", "1": "1.0.0", "000.0": "0.0.0", "1.0.0.00": "1.0.0", "1.0.0-01": "1.0.0-01",
	} {
		require.Equal(t, normal, looked(t, text).Normal())
	}
	for _, text := range []string{"", "1.0.0.0.0", "a", "1.0.0-", "1.0 ", "1.0.*", "-1", strings.Repeat("1", 256)} {
		_, ok := nuget.LookupVersion(text)
		require.False(t, ok, "%q", text)
	}
}

// TestValidName: names by transfer facts §6.1.
func TestValidName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"A", "Newtonsoft.Json", "a_b-c+d.1", ".a", "a..b", strings.Repeat("a", 255)} {
		require.True(t, nuget.ValidName(name), name)
	}
	for _, name := range []string{
		"", ".", "..", "a/b", `a\b`, "a b", "ä", "\u212a", "a\n", "a%20b", strings.Repeat("a", 256),
	} {
		require.False(t, nuget.ValidName(name), name)
	}
	require.Equal(t, "newtonsoft.json", nuget.FoldName("Newtonsoft.JSON"))
}

// TestNormalRange: ranges by transfer facts §6.2.
func TestNormalRange(t *testing.T) {
	t.Parallel()
	for text, normal := range map[string]string{
		"": "(, )", "*": "(, )", "1.0": "[1.0.0, )", "[1.0]": "[1.0.0, 1.0.0]", "(1.0,)": "(1.0.0, )", "(,1.0]": "(, 1.0.0]",
		"[1.0,2.0)": "[1.0.0, 2.0.0)", " [ 1.0 , 2.0.0-a ] ": "[1.0.0, 2.0.0-a]", "(,)": "(, )", "(, )": "(, )",
		"[,2.0]": "(, 2.0.0]", "[1,]": "[1.0.0, )", "1.2.*": "[1.2.0, )", "1.0.0-*": "[1.0.0, )", "*-*": "(, )",
		"1.0.0-beta.*": "[1.0.0-beta, )", "[1.0.0+x, )": "[1.0.0, )", "01.0": "[1.0.0, )",
	} {
		got, ok := nuget.NormalRange(text)
		require.True(t, ok, "%q", text)
		require.Equal(t, normal, got, "%q", text)
		again, ok := nuget.NormalRange(got)
		require.True(t, ok, got)
		require.Equal(t, got, again)
	}
	for _, text := range []string{
		"(1.0)", "[1.0)", "(1.0]", "[", "]", "[]", "()", "[1.0", "1.0]", "[1.0,2.0,3.0]", "[2.0,1.0]", "[1.0,1.0)", "(1.0,1.0]",
		"a", "[a,b]", "1.0,2.0", "[[1.0]]", "[1.0)]", ">= 1.0", strings.Repeat(" ", 10) + strings.Repeat("1", 2000),
	} {
		_, ok := nuget.NormalRange(text)
		require.False(t, ok, "%q", text)
	}
}

// FuzzVersion: what is accepted can be looked up, and its normal form is the same version.
func FuzzVersion(f *testing.F) {
	for _, text := range []string{"1.0", "1.2.3.4-a.1+b", "01.0.0-01", "1.0.0--", "9999999999.0"} {
		f.Add(text, "1.0.0-a")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if accepted, ok := nuget.ParseVersion(a); ok {
			require.Equal(t, accepted.SortKey(), looked(t, a).SortKey())
		}
		v, ok := nuget.LookupVersion(a)
		if !ok {
			return
		}
		requireOrder(t, v, looked(t, v.Normal()), 0)
		if w, ok := nuget.LookupVersion(b); ok {
			requireOrder(t, v, w, v.Compare(w))
		}
	})
}

// FuzzNormalRange: a normal form is its own.
func FuzzNormalRange(f *testing.F) {
	for _, text := range []string{"", "1.0", "[1.0,2.0)", "(,1]", "1.0.*", "(1.0)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal, ok := nuget.NormalRange(text)
		if !ok {
			require.Empty(t, normal)
			return
		}
		again, ok := nuget.NormalRange(normal)
		require.True(t, ok, "%q of %q", normal, text)
		require.Equal(t, normal, again)
	})
}
