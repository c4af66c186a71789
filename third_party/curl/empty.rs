// Cargo wants a library target; this package only names the C sources to download (see Cargo.toml).
