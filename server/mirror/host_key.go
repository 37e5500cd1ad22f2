package mirror

import (
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"hew/server/check"
)

// maxHostKeys is how many keys a mirror may accept: a host has one of each kind.
const maxHostKeys = 10

// parseHostKey reads the public key of a host, as a line of ssh-keyscan or of an authorized_keys
// file has it, and returns "type key".
func parseHostKey(line string) (ssh.PublicKey, string, bool) {
	line = strings.TrimSpace(line)
	if strings.ContainsAny(line, "\r\n\x00") {
		return nil, "", false
	}
	fields := strings.Fields(line)
	for i := range min(2, len(fields)) { // a host can stand before the type
		if key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(strings.Join(fields[i:], " "))); err == nil &&
			len(options) == 0 && len(rest) == 0 {
			return key, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))), true
		}
	}
	return nil, "", false
}

// checkHostKeys brings the keys of a host into their form, and adds what is wrong with them.
func (s *SSH) checkHostKeys(wrong *check.Problems) {
	if len(s.HostKeys) > maxHostKeys {
		wrong.On("host_keys", "is too long (maximum is 10 keys)")
		return
	}
	keys := []string{}
	for _, line := range s.HostKeys {
		_, key, ok := parseHostKey(line)
		if !ok {
			wrong.On("host_keys", "has a line that is not an SSH host key; give lines of ssh-keyscan")
			return
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	s.HostKeys = keys
}

// Fingerprints returns the fingerprints of the host keys that a mirror accepts: SHA256:….
func (s SSH) Fingerprints() []string {
	prints := []string{}
	for _, key := range s.hostKeys() {
		prints = append(prints, ssh.FingerprintSHA256(key))
	}
	return prints
}

func (s SSH) hostKeys() (keys []ssh.PublicKey) {
	for _, line := range s.HostKeys {
		if key, _, ok := parseHostKey(line); ok {
			keys = append(keys, key)
		}
	}
	return keys
}
