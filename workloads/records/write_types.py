#!/usr/bin/env python3
"""Writes what must be written out once for every size of record: types, and the encoders "by hand".

    python3 workloads/records/write_types.py

What it writes is kept in the repository, so that no build needs it. It is run again when a size is added.
"""

from pathlib import Path

SIZES = [1, 2, 5, 10, 15, 20, 25, 35, 50]
HERE = Path(__file__).resolve().parent
NOTE = "Written by workloads/records/write_types.py."


def names(size):
    """The fields of a record."""
    return [f"field{number:02}" for number in range(1, size + 1)]


def wrapped(words, between, indent, width=100):
    """Words over lines of no more than the width, the separator at the end of each line."""
    lines, line = [], ""
    for number, word in enumerate(words):
        piece = word + (between if number < len(words) - 1 else "")
        if line and len(indent) + len(line) + 1 + len(piece) > width:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    return f"\n{indent}".join([*lines, line])


def write(path, text):
    """Writes a file under this folder, and says so."""
    target = HERE / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    print(path)


def rust():
    """A macro that hands each size's name and fields to another macro."""
    sizes = "".join(
        f"        $then! {{\n            {size} Fields{size}\n            {wrapped(names(size), '', ' ' * 12)}\n        }}\n"
        for size in SIZES
    )
    write(
        "types-rust/src/sizes.rs",
        f"//! {NOTE}\n\n/// Hands each size of record to a macro: its size, its type, its fields.\n#[macro_export]\n"
        f"macro_rules! each_size {{\n    ($then:ident) => {{\n{sizes}    }};\n}}\n",
    )


def go_types(note):
    """The structs and how they are filled."""
    for size in SIZES:
        fields = "".join(f'\tF{name[1:]} int64 `json:"{name}"`\n' for name in names(size))
        fill = "".join(f"\tr.F{name[1:]} = value({at})\n" for at, name in enumerate(names(size)))
        yield (
            f"\n// Fields{size} is a record of {size}.{note}\ntype Fields{size} struct {{\n{fields}}}\n\n"
            f"// Fill sets every field to the value of its number.\n"
            f"func (r *Fields{size}) Fill(value func(field int) int64) {{\n{fill}}}\n"
        )


def go():
    """The types, once plain and once marked for easyjson, and the encoders by hand."""
    write("types-go/types.go", f"// {NOTE}\n\npackage records\n" + "".join(go_types("")))
    marked = "".join(go_types("\n//\n//easyjson:json"))
    write("contenders/go-easyjson/types/types.go", f"// {NOTE}\n\n// Package types is what easyjson writes encoders "
          f"for.\npackage types\n{marked}")
    body = ""
    for size in SIZES:
        lines = "".join(
            f"\tout = append(out, `{',' if at else '{'}\"{name}\":`...)\n"
            f"\tout = strconv.AppendInt(out, r.F{name[1:]}, 10)\n"
            for at, name in enumerate(names(size))
        )
        body += (
            f"\nfunc encode{size}(r *records.Fields{size}) []byte {{\n\tout := make([]byte, 0, {size}*perField)\n{lines}"
            f"\treturn append(out, '}}')\n}}\n"
        )
    write(
        "contenders/go-hand/encode.go",
        f'// {NOTE}\n\npackage main\n\nimport (\n\t"strconv"\n\n\trecords "hand/with/types-go"\n)\n\n'
        "// A key with its marks takes ten bytes and a comma; a number of nine digits and its sign ten.\n"
        f"const perField = 24\n{body}",
    )


def java():
    """The records, once plain and once marked for dsl-json, and the encoders by hand."""
    for size in SIZES:
        fields = wrapped([f"long {name}" for name in names(size)], ",", " " * 8)
        values = wrapped([f"value.applyAsLong({at})" for at in range(size)], ",", " " * 12)
        for folder, package, imports, mark in (
            ("types-java", "records", "", ""),
            ("contenders/java-dsl-json/marked", "marked", "import com.dslplatform.json.CompiledJson;\n", "@CompiledJson\n"),
        ):
            write(
                f"{folder}/Fields{size}.java",
                f"// {NOTE}\npackage {package};\n\n{imports}import java.util.function.IntToLongFunction;\n\n"
                f"/** A record of {size}. */\n{mark}public record Fields{size}(\n        {fields}) {{\n"
                f"    /** Every field is the value of its number. */\n"
                f"    public static Fields{size} of(IntToLongFunction value) {{\n"
                f"        return new Fields{size}(\n            {values});\n    }}\n}}\n",
            )
    methods = ""
    for size in SIZES:
        lines = "".join(
            f"        out.field(Keys.{name.upper()}, record.{name}());\n" for name in names(size)
        )
        methods += (
            f"\n    byte[] encode(Fields{size} record) {{\n        out.begin();\n{lines}"
            f"        return out.end();\n    }}\n"
        )
    imports = "".join(f"import records.Fields{size};\n" for size in sorted(SIZES, key=str))
    write(
        "contenders/java-hand/Hand.java",
        f"// {NOTE}\n{imports}\n/** The encoders: a line a field, into room that serves one record after the other. */\nfinal class Hand {{\n"
        f"    private final Writer out = new Writer({max(SIZES)});\n{methods}}}\n",
    )
    keys = "".join(
        f'    static final byte[] {name.upper()} = key("{name}");\n' for name in names(max(SIZES))
    )
    write(
        "contenders/java-hand/Keys.java",
        f"// {NOTE}\nimport java.nio.charset.StandardCharsets;\n\n/** The fields' names as they are written. */\n"
        f"final class Keys {{\n{keys}\n    private Keys() {{}}\n\n    private static byte[] key(String name) {{\n"
        '        return (\'"\' + name + "\\":").getBytes(StandardCharsets.US_ASCII);\n    }\n}\n',
    )


def haskell_instances(contender, module, pragmas, imports, instance, head=""):
    """A module of a contender with an instance or a function for each size."""
    types = "".join(f"import Fields{size}\n" for size in SIZES)
    body = "\n".join(instance(size, names(size)) for size in SIZES)
    write(f"contenders/{contender}/{module}.hs", f"{pragmas}\n-- | {NOTE}\n{head}module {module} where\n\n{imports}{types}\n{body}")


def haskell():
    """The types, a module each since their fields have the same names; and the encoders by hand."""
    for size in SIZES:
        fields = "".join(f"    {name} :: !Int,\n" for name in names(size)).rstrip(",\n")
        values = wrapped([f"(value {at})" for at in range(size)], "", " " * 4)
        write(
            f"types-haskell/Fields{size}.hs",
            f"{{-# LANGUAGE DeriveGeneric #-}}\n\n-- | {NOTE}\nmodule Fields{size} (Fields{size} (..), fields{size}) where\n\n"
            f"import GHC.Generics (Generic)\n\ndata Fields{size} = Fields{size}\n  {{\n{fields}\n  }}\n  deriving (Generic)\n\n"
            f"-- | Every field is the value of its number.\nfields{size} :: (Int -> Int) -> Fields{size}\n"
            f"fields{size} value =\n  Fields{size}\n    {values}\n",
        )

    def pattern(size):
        return f"(Fields{size} {wrapped([f'f{at:02}' for at in range(1, size + 1)], '', ' ' * 4)})"

    literals = "{-# LANGUAGE OverloadedStrings #-}\n{-# OPTIONS_GHC -Wno-orphans #-}\n"

    def pairs(size, fields):
        series = wrapped([f'"{name}" .= f{name[5:]}' for name in fields], " <>", " " * 6)
        value = wrapped([f'"{name}" .= f{name[5:]}' for name in fields], ",", " " * 6)
        return (
            f"instance ToJSON Fields{size} where\n  toEncoding {pattern(size)} =\n    pairs (\n      {series})\n"
            f"  toJSON {pattern(size)} =\n    object [\n      {value}]\n"
        )

    haskell_instances(
        "haskell-aeson-pairs", "Instances", literals, "import Data.Aeson (ToJSON (..), object, pairs, (.=))\n", pairs
    )

    def unfixed(size, fields):
        series = wrapped([f'field "\\"{name}\\":" f{name[5:]}' for name in fields], ",", " " * 6)
        return (
            f"instance ToJSON Fields{size} where\n  toEncoding {pattern(size)} =\n    wrapObject (commaSep [\n      {series}])\n"
        )

    haskell_instances(
        "haskell-aeson-unfixed", "Instances", literals,
        "import CommaSep (commaSep, field)\nimport Data.Aeson (ToJSON (..))\nimport Data.Aeson.Encoding.Internal (wrapObject)\n", unfixed,
    )

    def builder(size, fields):
        parts = [f'field "{"," if at else "{"}\\"{name}\\":" f{name[5:]}' for at, name in enumerate(fields)]
        return (
            f"encode{size} :: Fields{size} -> Builder\nencode{size} {pattern(size)} =\n  "
            f"{wrapped(parts, ' <>', ' ' * 4)} <>\n    char7 '}}'\n"
        )

    haskell_instances(
        "haskell-builder", "Encoders", "{-# LANGUAGE OverloadedStrings #-}\n",
        "import Data.ByteString.Builder (Builder, char7)\nimport Field (field)\n", builder,
    )


def node():
    """Objects as literals, and the encoders by hand."""
    objects = "".join(
        f"  {size}: (value) => ({{\n    {wrapped([f'{name}: value({at})' for at, name in enumerate(names(size))], ',', '    ')},\n  }}),\n"
        for size in SIZES
    )
    write(
        "types-node/shapes.js",
        f"'use strict';\n// {NOTE}\n\n// By size: from the values of its fields by number to a record.\nmodule.exports = {{\n{objects}}};\n",
    )
    texts = "".join(
        f"  {size}: (r) =>\n    "
        + " +\n    ".join(f"`{',' if at else '{'}\"{name}\":${{r.{name}}}`" for at, name in enumerate(names(size)))
        + " +\n    '}',\n"
        for size in SIZES
    )
    write(
        "contenders/node-hand/encode.js",
        f"'use strict';\n// {NOTE}\n\n// By size: from a record to its text.\nmodule.exports = {{\n{texts}}};\n",
    )


def python():
    """The encoders by hand."""
    functions = ""
    for size in SIZES:
        lines = "".join(
            f"        f'{',' if at else '{{'}\"{name}\":{{r[\"{name}\"]}}'\n" for at, name in enumerate(names(size))
        )
        functions += f"def encode{size}(r):\n    return (\n{lines}        '}}'\n    ).encode()\n\n\n"
    table = "".join(f"    {size}: encode{size},\n" for size in SIZES)
    write(
        "contenders/python-hand/encode.py",
        f'"""{NOTE}"""\n\n\n{functions}# By size: from a record to its bytes.\nENCODE = {{\n{table}}}\n',
    )


if __name__ == "__main__":
    rust()
    go()
    java()
    haskell()
    node()
    python()
