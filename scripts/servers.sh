#!/bin/sh
# Make sure that there are a PostgreSQL and a Java (for Spark) for the tests: install them where that is possible, else say what to install.
# The tests start servers of their own. Never fails: without them these tests fail, and say why.
has_postgres() {
    command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}
install() { # package
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    echo "Installing $1 for the tests …" >&2
    { apt-get install -qq -y --no-install-recommends "$1" || { apt-get update -qq && apt-get install -qq -y --no-install-recommends "$1"; }; } >/dev/null 2>&1
}
export DEBIAN_FRONTEND=noninteractive
has_postgres || install postgresql || true
has_postgres || echo "No PostgreSQL was found, and its tests will fail. Install it (apt-get install postgresql)." >&2
command -v java >/dev/null 2>&1 || install openjdk-17-jre-headless || true
command -v java >/dev/null 2>&1 || echo "No Java was found, and the tests of Spark will fail. Install it (apt-get install openjdk-17-jre-headless)." >&2
exit 0
