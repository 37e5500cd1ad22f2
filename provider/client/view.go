package client

// ReadOnly is a view of c that refuses everything but GET and HEAD, see
// [ErrReadOnly]. The two share connections, width and what the host said of its
// limits; each counts its own requests, and pauses are counted by c alone.
func (c *Client) ReadOnly() *Client {
	config := c.config
	config.ReadOnly, config.Writes = true, nil
	return &Client{config: config, token: c.token, secrets: c.secrets, host: c.host, root: c.root,
		http: c.http, limit: c.limit}
}
