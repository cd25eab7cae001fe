//! Paths in a file: relative ones belong to the file's folder, `~` to the home passed in.

use std::path::Path;

use crate::Context;

/// Why a path cannot be resolved, and what to do.
pub(crate) type Unresolved = (&'static str, &'static str);

/// A program: a bare name is left to the search path, anything with a slash is a path.
pub(crate) fn command(text: &str, cx: &Context<'_>) -> Result<String, Unresolved> {
    if text.contains('/') || text == "~" {
        folder(text, cx)
    } else {
        Ok(text.to_owned())
    }
}

/// Whether an argument says that it is a path, which is then resolved: it starts with `./`, `../`
/// or `~/`. A lone `.` stays: it is the folder the server is started in.
pub(crate) fn is_path(argument: &str) -> bool {
    ["./", "../", "~/"]
        .iter()
        .any(|start| argument.starts_with(start))
}

/// A folder or other path.
pub(crate) fn folder(text: &str, cx: &Context<'_>) -> Result<String, Unresolved> {
    let (base, rest) = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            let home = cx.home.ok_or((
                "starts with ~, but the home folder is not known",
                "set HOME or write the whole path",
            ))?;
            (home, rest.trim_start_matches('/'))
        }
        _ => (cx.folder, text),
    };
    join(base, rest)
}

fn join(base: &Path, mut rest: &str) -> Result<String, Unresolved> {
    if rest.starts_with('/') {
        return Ok(rest.to_owned());
    }
    // `..` is kept: taking it away with the name before it is wrong where that is a link.
    while let Some(after) = rest.strip_prefix("./") {
        rest = after.trim_start_matches('/');
    }
    let joined = if rest.is_empty() || rest == "." {
        base.to_owned()
    } else {
        base.join(rest)
    };
    let joined = joined.into_os_string().into_string();
    joined.map_err(|_| {
        (
            "leads to a folder whose name is not UTF-8",
            "write the whole path",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cx(home: Option<&'static str>) -> Context<'static> {
        let (path, folder) = (Path::new("/conf/mcp.json"), Path::new("/conf"));
        Context {
            path,
            folder,
            home: home.map(Path::new),
        }
    }

    #[test]
    fn paths_resolve_against_the_files_folder_and_the_home() {
        type Resolve = fn(&str, &Context<'_>) -> Result<String, Unresolved>;
        let check = |resolve: Resolve, text: &str, expect: &str| {
            assert_eq!(
                resolve(text, &cx(Some("/home/me"))).as_deref(),
                Ok(expect),
                "{text}"
            );
        };
        check(command, "npx", "npx");
        check(command, "/usr/bin/npx", "/usr/bin/npx");
        check(command, "./server", "/conf/server");
        check(command, "bin/server", "/conf/bin/server");
        check(command, "../bin/server", "/conf/../bin/server");
        check(command, "~/bin/server", "/home/me/bin/server");
        check(command, "~other/bin", "/conf/~other/bin");
        let argument: Resolve = |text, cx| match is_path(text) {
            true => folder(text, cx),
            false => Ok(text.to_owned()),
        };
        check(argument, ".", ".");
        check(argument, "..", "..");
        check(argument, "./", "/conf");
        check(argument, ".//./x", "/conf/x");
        check(argument, "./notes", "/conf/notes");
        check(argument, "../notes", "/conf/../notes");
        check(argument, "notes/today", "notes/today");
        check(argument, "--root=./notes", "--root=./notes");
        check(argument, "~", "~");
        check(argument, "~/notes", "/home/me/notes");
        check(folder, ".", "/conf");
        check(folder, "src", "/conf/src");
        check(folder, "~", "/home/me");
        check(folder, "/srv", "/srv");
    }

    #[test]
    fn a_tilde_without_a_known_home_is_not_resolved() {
        assert!(folder("~/x", &cx(None)).is_err());
        assert!(!is_path("~"));
    }
}
