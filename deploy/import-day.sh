#!/bin/sh
# Downloads the registry's files and imports them, once. Options go to the import, such as --accept.
# Exit status, as the program's: 0 done, 2 wrong call, 65 refused until a person decides, 75 try again later.
set -u
folder=/data/registry
refused=/data/registry.refused

node src/cli/main.mjs registry download --out "$folder" || exit $?

# Files that were refused are not imported again by themselves. A call with options is a person's decision.
files=$(find "$folder" -type f -printf '%P %s %T@\n' | sort)
if [ $# -eq 0 ] && [ -f "$refused" ] && [ "$(cat "$refused")" = "$files" ]; then
  echo "The files in $folder were refused and have not changed since. Import them with --accept, or wait for the next files." >&2
  exit 65
fi

node src/cli/main.mjs import --dir "$folder" --as-of "$(date -u +%F)" "$@"
status=$?
case $status in
  0) rm -f "$refused" ;;
  65) printf '%s\n' "$files" >"$refused" ;;
esac
exit $status
