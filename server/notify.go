package server

import (
	"fmt"
	"net"
)

// notify tells a service manager how the server gets on, as sd_notify(3) does: one datagram to a socket that the manager
// names. Without a socket nobody asked to be told. That it cannot be told is no reason to stop serving.
func (s *Server) notify(state string) {
	if s.config.NotifySocket == "" {
		return
	}
	if err := send(s.config.NotifySocket, state); err != nil {
		s.config.Log.Error("tell the service manager", "error", err)
	}
}

// send sends a datagram to a socket; "@" begins the name of one that is in no directory.
func send(socket, text string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(text)); err != nil {
		return fmt.Errorf("%s: %w", socket, err)
	}
	return nil
}
