package remote

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// SSH is how hosts are reached by SSH.
type SSH struct {
	Key   ssh.Signer      // nil: the password of the address is used
	Known []ssh.PublicKey // keys of the host: it must have one of them; none: Met decides
	// Met is called with the key of a host for which none is known, before anything is sent to it
	Met func(ssh.PublicKey) error
}

// UnknownKeyError is the error of a host that has another key than it should.
type UnknownKeyError struct{ Host, Fingerprint string }

// Error implements error.
func (u *UnknownKeyError) Error() string {
	return "the host key of " + u.Host + " is not one of host_keys: its fingerprint is " + u.Fingerprint
}

// shell is a connection by SSH. Each session runs the service once.
type shell struct {
	sessions
	client *ssh.Client
}

func (s *shell) close() {
	s.sessions.close()
	_ = s.client.Close()
}

func dialSSH(ctx context.Context, h Host, at *url.URL, service string) (transport, error) {
	trust := h.SSH
	if len(trust.Known) == 0 && trust.Met == nil {
		return nil, errorf("%s cannot be reached: no host key of it is known", at.Hostname())
	}
	conn, err := h.dial(ctx, at)
	if err != nil {
		return nil, err
	}
	config := &ssh.ClientConfig{
		User: "git", Timeout: dialTimeout, ClientVersion: "SSH-2.0-hewd",
		HostKeyAlgorithms: algorithmsOf(trust.Known),
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			return trust.checkHost(at.Hostname(), key)
		},
	}
	if name := at.User.Username(); name != "" {
		config.User = name
	}
	if h.SSH.Key != nil {
		config.Auth = append(config.Auth, ssh.PublicKeys(h.SSH.Key))
	} else if password, ok := at.User.Password(); ok {
		config.Auth = append(config.Auth, ssh.Password(password))
	}
	c, channels, requests, err := ssh.NewClientConn(conn, at.Host, config)
	if err != nil {
		_ = conn.Close()
		return nil, handshakeError(ctx, h, at, err)
	}
	s := &shell{client: ssh.NewClient(c, channels, requests)}
	s.begin = func(context.Context) (*session, error) { return s.run(service + " " + quote(pathOf(at))) }
	return s, nil
}

// checkHost accepts a host with one of the known keys. If none is known and Met accepts this one,
// it is known from then on: the host shows its key again whenever the connection changes its keys.
func (s *SSH) checkHost(host string, key ssh.PublicKey) error {
	if len(s.Known) == 0 {
		err := s.Met(key)
		if err == nil {
			s.Known = []ssh.PublicKey{key}
		}
		return err
	}
	for _, known := range s.Known {
		if string(known.Marshal()) == string(key.Marshal()) {
			return nil
		}
	}
	return &UnknownKeyError{host, ssh.FingerprintSHA256(key)}
}

// algorithmsOf returns the algorithms of keys, so that a host shows the key that is known of it;
// nil, for all, if there are no keys.
func algorithmsOf(keys []ssh.PublicKey) (names []string) {
	for _, key := range keys {
		switch key.Type() {
		case ssh.KeyAlgoRSA:
			names = append(names, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
		default:
			names = append(names, key.Type())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func handshakeError(ctx context.Context, h Host, at *url.URL, err error) error {
	var unknown *UnknownKeyError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unknown):
		return Error(unknown.Error())
	case strings.Contains(err.Error(), "unable to authenticate"):
		if h.SSH.Key != nil {
			return errorf("%s does not accept the SSH key of the mirror; add its public key there", at.Hostname())
		}
		return errorf("%s does not accept the user name and password of %s", at.Hostname(), h.Field)
	}
	return errorf("%s cannot be reached: %s", at.Hostname(), firstLine(err.Error()))
}

// run runs a command on the host.
func (s *shell) run(command string) (*session, error) {
	begun, err := s.client.NewSession()
	if err != nil {
		return nil, readError(err)
	}
	in, err := begun.StdinPipe()
	if err != nil {
		return nil, readError(err)
	}
	out, err := begun.StdoutPipe()
	if err != nil {
		return nil, readError(err)
	}
	said := &message{}
	begun.Stderr = said
	if err := begun.Start(command); err != nil {
		_ = begun.Close()
		return nil, readError(err)
	}
	return &session{newSSHReader(out, begun, said), in, in.Close, func() { _ = begun.Close() }}, nil
}

// pathOf returns the path of a repository as a host takes it: ~ is a home and no directory.
func pathOf(at *url.URL) string {
	if strings.HasPrefix(at.Path, "/~") {
		return at.Path[1:]
	}
	return at.Path
}

// quote returns a word for the shell of the host, as git does.
func quote(word string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "!", `'\!'`).Replace(word) + "'"
}
