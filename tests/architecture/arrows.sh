#!/usr/bin/env bash
# The arrows of the house: who may include whom, and no widget in the core library.
# usage: arrows.sh TREE CORE_LIBRARY BANK_LIBRARY
set -u
tree=$1
core_library=$2
bank_library=$3
failed=0

# forbid ROOM PATTERN WHY: no file of ROOM may include what matches PATTERN.
forbid() {
    local found
    found=$(grep -rnE --include='*.h' --include='*.cpp' "^ *# *include *[<\"]($2)" "$tree/$1")
    if [ -n "$found" ]; then
        echo "FAIL: $1 $3"
        echo "$found"
        failed=1
    else
        echo "ok: $1 never $3"
    fi
}

# nothing of Gui or Widgets may be undefined in (so: needed by) a library.
no_widgets() {
    local found
    found=$(nm -uC "$1" 2>/dev/null | grep -E '\b(QWidget|QApplication|QGuiApplication|QPainter|QWindow|QFont|QPixmap|QImage)::' | head)
    if [ ! -s "$1" ]; then
        echo "FAIL: $1 is not there"
        failed=1
    elif [ -n "$found" ]; then
        echo "FAIL: $1 needs widgets"
        echo "$found"
        failed=1
    else
        echo "ok: $(basename "$1") needs no widget"
    fi
}

unprefixed='Q[A-Z][A-Za-z]*>' # <QLabel> would slip past a scan for <QtWidgets/...>

forbid core '(ui|mock-server|app|tests)/' 'includes ui, mock-server or app'
forbid core '(QtGui|QtWidgets)' 'includes Gui or Widgets'
forbid core "boost/|$unprefixed" 'includes Boost or a header without its module'
forbid ui '(mock-server|app|tests)/' 'includes mock-server or app'
forbid ui "(QtNetwork|QtSql)|boost/|$unprefixed" 'includes Network, Sql or a header without its module'
forbid mock-server '(core|ui|app|tests)/' 'includes core, ui or app'
forbid mock-server "(QtGui|QtWidgets)|$unprefixed" 'includes Gui, Widgets or a header without its module'
forbid app "(QtNetwork|QtSql)|tests/" 'includes Network, Sql or tests'

# The checkout's pure files know no event loop: the service and its scheduler are the only QObjects there.
found=$(grep -lE 'Q_OBJECT|<QtCore/(QObject|QTimer|QThread|QEventLoop)>' "$tree"/core/domain/*.h "$tree"/core/domain/*.cpp \
    "$tree"/core/checkout/*.h "$tree"/core/checkout/*.cpp | grep -vE '/(checkout_service|qt_scheduler)\.(h|cpp)$')
if [ -n "$found" ]; then
    echo "FAIL: the pure core knows an event loop"
    echo "$found"
    failed=1
else
    echo "ok: the pure core knows no event loop"
fi

# Redis is spoken to in one file only.
for room in core ui app; do
    forbid $room 'hiredis/' 'includes hiredis'
done
redis=$(grep -rlE '# *include *<hiredis/' "$tree/mock-server" | sort)
if [ "$(printf '%s\n' "$redis" | grep -c .)" -ne 1 ]; then
    echo "FAIL: hiredis belongs in one file, found in: $redis"
    failed=1
else
    echo "ok: hiredis stands in one file"
fi

# The Boost.Beast parser compiles in one file only.
beast=$(grep -rlE '# *include *<boost/' "$tree/mock-server" | sort)
if [ "$(printf '%s\n' "$beast" | grep -c .)" -ne 1 ]; then
    echo "FAIL: Boost belongs in one file, found in: $beast"
    failed=1
else
    echo "ok: Boost stands in one file"
fi

no_widgets "$core_library"
no_widgets "$bank_library"
exit $failed
