"""The network: servers, clients, storage. Nothing else in shoal opens a socket for the protocols."""
