# Installing Debian packages, for the scripts here. Sourced, not run.

# Installs the Debian packages among those named that are missing, without what they recommend. Services that they
# bring are not started: tests and studies run their own, on free ports and in private folders. Xdebug slows every PHP
# of the machine down and changes its errors, and each further way to run PHP enables it anew: where it was not enabled
# before it is not afterwards, and the probe of facts loads it where it is wanted.
install_missing() {
    local missing=() package had_xdebug=
    compgen -G '/etc/php/*/*/conf.d/*-xdebug.ini' >/dev/null && had_xdebug=1
    for package in "$@"; do
        [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing ${missing[*]}" >&2
    local as_root=() policy=/usr/sbin/policy-rc.d made= installed=0
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    # Debian starts services on installation unless this file says no.
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
        "${as_root[@]}" chmod +x "$policy"
        made=1
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null || installed=$?
    [ -z "$made" ] || "${as_root[@]}" rm "$policy"
    if [ -z "$had_xdebug" ] && compgen -G '/etc/php/*/*/conf.d/*-xdebug.ini' >/dev/null; then
        "${as_root[@]}" phpdismod xdebug
    fi
    return "$installed"
}
