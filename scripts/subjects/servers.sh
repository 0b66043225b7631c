# For the subjects' scripts: database servers of their own, each in its subject's folder and on a port that is chosen when it is
# made. Sourced, not run.
#
#   FOLDER/server/kind   mariadb or postgres
#   FOLDER/server/port   on the loopback address
#   FOLDER/server/pid    of the server, while it runs
#   FOLDER/server/log    what it says
#   FOLDER/server/data   its data; nobody but the server touches it

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Makes a server: make_server mariadb|postgres FOLDER. Its administrator, root or postgres, comes in from this machine without a password.
make_server() {
    mkdir "$2/server"
    echo "$1" >"$2/server/kind"
    free_port >"$2/server/port"
    case $1 in
        mariadb)
            mkdir "$2/server/data"
            TMPDIR=$2/server mariadb-install-db --no-defaults --auth-root-authentication-method=normal --skip-test-db --user="$(id -un)" \
                --datadir="$2/server/data" >"$2/server/log" 2>&1 || { cat "$2/server/log" >&2 && return 3; }
            ;;
        postgres)
            if [ "$(id -u)" = 0 ]; then
                chown postgres "$2/server"
                (as_server test -x "$2/server") || { echo "the user postgres cannot get at $2
  hint: let all users pass through the folders above it (chmod o+x), or choose a folder in /tmp" >&2 && return 2; }
            fi
            (cd / && as_server "$(postgres_programs)/initdb" --username=postgres --auth-local=reject --auth-host=trust --encoding=UTF8 --locale=C.UTF-8 \
                --no-sync --pgdata="$2/server/data") >"$2/initdb.log" 2>&1 || { cat "$2/initdb.log" >&2 && return 3; }
            mv "$2/initdb.log" "$2/server/log"
            ;;
    esac
}

# Starts a server that was made, and waits until it answers: start_server FOLDER.
start_server() {
    local at=$1/server port tries
    port=$(cat "$at/port")
    if server_answers "$1"; then
        return 0
    fi
    case $(cat "$at/kind") in
        mariadb)
            # Another server with the same folder for temporary tables would remove this one's.
            mkdir -p "$at/tmp"
            mariadbd --no-defaults --user="$(id -un)" --tmpdir="$at/tmp" --datadir="$at/data" --socket="$at/data/socket" --port="$port" --bind-address=127.0.0.1 \
                --innodb-flush-log-at-trx-commit=2 --innodb-buffer-pool-size=64M >>"$at/log" 2>&1 </dev/null &
            ;;
        postgres)
            # What is lost when the machine fails is made anew; so nothing waits for the disk.
            (cd / && as_server "$(postgres_programs)/postgres" -D "$at/data" -p "$port" -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories= -c fsync=off >>"$at/log" 2>&1 </dev/null) &
            ;;
    esac
    echo $! >"$at/pid"
    disown
    for tries in $(seq 300); do
        if server_answers "$1"; then
            return 0
        fi
        kill -0 "$(cat "$at/pid")" 2>/dev/null || break
        sleep 0.1
    done
    echo "the database server does not answer on port $port: see $at/log" >&2
    stop_server "$1"
    return 3
}

# Ends a server, if it runs, and waits until it is gone: stop_server FOLDER.
stop_server() {
    local at=$1/server how=TERM pid tries
    [ -e "$at/pid" ] || return 0
    pid=$(cat "$at/pid")
    # PostgreSQL would wait for its clients to go.
    [ "$(cat "$at/kind")" = mariadb ] || how=INT
    kill -s "$how" "$pid" 2>/dev/null || true
    for tries in $(seq 300); do
        kill -0 "$pid" 2>/dev/null || break
        [ "$tries" -lt 250 ] || kill -s KILL "$pid" 2>/dev/null || true
        sleep 0.1
    done
    rm -f "$at/pid"
}

# Runs SQL from standard input as the administrator: administer FOLDER [DATABASE].
administer() {
    local port
    port=$(cat "$1/server/port")
    case $(cat "$1/server/kind") in
        mariadb) mariadb --no-defaults --host=127.0.0.1 --port="$port" --user=root "${@:2}" ;;
        postgres) PGOPTIONS="-c client_min_messages=warning" "$(postgres_programs)/psql" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --output=/dev/null -h 127.0.0.1 -p "$port" -U postgres "${2:-postgres}" ;;
    esac
}

# The `server` script of a subject: server_script FOLDER start|stop.
server_script() {
    case ${2:-} in
        start) start_server "$(cd "$1" && pwd)" ;;
        stop) stop_server "$(cd "$1" && pwd)" ;;
        *)
            echo "usage: $0 FOLDER start|stop" >&2
            return 2
            ;;
    esac
}

server_answers() {
    echo 'SELECT 1;' | administer "$1" >/dev/null 2>&1
}

# Runs a program as somebody else, where this is root: PostgreSQL refuses to be root. It takes the place of the shell that asks.
as_server() {
    if [ "$(id -u)" = 0 ]; then
        exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"
    fi
    exec "$@"
}

# Debian keeps them out of the PATH.
postgres_programs() {
    ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1
}
