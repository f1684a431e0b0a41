#!/bin/sh
# Drives an installed Annotator as a person does: one grade, one report, on a display of its own.
# For a bare system that has the program, xvfb, xdotool and a window manager: sh tests/drive_bundle.sh [FOLDER]
set -eu
folder=${1:-$(mktemp -d)}
cd "$folder"
export HOME="$folder" LANG=C.UTF-8
Xvfb :91 -screen 0 1280x800x24 >/dev/null 2>&1 &
screen=$!
trap 'kill $screen' EXIT
export DISPLAY=:91
waits() { # Waits until a window of that name is there.
    for _ in $(seq 120); do xdotool search --name "$1" >/dev/null 2>&1 && return; sleep 1; done
    echo "no window $1" >&2
    exit 1
}
waits_for_words() { # Waits until the history tells of something.
    for _ in $(seq 60); do annotator history town.annot | grep -q "$1" && return; sleep 1; done
    echo "nothing of $1" >&2
    exit 1
}
sleep 2 # the display
openbox >/dev/null 2>&1 &
annotator sample site-search -o town.annot
annotator town.annot >said 2>&1 &
program=$!
waits "Who is grading"
xdotool type --delay 50 "Eve"
xdotool key Return
sleep 5
xdotool key 3
waits_for_words "Eve"
annotator history town.annot | grep -m1 Eve
xdotool key ctrl+5
sleep 5
command -v import >/dev/null && import -window root window.png
xdotool key ctrl+q
wait $program
[ ! -s said ] || { echo "It said:" >&2; cat said >&2; exit 1; }
annotator report town.annot -o town.html
annotator check town.annot
ls "$HOME/.local/share/annotator/backups"
echo "One grade, one report."
