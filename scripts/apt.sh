# Installing Debian's packages from a script: to be sourced.

apt_wait_s=900  # how long another package manager may keep us waiting

# apt_get LOG ARGUMENT...: apt-get, through sudo unless this is root, with its output in LOG. While another package
# manager holds a lock (a fresh machine updates itself) it waits, and says so once.
apt_get() {
  local log=$1 waited=0 status as_root=() holder
  shift
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  while true; do
    status=0
    "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$log" 2>&1 </dev/null || status=$?
    [ "$status" != 0 ] || return 0
    grep -qE 'Could not get lock|Unable to (acquire the dpkg|lock)' "$log" || return "$status"
    [ "$waited" -lt "$apt_wait_s" ] || return "$status"
    if [ "$waited" = 0 ]; then
      holder=$(sed -nE 's/.*held by process ([0-9]+ \([^)]*\)).*/, process \1/p' "$log" | head -n 1)
      echo "waiting for another package manager$holder, for at most $((apt_wait_s / 60)) minutes" >&2
    fi
    sleep 5
    waited=$((waited + 5))
  done
}
