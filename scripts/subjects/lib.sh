# For the subjects' scripts: what setting up any of them needs. Sourced, not run.

. "$(dirname "${BASH_SOURCE[0]}")/../packages.sh"

# The passwords and addresses of the users' accounts, PASSWORD_ADA and so on, for this script and the programs it runs.
set -o allexport
eval "$(python3 -B "$(dirname "${BASH_SOURCE[0]}")/people.py")"
set +o allexport

# The folder that a script was told to set up; it must not be there yet, or be empty.
new_folder() {
    if [ $# -ne 1 ]; then
        echo "usage: $0 FOLDER" >&2
        return 2
    fi
    mkdir -p "$1"
    if [ -n "$(ls -A "$1")" ]; then
        echo "$1 is not empty" >&2
        return 2
    fi
    (cd "$1" && pwd)
}

# What is replaced when users are recorded, and a replay needs: the passwords and addresses of the accounts that are there from the beginning,
# and more where that is named. Written into the folder, and named in its restage.toml: write_secrets FOLDER [NAME=VALUE...].
write_secrets() {
    local account
    for account in ALAN ADA GRACE; do
        declare -p "PASSWORD_$account" "ADDRESS_$account" | sed 's/^declare -[a-z]* //'
    done >"$1/secrets.env"
    printf '%s\n' "${@:2}" >>"$1/secrets.env"
    chmod 600 "$1/secrets.env"
    cat >>"$1/restage.toml" <<'TOML'

[redact]
secrets = { file = "secrets.env" }
TOML
}
