# Builds the example repositories of docs/TREE_ID.md in an empty folder; prints "name id" by plain git.
set -e
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
say() {
  (
    cd "$1"
    cp -p "$(git rev-parse --git-path index)" ../index 2>/dev/null || rm -f ../index
    export GIT_INDEX_FILE="$PWD/../index"
    git add -A 2>/dev/null
    git rm -rq --cached --ignore-unmatch .proctor/
    echo "$1 $(git write-tree)"
  )
}
start() { rm -rf "$1"; git init -q -b main "$@"; }

start empty
say empty

start plain
cd plain
printf 'one\n' > a.txt
mkdir src
printf 'fn main() {}\n' > src/main.rs
printf '#!/bin/sh\n' > run.sh
chmod +x run.sh
ln -s a.txt link
cd ..
say plain

cp -a plain own
cd own
mkdir -p .proctor sub/.proctor
printf 'version: 1\n' > .proctor/proctor.yaml
printf 'x\n' > sub/.proctor/x
cd ..
say own

cp -a plain committed
cd committed
mkdir .proctor
printf 'version: 1\n' > .proctor/proctor.yaml
git add -A
git commit -qm one
cd ..
say committed

cp -a committed ignored
cd ignored
printf '*.log\nsrc/\n' > .gitignore
printf 'x\n' > noise.log
printf 'changed\n' > src/main.rs
cd ..
say ignored

start lines
cd lines
printf '*.txt text\n' > .gitattributes
printf 'a\r\nb\r\n' > crlf.txt
printf 'a\r\nb\r\n' > crlf.bin
cd ..
say lines

start names
cd names
printf 'x' > '새 파일.txt'
printf 'x' > "$(printf 'bad\377')"
printf 'x' > 'a-b'
mkdir a
printf 'x' > a/b
printf 'x' > a0
cd ..
say names


rm -rf sha256
git init -q -b main --object-format=sha256 sha256
cp -a plain/a.txt plain/src plain/run.sh plain/link sha256
say sha256

cp -a plain outer
cp -a committed outer/inner
say outer

# A submodule that is not as its commit says: the commit that stands for it, put in its place.
rm -rf dirty
cp -a outer dirty
cd dirty/inner
printf 'two\n' > a.txt
head=$(git rev-parse HEAD)
tree=$(cd .. && say inner | cut -d' ' -f2)
who='Proctor <> 0 +0000'
commit=$(printf 'tree %s\nparent %s\nauthor %s\ncommitter %s\n\n' "$tree" "$head" "$who" "$who" |
  git hash-object -t commit -w --stdin)
cd ..
rm -f index
GIT_INDEX_FILE=../index git add -A 2>/dev/null
GIT_INDEX_FILE=../index git update-index --cacheinfo "160000,$commit,inner"
echo "dirty $(GIT_INDEX_FILE=../index git write-tree)"
cd ..
