#!/usr/bin/env python3
"""Installs Harrier into a temporary folder and builds a program against it; or looks into the Debian package.

    tests/install/install.py cmake --build DIR        by find_package
    tests/install/install.py pkg-config --build DIR   by pkg-config
    tests/install/install.py deb --build DIR          makes the package and lists it

Exits with 77 (skipped) where pkg-config or what makes Debian packages is missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSION = re.search(r'HARRIER_VERSION "(.*)"', (ROOT / "include/harrier/version.h").read_text())[1]

REFERENCE = ["share/man/man1/harrier.1", "share/man/man1/harrier-check.1", "share/bash-completion/completions/harrier",
             "share/zsh/vendor-completions/_harrier", "share/fish/vendor_completions.d/harrier.fish"]


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"skipped: there is no {tool}")
            sys.exit(77)


def expect(condition, message):
    if not condition:
        sys.exit(message)


def check_program(program):
    lines = run(program).splitlines()
    wanted = [f"harrier {VERSION}: 3 steps to the error", "P: a -> a", "P: a -> a", "P: a -> b",
              "A[] not P.b: violated in 3 steps"]
    expect(lines[:5] == wanted, "\n".join(lines))
    expect((HERE / "program.cpp").read_text() in (ROOT / "docs/library.md").read_text(),
           "docs/library.md shows another program than tests/install/program.cpp")


def by_cmake(prefix, work, cxx):
    run("cmake", "-S", HERE, "-B", work / "program", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}")
    run("cmake", "--build", work / "program")
    check_program(work / "program/program")


def by_pkg_config(prefix, work, cxx):
    need("pkg-config")
    folder = next(prefix.rglob("harrier.pc")).parent
    path = f"{folder}:{os.environ.get('PKG_CONFIG_PATH', '')}"
    asked = ("pkg-config", "--cflags", "--libs", "harrier")
    flags = run(*asked, env={**os.environ, "PKG_CONFIG_PATH": path}).split()
    run(cxx, "-std=c++20", HERE / "program.cpp", "-o", work / "program", *flags)
    check_program(work / "program")


def check_installed(prefix):
    names = {str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_file()}
    expect(run(prefix / "bin/harrier", "--version").startswith(f"harrier {VERSION}"), "the installed program has another version")
    expect({f"include/harrier/{p.name}" for p in (ROOT / "include/harrier").glob("*.h")} ==
           {n for n in names if n.startswith("include/")}, "the headers are not those of include/harrier")
    expect("share/doc/harrier/docs/options.md" in names, "the manual is missing")
    for name in REFERENCE:
        expect(name in names, f"{name} is missing")
    for name in names:
        if name.startswith("include/"):
            text = (prefix / name).read_text()
            for header in re.findall(r'#include [<"]([^>"]*)', text):
                known = header.startswith("harrier/") or re.fullmatch("[a-z_]+", header)
                expect(known, f"{name} includes {header}, which is not installed with it")


def deb(build, work):
    need("dpkg-deb", "dpkg-shlibdeps", "file", "cpack")
    run("cpack", "-G", "DEB", "-B", work, "--config", build / "CPackConfig.cmake", cwd=work)
    package = next(work.glob("*.deb"))
    fields = run("dpkg-deb", "--field", package)
    expect("Package: harrier\n" in fields and f"Version: {VERSION}\n" in fields, fields)
    expect(re.search("Depends: .*libc6", fields), fields)
    files = {line.split()[-1].lstrip(".") for line in run("dpkg-deb", "--contents", package).splitlines()}
    for name in ("bin/harrier", "include/harrier/harrier.h", "include/harrier/version.h", "share/doc/harrier/LICENSE",
                 "share/doc/harrier/docs/options.md", "share/doc/harrier/models/fischer-faulty.xta", *REFERENCE):
        expect("/usr/" + name in files, f"the package has no /usr/{name}")
    for name in ("libharrier.a", "harrier.pc", "harrier-config.cmake", "harrier-targets.cmake"):
        expect(any(f.endswith("/" + name) for f in files), f"the package has no {name}")
    expect(all(f.startswith("/usr") or f == "/" for f in files), "the package has files outside of /usr")
    run("dpkg-deb", "--extract", package, work / "extracted")
    expect(run(work / "extracted/usr/bin/harrier", "--version").startswith(f"harrier {VERSION}"), "the packaged program does not run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=["cmake", "pkg-config", "deb"])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", default="c++")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if a.way == "deb":
            deb(a.build, work)
            return
        prefix = work / "prefix"
        run("cmake", "--install", a.build, "--prefix", prefix)
        check_installed(prefix)
        (by_cmake if a.way == "cmake" else by_pkg_config)(prefix, work, a.cxx)


if __name__ == "__main__":
    main()
