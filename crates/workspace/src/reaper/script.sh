# The dead man's switch, for any POSIX shell. $1 is the nonce of an executor, $2 where /proc is.
# Standard input says what to guard, a line each:
#   add GROUP:START   a group, and the start time of its leader in ticks (0: unknown)
#   del GROUP:START
#   box KEY WORDS     a container; WORDS are quoted for eval: ID_FILE LABEL [NAME=VALUE…] -- COMMAND…
#   unbox KEY
#   bye               the owner has stopped everything
# Its end means that the owner is dead. `kill -TERM -GROUP` is the one form that dash, bash and
# busybox have in common. Builtins do what they can: the system may be short of everything.
trap '' HUP INT QUIT TERM PIPE USR1 USR2 ALRM TSTP TTIN TTOU
nonce=$1 groups='' boxes='' ticks=0
newline='
'
blanks=$IFS
set -f
cd "$2" 2>/dev/null && [ -r self/environ ] && proc=1 || proc=

# Sets $time, in hundredths of a second.
clock() {
  if [ "$proc" ]; then
    read -r time rest <uptime
    time=${time%.*}${time#*.}
  else
    time=$ticks
  fi
}

# Sleeps for so many tenths of a second, or for a whole one where sleep takes no fractions.
nap() {
  sleep "0.$1" || sleep 1
  ticks=$((ticks + $1 * 10))
}

# Sets $state, $group and $start of a process.
look_at() {
  stat=
  while IFS= read -r line || [ "$line" ]; do stat=$line; done 2>/dev/null <"$1/stat"
  # The name may hold anything, also blanks and brackets.
  set -- ${stat##*) }
  [ $# -ge 20 ] || return 1
  state=$1 group=$3 start=${20}
}

# Sets $marked to the processes whose environment holds the nonce. The dead have no environment.
find_marked() {
  marked=
  if [ "$grep" ]; then
    set +f
    found=$(grep -lFe "$nonce" [0-9]*/environ 2>/dev/null)
    status=$?
    set -f
    # 126 and 127: it could not be run this time.
    if [ $status -lt 126 ]; then
      for file in $found; do marked="$marked ${file%/environ}"; done
      return
    fi
  fi
  set +f
  for file in [0-9]*/environ; do
    # Shells leave NUL bytes out when they read.
    while IFS= read -r line || [ "$line" ]; do
      case $line in *"$nonce"*) marked="$marked ${file%/environ}"; break ;; esac
    done 2>/dev/null <"$file"
  done
  set -f
}

# Sets $targets to what is left, as kill takes it: a group that is surely ours, or a process.
find_targets() {
  targets=
  if [ ! "$proc" ]; then
    for entry in $groups; do
      kill -0 "-${entry%:*}" 2>/dev/null && targets="$targets -${entry%:*}"
    done
    return
  fi
  # A leader without the nonce (env -i) is known by its start time.
  for entry in $groups; do
    look_at "${entry%:*}" && [ "$start" = "${entry#*:}" ] || continue
    # A dead leader keeps the number of its group taken, but may be all that is left of it.
    case $state in
      [ZX]*) [ "$1" = KILL ] && kill -KILL "-${entry%:*}" 2>/dev/null ;;
      *) targets="$targets -${entry%:*}" ;;
    esac
  done
  find_marked
  for id in $marked; do
    look_at "$id" || continue
    name=
    read -r name 2>/dev/null <"$id/comm"
    # It holds a user namespace that others of the user share.
    case $name in catatonit | *' pause') continue ;; esac
    target=$id
    [ "$group" = "$id" ] && target=-$id
    case $groups in *" $group:"*) target=-$group ;; esac
    case "$targets " in *" $target "*) ;; *) targets="$targets $target" ;; esac
  done
}

# Asks everything to end, once, and waits two seconds for it, or one if engines need the other.
terminate() {
  asked= tenths=1
  clock
  limit=$((time + 200))
  [ "$boxes" ] && limit=$((time + 100))
  while
    find_targets TERM
    [ "$targets" ]
  do
    for target in $targets; do
      case "$asked " in *" $target "*) continue ;; esac
      kill -TERM "$target" 2>/dev/null
      asked="$asked $target"
    done
    clock
    [ "$time" -lt "$limit" ] || return
    nap $tenths
    # Whoever is not gone at once will not be so soon.
    tenths=3
  done
}

# Kills until two looks in a row find nothing: one look can miss what forks or execs meanwhile.
finish() {
  calm=0
  clock
  limit=$((time + $1))
  while :; do
    find_targets KILL
    if [ "$targets" ]; then
      calm=0
      for target in $targets; do kill -KILL "$target" 2>/dev/null; done
    else
      calm=$((calm + 1))
    fi
    clock
    [ $calm -lt 2 ] && [ "$time" -lt "$limit" ] || return
    nap 1
  done
}

# `rm -f` alone would first ask politely, for ten seconds with some engines.
remove() {
  "$@" kill "$id"
  "$@" rm -f "$id"
}

# Removes one container. Carries the nonce, so that the last look ends it if the engine hangs.
unpack() {
  eval "set -- $1"
  id_file=$1 label=$2 id=
  shift 2
  while [ "$1" != -- ]; do
    export "$1"
    shift
  done
  shift
  export "REMOVER=$nonce"
  [ "$id_file" ] && [ -r "$id_file" ] && read -r id <"$id_file"
  if [ "$id" ]; then
    remove "$@"
  else
    for id in $("$@" ps -aq --filter "label=$label"); do remove "$@"; done
  fi
  [ "$id_file" ] && rm -f "$id_file"
}

unpack_all() {
  IFS=$newline
  set -- $boxes
  IFS=$blanks
  removers=
  for box; do
    unpack "${box#* }" </dev/null &
    removers="$removers $!"
  done
  clock
  limit=$((time + 1500))
  while [ "$removers" ] && [ "$time" -lt "$limit" ]; do
    left=
    for remover in $removers; do kill -0 "$remover" 2>/dev/null && left="$left $remover"; done
    removers=$left
    [ "$removers" ] && nap 1
    clock
  done
  for remover in $removers; do kill -KILL "$remover" 2>/dev/null; done
}

while IFS= read -r line; do
  rest=${line#* }
  case $line in
    'add '*) groups="$groups $rest" ;;
    'del '*)
      kept=
      for entry in $groups; do [ "$entry" = "$rest" ] || kept="$kept $entry"; done
      groups=$kept
      ;;
    'box '*) boxes="$boxes$rest$newline" ;;
    'unbox '*)
      kept=
      IFS=$newline
      for box in $boxes; do [ "${box%% *}" = "$rest" ] || kept="$kept$box$newline"; done
      IFS=$blanks
      boxes=$kept
      ;;
    bye) exit 0 ;;
  esac
done

# Not every grep can look past a NUL byte.
grep=
[ "$proc" ] && printf 'a\0%s' "$nonce" | grep -qFe "$nonce" 2>/dev/null && grep=1
terminate
finish 600
if [ "$boxes" ]; then
  unpack_all
  finish 300
fi
